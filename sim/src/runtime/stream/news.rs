//! What a stream keeps until the host asks: output of kernels, findings, the first fault; and the host's ways to ask.

use super::{KEPT_OUTPUT_BYTES, Stream, UNSYNCHRONISED};
use crate::findings::Finding;
use crate::runtime::failure::{Answer, Failure};
use crate::runtime::work::Running;
use crate::runtime::{callback, copy, diag, mem_pool, order};
use crate::sync::atomic::Ordering;
use std::sync::Arc;
use std::time::Instant;
use toprope_abi::acl::AclError;

impl Stream {
    /// Hands output and findings that arrived to another stream; returns the fault.
    pub fn hand_news_to(&self, other: &Stream) -> Option<Failure> {
        if !self.news.swap(false, Ordering::AcqRel) {
            return None;
        }
        let (printed, findings, fault) = {
            let mut state = self.state.lock();
            (std::mem::take(&mut state.printed), std::mem::take(&mut state.findings), state.fault.take())
        };
        other.arrived(&printed, findings);
        fault.map(|fault| fault.as_ref().clone())
    }

    /// Keeps output and findings until somebody synchronises.
    pub(super) fn arrived(&self, printed: &str, findings: Vec<Finding>) {
        if printed.is_empty() && findings.is_empty() {
            return;
        }
        let mut state = self.state.lock();
        if state.printed.len() < KEPT_OUTPUT_BYTES {
            state.printed.push_str(printed);
        }
        state.findings.extend(findings);
        self.news.store(true, Ordering::Release);
    }

    /// Keeps a fault for the next synchronisation, unless there is an older one.
    pub(in crate::runtime) fn keep_fault(&self, failure: Failure) {
        self.state.lock().fault.get_or_insert_with(|| Arc::new(failure));
        self.news.store(true, Ordering::Release);
    }

    /// Prints what arrived and takes the fault.
    ///
    /// # Errors
    /// The fault, once.
    pub fn report_news(&self) -> Answer {
        if self.news.swap(false, Ordering::AcqRel) {
            let (printed, findings, fault) = {
                let mut state = self.state.lock();
                (std::mem::take(&mut state.printed), std::mem::take(&mut state.findings), state.fault.take())
            };
            diag::print_output(&printed);
            diag::print_findings(&findings);
            self.context.check_running()?;
            return fault.map_or(Ok(()), |f| Err(f.as_ref().clone()));
        }
        self.context.check_running()
    }

    /// Waits for everything enqueued so far and reports what failed.
    ///
    /// # Errors
    /// 507046 after `deadline`; the fault of the stream (once), or the one that stopped its context; 207000 inside
    /// functions that a stream calls.
    pub fn synchronize(&self, deadline: Option<Instant>) -> Answer {
        callback::check_outside("a stream is synchronised")?;
        if self.flags & UNSYNCHRONISED != 0 {
            return Ok(());
        }
        let ticket = self.queue.ticket();
        // A block runs to its end, so whoever has a deadline cannot help with kernels.
        let may_run_blocks = deadline.is_none();
        let help = || copy::pool().help() || may_run_blocks && self.help_with_kernel();
        if !self.queue.wait(ticket, deadline, help) {
            return Err(Failure::new(
                AclError::RT_STREAM_SYNC_TIMEOUT,
                format!("{} did not finish in the time given: {}", self.name(), self.doing()),
            )
            .help("wait longer, or look for what hangs; the work goes on"));
        }
        order::host_learns_of(&self.timeline);
        self.context.device.see_cycle(self.cycle.load(Ordering::Relaxed));
        mem_pool::trim_at_sync();
        self.report_news()
    }

    /// Runs blocks of the kernel this stream runs, if it is the only one on the device.
    pub fn help_with_kernel(&self) -> bool {
        let runs_kernel = matches!(*self.running.lock(), Running::Kernel { .. });
        runs_kernel && self.context.device.scheduler().is_some_and(|s| s.help_alone())
    }

    /// Waits until everything enqueued so far is done; faults stay for the next synchronisation.
    pub fn wait_idle(&self, deadline: Option<Instant>) -> bool {
        let is_idle = self.queue.wait(self.queue.ticket(), deadline, || copy::pool().help());
        if is_idle {
            order::host_learns_of(&self.timeline);
        }
        is_idle
    }

    /// Whether everything enqueued so far is done; never waits.
    pub fn is_idle(&self) -> bool {
        self.queue.reached(self.queue.ticket())
    }

    /// Work of this duration was done outside the queue while the stream was idle.
    pub fn add_cycles(&self, cycles: u64) {
        self.cycle.fetch_max(self.context.device.seen_cycle(), Ordering::Relaxed);
        self.cycle.fetch_add(cycles, Ordering::Relaxed);
    }
}

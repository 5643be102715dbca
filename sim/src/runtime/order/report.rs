//! What is said about two uses without order.

use super::super::mem_findings::raise_once;
use super::super::site::CallSite;
use super::super::state::runtime;
use super::shadow::Conflict;
use super::{Actor, StreamName, Use, What};
use crate::findings::catalogue::{self, Entry};
use crate::findings::{Detail, Side, symbols};
use crate::gm::Allocation;
use std::ops::Range;

impl std::fmt::Display for StreamName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.is_default, self.is_graph) {
            (true, _) => f.write_str("the default stream"),
            (false, false) => write!(f, "stream {}", self.id),
            (false, true) => write!(f, "stream {} (in a graph)", self.id),
        }
    }
}

impl Actor {
    /// As a sentence names it: "kernel `add` on stream 3".
    pub fn name(&self) -> String {
        let what = match &self.what {
            What::Kernel(function) => format!("kernel `{}`", function.name),
            What::Call(function) => (*function).to_owned(),
        };
        match self.stream {
            Some(stream) => format!("{what} on {stream}"),
            None => what,
        }
    }
}

/// The block that holds an address.
struct Owner {
    start: u64,
    text: String,
    site: CallSite,
}

fn owner_of(addr: u64) -> Owner {
    let runtime = runtime();
    let in_device = runtime.devices.iter().find_map(|d| d.memory().filter(|m| m.range().contains(&addr)));
    if let Some(Allocation { start, requested_bytes, by, site, .. }) =
        in_device.and_then(|memory| memory.find(addr))
    {
        let text = format!("a block of {requested_bytes} bytes from {by}");
        return Owner { start, text, site: CallSite(site) };
    }
    match runtime.host.find(addr) {
        Some(block) => {
            let text = format!("a host block of {} bytes from {}", block.bytes(), block.by);
            Owner { start: block.start(), text, site: block.site }
        }
        None => Owner { start: 0, text: String::new(), site: CallSite::default() },
    }
}

fn side(who: &Actor, usage: Use, range: &Range<u64>, owner: &Owner) -> Side {
    Side {
        what: format!("{} {}", who.name(), usage.verb()),
        memory: if owner.text.starts_with("a host") { "host memory" } else { "GM" },
        first_byte: range.start - owner.start,
        end_byte: range.end - owner.start,
        owner: owner.text.clone(),
        place: if who.site.is_known() { symbols::place(&[who.site.0]) } else { None },
        ..Side::default()
    }
}

/// Two uses of the same bytes that nothing orders.
pub fn conflict(conflict: &Conflict, second: &Actor) {
    let mut sides = [(&*conflict.first, conflict.first_use), (second, conflict.second_use)];
    sides.sort_by_key(|(who, _)| who.serial);
    let [(earlier, earlier_use), (later, later_use)] = sides;
    if conflict.range.start >= super::EVENTS {
        return event_reset(earlier, later, earlier_use);
    }
    let owner = owner_of(conflict.range.start);
    let (entry, help) = advice(earlier, later);
    let values = [
        ("later", later.name()),
        ("does", later_use.verb().to_owned()),
        ("earlier", earlier.name()),
        ("did", earlier_use.verb().to_owned()),
        ("what_to_do", help),
    ];
    let details: Vec<Detail> = match owner.text.is_empty() {
        true => Vec::new(),
        false => vec![owner.site.line(format!("the bytes are in {}", owner.text))],
    };
    let sides = sides.map(|(who, usage)| side(who, usage, &conflict.range, &owner)).into();
    raise_once(entry, &values, later.site, earlier.site, details, sides);
}

/// An event is reset in one stream and waited for in another, without order.
fn event_reset(earlier: &Actor, later: &Actor, earlier_use: Use) {
    let (wait, reset) = if earlier_use == Use::Read { (earlier, later) } else { (later, earlier) };
    let values = [("reset", reset.name()), ("wait", wait.name())];
    let details = vec![wait.site.line("the wait was queued".into())];
    raise_once(&catalogue::EVENT_RESET_EARLY, &values, reset.site, wait.site, details, Vec::new());
}

/// Which finding it is, and what to do.
fn advice(earlier: &Actor, later: &Actor) -> (&'static Entry, String) {
    let call = |who: &Actor| match who.what {
        What::Call(function) => function,
        What::Kernel(_) => "the launch",
    };
    match (earlier.stream, later.stream) {
        (Some(first), Some(second)) => {
            let default = if first.is_default || second.is_default {
                "; the default stream has no order with other streams either"
            } else {
                ""
            };
            let text = format!(
                "call aclrtRecordEvent on {first} behind the first and aclrtStreamWaitEvent on {second} before the second, put \
                 both into one stream, or synchronise {first} in between{default}"
            );
            (&catalogue::UNORDERED_STREAMS, text)
        }
        (Some(first), None) => {
            let text = format!(
                "call aclrtSynchronizeStream for {first} (or aclrtSynchronizeEvent for an event recorded behind the work) \
                 before {}, which waits for no stream",
                call(later)
            );
            (&catalogue::HOST_DID_NOT_WAIT, text)
        }
        // A call of the host comes before everything that is enqueued later, so this is not met.
        _ => (&catalogue::HOST_DID_NOT_WAIT, "let the host wait for the stream in between".to_owned()),
    }
}

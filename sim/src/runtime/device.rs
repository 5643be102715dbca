//! Devices: memory, engine and clock of each, and the counting of `aclrtSetDevice` and `aclrtResetDevice`.

use super::chance::Chance;
use super::config::Environment;
use super::context::Context;
use super::failure::{Answer, Failure, refuse};
use super::handle::HandleHasher;
use super::scheduler::{Engine, Scheduler};
use crate::gm::{DeviceMemory, MemoryOptions};
use crate::npu::chip::Chip;
use parking_lot::Mutex;
use std::hash::Hasher;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use toprope_abi::acl::AclError;

/// Modelled speed of copies between host and device: PCIe 4.0 x16 in one direction, less protocol (assumption).
const HOST_LINK_BYTES_PER_SECOND: u64 = 24_000_000_000;
/// Modelled fixed time of a copy task (assumption).
const COPY_OVERHEAD_US: u64 = 4;

/// PCI bus of the first device of a machine (assumption).
const FIRST_PCI_BUS: u32 = 0x01;

/// Documented limit of streams per device on Atlas A2.
pub const MAX_STREAMS: usize = 1984;
/// Documented limit of events per device on Atlas A2.
pub const MAX_EVENTS: usize = 65_536;

/// Which way a copy goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To the device.
    HostToDevice,
    /// From the device.
    DeviceToHost,
    /// Within or between devices; fills too.
    DeviceToDevice,
}

#[derive(Debug)]
struct Parts {
    memory: Arc<DeviceMemory>,
    scheduler: Arc<Scheduler>,
    chance: Arc<Chance>,
}

/// Makes the engine of a device.
pub type MakeEngine = fn(&'static Chip, Arc<DeviceMemory>, &Environment) -> Answer<Arc<dyn Engine>>;

/// What of a device is selected by whom.
#[derive(Debug, Default)]
pub struct Selection {
    /// `aclrtSetDevice` calls not given back.
    pub retained: u64,
    /// The default context, once there is one.
    pub default_context: Option<Arc<Context>>,
    /// Contexts of `aclrtCreateContext` that live.
    pub explicit_contexts: Vec<Arc<Context>>,
    /// The last reset was forced.
    pub was_forced: bool,
}

/// A device.
#[derive(Debug)]
pub struct Device {
    /// Number the process knows it by.
    pub index: u32,
    /// Number on the machine, before ASCEND_RT_VISIBLE_DEVICES.
    pub physical: u32,
    /// Its chip.
    pub chip: &'static Chip,
    /// Who selected it.
    pub selection: Mutex<Selection>,
    parts: OnceLock<Answer<Parts>>,
    /// Devices (by index) whose memory it may reach, one bit each.
    peers: AtomicU64,
    /// `ACL_RT_OVERFLOW_MODE_SATURATION` for streams made from now on.
    saturates: AtomicBool,
    launches: AtomicU64,
    streams_made: AtomicU32,
    seen_cycle: AtomicU64,
}

impl Device {
    /// A device that is not opened yet.
    pub fn new(index: u32, physical: u32, chip: &'static Chip) -> Device {
        Device {
            index,
            physical,
            chip,
            selection: Mutex::default(),
            parts: OnceLock::new(),
            peers: AtomicU64::new(0),
            saturates: AtomicBool::new(false),
            launches: AtomicU64::new(0),
            streams_made: AtomicU32::new(0),
            seen_cycle: AtomicU64::new(0),
        }
    }

    /// Reserves its memory and starts its engine, the first time.
    ///
    /// # Errors
    /// 507033 with the reason.
    pub fn open(&self, environment: &Environment, make_engine: MakeEngine) -> Answer {
        let parts = self.parts.get_or_init(|| {
            let (capacity_bytes, align_bytes) = (self.chip.hbm_bytes, environment.align_bytes);
            let options = MemoryOptions { capacity_bytes, align_bytes, at: None };
            let memory = DeviceMemory::new(options).map_err(|e| {
                Failure::new(AclError::RT_DEV_SETUP_ERROR, format!("the address range of device {} cannot be reserved: {e}", self.index))
                    .help("raise the address-space limit (ulimit -v), or choose a chip with less memory with TOPROPE_SOC")
            })?;
            super::managed::link_to(&memory);
            let engine = make_engine(self.chip, memory.clone(), environment)?;
            let cores = self.chip.aiv_count.max(self.chip.aic_count);
            let chance = Arc::new(Chance::new(environment.seed, self.index));
            let scheduler = Scheduler::new(engine, cores, chance.clone());
            Ok(Parts { memory, scheduler, chance })
        });
        parts.as_ref().map(|_| ()).map_err(Clone::clone)
    }

    /// What is left to chance.
    pub fn chance(&self) -> &Chance {
        static NONE: Chance = Chance::NONE;
        self.parts().map_or(&NONE, |p| &p.chance)
    }

    fn parts(&self) -> Option<&Parts> {
        self.parts.get().and_then(|parts| parts.as_ref().ok())
    }

    /// Its memory, if it was opened.
    pub fn memory(&self) -> Option<&Arc<DeviceMemory>> {
        self.parts().map(|p| &p.memory)
    }

    /// Its scheduler, if it was opened.
    pub fn scheduler(&self) -> Option<&Arc<Scheduler>> {
        self.parts().map(|p| &p.scheduler)
    }

    /// Its memory.
    ///
    /// # Errors
    /// 107002 if it was never opened.
    pub fn opened_memory(&self) -> Answer<&Arc<DeviceMemory>> {
        match self.memory() {
            Some(memory) => Ok(memory),
            None => refuse(AclError::RT_CONTEXT_NULL, format!("device {} was never selected", self.index)),
        }
    }

    /// Opens or closes the way to the memory of another device.
    pub fn set_peer_access(&self, peer: &Device, open: bool) {
        let bit = 1 << peer.index;
        match open {
            true => self.peers.fetch_or(bit, Ordering::Relaxed),
            false => self.peers.fetch_and(!bit, Ordering::Relaxed),
        };
        if let (Some(own), Some(other)) = (self.memory(), peer.memory()) {
            match open {
                true => own.link(other),
                false => own.unlink(other),
            }
        }
    }

    /// Whether the way to the memory of another device is open.
    pub fn can_reach(&self, peer: &Device) -> bool {
        self.peers.load(Ordering::Relaxed) & (1 << peer.index) != 0
    }

    /// Whether streams made from now on saturate instead of giving infinity and NaN.
    pub fn saturates(&self) -> bool {
        self.saturates.load(Ordering::Relaxed)
    }

    /// Chooses it.
    pub fn set_saturates(&self, on: bool) {
        self.saturates.store(on, Ordering::Relaxed);
    }

    /// Its address on the PCI bus: one bus per device, as on a server.
    pub fn pci_bus_id(&self) -> String {
        format!("0000:{:02x}:00.0", FIRST_PCI_BUS + self.physical)
    }

    /// Unchanging identity: depends on the machine and the device's number there.
    pub fn uuid(&self) -> [u8; 16] {
        let machine = std::fs::read_to_string("/etc/machine-id").unwrap_or_default();
        let half = |salt: u64| {
            let mut hasher = HandleHasher::default();
            hasher.write(machine.trim().as_bytes());
            hasher.write(self.chip.name.as_bytes());
            hasher.write_u64(u64::from(self.physical) << 8 | salt);
            hasher.finish().to_le_bytes()
        };
        let mut uuid = [0; 16];
        uuid[..8].copy_from_slice(&half(1));
        uuid[8..].copy_from_slice(&half(2));
        uuid
    }

    /// Number of the next launch.
    pub fn next_launch_id(&self) -> u64 {
        self.launches.fetch_add(1, Ordering::Relaxed)
    }

    /// Number of the next stream.
    pub fn next_stream_id(&self) -> u32 {
        self.streams_made.fetch_add(1, Ordering::Relaxed)
    }

    /// Device time the host has seen by synchronising.
    pub fn seen_cycle(&self) -> u64 {
        self.seen_cycle.load(Ordering::Relaxed)
    }

    /// The host saw that something ended at this device time.
    pub fn see_cycle(&self, cycle: u64) {
        self.seen_cycle.fetch_max(cycle, Ordering::Relaxed);
    }

    /// Modelled fixed time of a launch.
    pub fn launch_overhead_cycles(&self) -> u64 {
        u64::from(self.chip.shared.launch_overhead_us) * u64::from(self.chip.mhz)
    }

    /// Modelled time of a copy or fill.
    pub fn copy_cycles(&self, direction: Direction, bytes: u64) -> u64 {
        let per_second = match direction {
            Direction::HostToDevice | Direction::DeviceToHost => HOST_LINK_BYTES_PER_SECOND,
            // Every byte is read and written.
            Direction::DeviceToDevice => self.chip.shared.hbm_bytes_per_second / 2,
        };
        let hertz = u128::from(self.chip.mhz) * 1_000_000;
        let moving = u128::from(bytes) * hertz / u128::from(per_second.max(1));
        u64::try_from(moving).unwrap_or(u64::MAX / 4) + COPY_OVERHEAD_US * u64::from(self.chip.mhz)
    }

    /// Core cycles as microseconds.
    pub fn cycles_to_us(&self, cycles: u64) -> f64 {
        cycles as f64 / f64::from(self.chip.mhz)
    }
}

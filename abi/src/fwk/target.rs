//! What differs between the cores a pipe can work for, as data.
//!
//! A [`Target`] is a handful of machine words: bit masks over [`HardEvent`]s and rows of packed bytes. They are packed
//! at compile time from the readable tables below, so that code using them needs no table in memory (the AI Core
//! lowering allows none) and folds to constants where the position is known at compile time.
//!
//! Source: `constants.json` of the conformance data; `tests/conformance` compares every entry.

use crate::isa::Pipe;

macro_rules! numbered {
    ($(#[$meta:meta])* $name:ident : $($(#[$vmeta:meta])* $variant:ident = $value:literal $text:literal;)*) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum $name { $($(#[$vmeta])* #[doc = concat!("`", $text, "`")] $variant = $value,)* }

        impl $name {
            /// Every value with the name Ascend C gives it.
            pub const ALL: &[($name, &str)] = &[$(($name::$variant, $text),)*];

            /// The value with this number.
            #[inline(always)]
            pub const fn from_number(number: u32) -> Option<$name> {
                match number { $($value => Some($name::$variant),)* _ => None }
            }

            /// The name Ascend C gives it.
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }

            /// The value Ascend C gives this name to.
            pub fn from_name(name: &str) -> Option<$name> {
                $name::ALL.iter().find(|v| v.1 == name).map(|v| v.0)
            }
        }
    };
}

numbered! {
    /// Logical place of a tensor.
    TPosition:
    #[doc(alias = "GM")] Gm = 0 "GM"; A1 = 1 "A1"; A2 = 2 "A2"; B1 = 3 "B1"; B2 = 4 "B2"; C1 = 5 "C1"; C2 = 6 "C2"; #[doc(alias = "CO1")] Co1 = 7 "CO1";
    #[doc(alias = "CO2")] Co2 = 8 "CO2"; #[doc(alias = "VECIN")] VecIn = 9 "VECIN"; #[doc(alias = "VECOUT")] VecOut = 10 "VECOUT"; #[doc(alias = "LCM")] #[doc(alias = "VECCALC")] VecCalc = 11 "VECCALC";
    #[doc(alias = "SHM")] #[doc(alias = "SPM")] Spm = 12 "SPM"; #[doc(alias = "TSCM")] Tscm = 13 "TSCM"; #[doc(alias = "C2PIPE2GM")] C2Pipe2Gm = 14 "C2PIPE2GM";
    #[doc(alias = "C2PIPE2LOCAL")] C2Pipe2Local = 15 "C2PIPE2LOCAL"; #[doc(alias = "MAX")] Max = 16 "MAX";
}

numbered! {
    /// Physical memory of a core, numbered as the public `Hardware` enum.
    #[doc(alias = "Hardware")]
    MemoryKind:
    #[doc(alias = "GM")] Gm = 0 "GM"; #[doc(alias = "UB")] Ub = 1 "UB"; L1 = 2 "L1"; #[doc(alias = "L0A")] L0a = 3 "L0A"; #[doc(alias = "L0B")] L0b = 4 "L0B"; #[doc(alias = "L0C")] L0c = 5 "L0C"; #[doc(alias = "BIAS")] Bias = 6 "BIAS";
    #[doc(alias = "FIXBUF")] FixBuf = 7 "FIXBUF";
}

numbered! {
    /// Class of an event: source pipe and destination pipe.
    HardEvent:
    #[doc(alias = "MTE2_MTE1")] Mte2Mte1 = 0 "MTE2_MTE1"; #[doc(alias = "MTE1_MTE2")] Mte1Mte2 = 1 "MTE1_MTE2"; #[doc(alias = "MTE1_M")] Mte1M = 2 "MTE1_M"; #[doc(alias = "M_MTE1")] MMte1 = 3 "M_MTE1"; #[doc(alias = "MTE2_V")] Mte2V = 4 "MTE2_V";
    #[doc(alias = "V_MTE2")] VMte2 = 5 "V_MTE2"; #[doc(alias = "MTE3_V")] Mte3V = 6 "MTE3_V"; #[doc(alias = "V_MTE3")] VMte3 = 7 "V_MTE3"; #[doc(alias = "M_V")] MV = 8 "M_V"; #[doc(alias = "V_M")] VM = 9 "V_M"; #[doc(alias = "V_V")] VV = 10 "V_V";
    #[doc(alias = "MTE3_MTE1")] Mte3Mte1 = 11 "MTE3_MTE1"; #[doc(alias = "MTE1_MTE3")] Mte1Mte3 = 12 "MTE1_MTE3"; #[doc(alias = "MTE1_V")] Mte1V = 13 "MTE1_V"; #[doc(alias = "MTE2_M")] Mte2M = 14 "MTE2_M";
    #[doc(alias = "M_MTE2")] MMte2 = 15 "M_MTE2"; #[doc(alias = "V_MTE1")] VMte1 = 16 "V_MTE1"; #[doc(alias = "M_FIX")] MFix = 17 "M_FIX"; #[doc(alias = "FIX_M")] FixM = 18 "FIX_M"; #[doc(alias = "MTE3_MTE2")] Mte3Mte2 = 19 "MTE3_MTE2";
    #[doc(alias = "MTE2_MTE3")] Mte2Mte3 = 20 "MTE2_MTE3"; #[doc(alias = "S_V")] SV = 21 "S_V"; #[doc(alias = "V_S")] VS = 22 "V_S"; #[doc(alias = "S_MTE2")] SMte2 = 23 "S_MTE2"; #[doc(alias = "MTE2_S")] Mte2S = 24 "MTE2_S";
    #[doc(alias = "S_MTE3")] SMte3 = 25 "S_MTE3"; #[doc(alias = "MTE3_S")] Mte3S = 26 "MTE3_S"; #[doc(alias = "MTE2_FIX")] Mte2Fix = 27 "MTE2_FIX"; #[doc(alias = "FIX_MTE2")] FixMte2 = 28 "FIX_MTE2"; #[doc(alias = "FIX_S")] FixS = 29 "FIX_S";
    #[doc(alias = "M_S")] MS = 30 "M_S"; #[doc(alias = "FIX_MTE3")] FixMte3 = 31 "FIX_MTE3"; #[doc(alias = "MTE1_FIX")] Mte1Fix = 32 "MTE1_FIX"; #[doc(alias = "FIX_MTE1")] FixMte1 = 33 "FIX_MTE1"; #[doc(alias = "FIX_FIX")] FixFix = 34 "FIX_FIX";
    /// No event.
    #[doc(alias = "MAX")] Max = 35 "MAX";
}

numbered! {
    /// What a pipe works for. AIC and AIV are the two cores of NpuArch 2201 and numbered as
    /// [`CoreKind`](crate::isa::CoreKind).
    FwkCore:
    Aic2201 = 1 "AIC_2201"; Aiv2201 = 2 "AIV_2201"; Mix2002 = 3 "MIX_2002";
}

impl HardEvent {
    /// Source and destination pipe; `None` for [`HardEvent::Max`].
    pub const fn pipes(self) -> Option<(Pipe, Pipe)> {
        use Pipe::{Fix, M, Mte1, Mte2, Mte3, S, V};
        Some(match self {
            HardEvent::Mte2Mte1 => (Mte2, Mte1),
            HardEvent::Mte1Mte2 => (Mte1, Mte2),
            HardEvent::Mte1M => (Mte1, M),
            HardEvent::MMte1 => (M, Mte1),
            HardEvent::Mte2V => (Mte2, V),
            HardEvent::VMte2 => (V, Mte2),
            HardEvent::Mte3V => (Mte3, V),
            HardEvent::VMte3 => (V, Mte3),
            HardEvent::MV => (M, V),
            HardEvent::VM => (V, M),
            HardEvent::VV => (V, V),
            HardEvent::Mte3Mte1 => (Mte3, Mte1),
            HardEvent::Mte1Mte3 => (Mte1, Mte3),
            HardEvent::Mte1V => (Mte1, V),
            HardEvent::Mte2M => (Mte2, M),
            HardEvent::MMte2 => (M, Mte2),
            HardEvent::VMte1 => (V, Mte1),
            HardEvent::MFix => (M, Fix),
            HardEvent::FixM => (Fix, M),
            HardEvent::Mte3Mte2 => (Mte3, Mte2),
            HardEvent::Mte2Mte3 => (Mte2, Mte3),
            HardEvent::SV => (S, V),
            HardEvent::VS => (V, S),
            HardEvent::SMte2 => (S, Mte2),
            HardEvent::Mte2S => (Mte2, S),
            HardEvent::SMte3 => (S, Mte3),
            HardEvent::Mte3S => (Mte3, S),
            HardEvent::Mte2Fix => (Mte2, Fix),
            HardEvent::FixMte2 => (Fix, Mte2),
            HardEvent::FixS => (Fix, S),
            HardEvent::MS => (M, S),
            HardEvent::FixMte3 => (Fix, Mte3),
            HardEvent::Mte1Fix => (Mte1, Fix),
            HardEvent::FixMte1 => (Fix, Mte1),
            HardEvent::FixFix => (Fix, Fix),
            HardEvent::Max => return None,
        })
    }

    /// Bit of this event in a mask over events.
    #[inline(always)]
    pub const fn bit(self) -> u64 {
        1 << self as u32
    }
}

/// What a flag operation emits, as one byte: 0 nothing, else [`Effect::pair`] of the two pipes. A pair of equal pipes
/// is a barrier on that pipe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effect(pub u8);

impl Effect {
    /// Nothing is emitted.
    pub const NONE: Effect = Effect(0);

    /// The flag instruction between two pipes. [`Pipe::Fix`] takes the slot of [`Pipe::All`], which has no flags.
    #[inline(always)]
    pub const fn pair(src: Pipe, dst: Pipe) -> Effect {
        Effect((slot(src) << 3) | slot(dst))
    }
}

const fn slot(pipe: Pipe) -> u8 {
    match pipe {
        Pipe::Fix => 6,
        other => other as u8 & 7,
    }
}

/// Everything that differs between two cores. All fields are words so that use folds to constants.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Which core this is.
    pub core: FwkCore,
    /// Events this core has ids for, as a mask of [`HardEvent::bit`].
    pub events: u64,
    /// Events whose `SetFlag` emits something.
    pub set_emits: u64,
    /// Events whose `WaitFlag` emits something.
    pub wait_emits: u64,
    /// Events whose wait emits something when Reset, Destroy or a pool drains.
    pub drain_emits: u64,
    /// [`MemoryKind`] of each [`TPosition`], four bits each.
    pub memory_of_position: u64,
    /// Enqueue event of a memory pair: row = source memory, byte = destination memory.
    pub enque_events: [u64; 8],
    /// Free event of a memory pair, packed likewise.
    pub free_events: [u64; 8],
    /// Size of each [`MemoryKind`], bytes (the limits the checks use).
    pub memory_bytes: [u32; 8],
    /// Where TSCM starts, downwards; bytes.
    pub tscm_top: u32,
    /// End of the stack buffer in UB, bytes.
    pub stack_buffer_end: u32,
    /// Ids 0..n of M_MTE1 taken and set by Init.
    pub reserved_m_mte1: u32,
}

const fn event_mask(events: &[HardEvent]) -> u64 {
    let (mut mask, mut i) = (0, 0);
    while i < events.len() {
        mask |= events[i].bit();
        i += 1;
    }
    mask
}

/// Every event there is.
const EVERY: u64 = HardEvent::Max.bit() - 1;

use HardEvent::{
    FixFix, FixM, FixMte1, FixMte2, FixMte3, FixS, MFix, MMte1, MMte2, MV, Max, Mte1Fix, Mte1M, Mte1Mte2,
    Mte1Mte3, Mte1V, Mte2Fix, Mte2M, Mte2Mte1, Mte2Mte3, Mte2S, Mte2V, Mte3Mte1, Mte3Mte2, Mte3S, Mte3V,
    SMte2, SMte3, SV, VM, VMte1, VMte2, VMte3, VS, VV,
};

const AIV_SET_SILENT: u64 = event_mask(&[Mte2Mte1, Mte1Mte2, Mte1M, MMte1, MFix, FixM]);
const AIV_WAIT_SILENT: u64 =
    AIV_SET_SILENT | event_mask(&[MV, VM, VV, Mte3Mte1, Mte1Mte3, Mte1V, Mte2M, MMte2, VMte1]);
const AIC_SET_SILENT: u64 = event_mask(&[Mte2V, VMte2, Mte3V, VMte3, VV, SV, VS]);
const AIC_WAIT_SILENT: u64 = AIC_SET_SILENT | event_mask(&[MV, VM, Mte1V, VMte1]);
const FIX_EVENTS: u64 = event_mask(&[MFix, FixM, Mte2Fix, FixMte2, FixS, FixMte3, Mte1Fix, FixMte1, FixFix]);

/// Enqueue and free event of each memory pair. Pairs not listed have none.
type PairRow = (MemoryKind, MemoryKind, HardEvent, HardEvent);
use MemoryKind::{Bias, FixBuf, Gm, L0a, L0b, L0c, L1, Ub};
const PAIRS_COMMON: &[PairRow] = &[
    (Gm, Ub, Mte2V, VMte2),
    (Gm, L1, Mte2Mte1, Mte1Mte2),
    (Gm, L0a, Mte2M, MMte2),
    (Gm, L0b, Mte2M, MMte2),
    (Ub, Gm, VMte3, Mte3V),
    (Ub, Ub, Mte2Mte3, Mte3Mte2),
    (Ub, L1, Mte3Mte1, Mte1Mte3),
    (Ub, L0c, VV, Max),
    (L1, Ub, Mte1V, VMte1),
    (L1, L0a, Mte1M, MMte1),
    (L1, L0b, Mte1M, MMte1),
    (L1, Bias, Mte1M, MMte1),
    (L1, FixBuf, Mte1Fix, FixMte1),
];

const fn every_byte(event: HardEvent) -> u64 {
    (event as u64) * 0x0101_0101_0101_0101
}

const fn pair_rows(free: bool, l0c: HardEvent, l0c_free: HardEvent) -> [u64; 8] {
    let mut rows = [every_byte(Max); 8];
    let mut i = 0;
    while i < PAIRS_COMMON.len() {
        let (src, dst, enque, free_event) = PAIRS_COMMON[i];
        let shift = 8 * dst as u32;
        let event = if free { free_event } else { enque };
        rows[src as usize] = rows[src as usize] & !(0xff << shift) | (event as u64) << shift;
        i += 1;
    }
    let (l0, cube) = if free { (VM, l0c_free) } else { (MV, l0c) };
    rows[L0a as usize] = every_byte(l0);
    rows[L0b as usize] = every_byte(l0);
    rows[L0c as usize] = every_byte(cube);
    rows
}

const fn positions(memories: [MemoryKind; 16]) -> u64 {
    let (mut word, mut i) = (0, 0);
    while i < 16 {
        word |= (memories[i] as u64) << (4 * i);
        i += 1;
    }
    word
}

//                                   GM  A1  A2   B1  B2   C1  C2    CO1  CO2 VECIN OUT CALC SPM TSCM C2PIPE2GM C2PIPE2LOCAL
const POSITIONS_2201: u64 =
    positions([Gm, L1, L0a, L1, L0b, L1, Bias, L0c, Gm, Ub, Ub, Ub, L1, L1, FixBuf, Ub]);
const POSITIONS_2002: u64 = positions([Gm, L1, L0a, L1, L0b, Ub, L0c, L0c, Ub, Ub, Ub, Ub, L1, L1, Ub, Ub]);

const MIB: u32 = 1 << 20;
const KIB: u32 = 1 << 10;

/// Vector core of NpuArch 2201.
pub const AIV_2201: Target = Target {
    core: FwkCore::Aiv2201,
    events: event_mask(&[
        Mte2V, VMte2, Mte3V, VMte3, VV, Mte3Mte2, Mte2Mte3, SV, VS, SMte2, Mte2S, SMte3, Mte3S,
    ]),
    set_emits: EVERY & !AIV_SET_SILENT,
    wait_emits: EVERY & !AIV_WAIT_SILENT,
    drain_emits: EVERY & !AIV_WAIT_SILENT | event_mask(&[MFix, FixM]),
    memory_of_position: POSITIONS_2201,
    enque_events: pair_rows(false, MFix, FixM),
    free_events: pair_rows(true, MFix, FixM),
    memory_bytes: [MIB, 192 * KIB, 512 * KIB, 64 * KIB, 64 * KIB, 128 * KIB, KIB, 7 * KIB],
    tscm_top: 512 * KIB - 128,
    stack_buffer_end: 192 * KIB - 128,
    reserved_m_mte1: 0,
};

/// Cube core of NpuArch 2201.
pub const AIC_2201: Target = Target {
    core: FwkCore::Aic2201,
    events: EVERY & !event_mask(&[Mte2V, VMte2, Mte3V, VMte3, MV, VM, VV, Mte1V, VMte1, SV, VS]),
    set_emits: EVERY & !AIC_SET_SILENT,
    wait_emits: EVERY & !AIC_WAIT_SILENT,
    drain_emits: EVERY & !AIC_WAIT_SILENT | event_mask(&[SV, VS]),
    reserved_m_mte1: 3,
    ..AIV_2201
};

/// The one unsplit core of NpuArch 2002.
pub const MIX_2002: Target = Target {
    core: FwkCore::Mix2002,
    events: EVERY,
    set_emits: EVERY & !FIX_EVENTS,
    wait_emits: EVERY & !FIX_EVENTS & !VV.bit(),
    drain_emits: EVERY & !FIX_EVENTS & !VV.bit(),
    memory_of_position: POSITIONS_2002,
    enque_events: pair_rows(false, MV, VM),
    free_events: pair_rows(true, MV, VM),
    memory_bytes: [MIB, 256 * KIB, MIB, 64 * KIB, 64 * KIB, 256 * KIB, 64 * KIB, 64 * KIB],
    tscm_top: MIB,
    stack_buffer_end: 256 * KIB,
    reserved_m_mte1: 0,
};

impl Target {
    /// The data of a core.
    #[inline(always)]
    pub const fn of(core: FwkCore) -> Target {
        match core {
            FwkCore::Aic2201 => AIC_2201,
            FwkCore::Aiv2201 => AIV_2201,
            FwkCore::Mix2002 => MIX_2002,
        }
    }

    /// Memory that holds tensors of a position. [`TPosition::Max`] has none and answers GM.
    #[inline(always)]
    pub const fn memory(&self, position: TPosition) -> MemoryKind {
        match position {
            TPosition::Max => MemoryKind::Gm,
            p => match MemoryKind::from_number((self.memory_of_position >> (4 * p as u32)) as u32 & 15) {
                Some(memory) => memory,
                None => MemoryKind::Gm,
            },
        }
    }

    /// Position of the tensors of a queue from `src` to `dst`; its memory is where the buffers live.
    #[inline(always)]
    pub const fn buffer_position(&self, src: TPosition, dst: TPosition) -> TPosition {
        let co2_is_gm = !matches!(self.core, FwkCore::Mix2002);
        match (src, dst) {
            (_, TPosition::Gm) | (TPosition::Co1, TPosition::Co2) => src,
            (_, TPosition::Co2) if co2_is_gm => src,
            _ => dst,
        }
    }

    /// Enqueue and free event of a queue from `src` to `dst` with configuration bits `config`.
    #[inline(always)]
    pub const fn queue_events(&self, src: TPosition, dst: TPosition, config: u32) -> (HardEvent, HardEvent) {
        let (from, to) = (self.memory(src), self.memory(dst));
        if matches!(self.core, FwkCore::Mix2002)
            && matches!((from, to), (MemoryKind::Gm, MemoryKind::L1))
            && config & super::QUE_ND2NZ != 0
        {
            return (Mte3Mte1, Mte1Mte3);
        }
        let shift = 8 * to as u32;
        (event(row(&self.enque_events, from) >> shift), event(row(&self.free_events, from) >> shift))
    }

    /// What `SetFlag` of an event becomes on this core.
    #[inline(always)]
    pub const fn set_effect(&self, event: HardEvent) -> Effect {
        effect(self.set_emits, event)
    }

    /// What `WaitFlag` of an event becomes on this core.
    #[inline(always)]
    pub const fn wait_effect(&self, event: HardEvent) -> Effect {
        effect(self.wait_emits, event)
    }

    /// What the wait of Reset, Destroy and pool Reset becomes on this core.
    #[inline(always)]
    pub const fn drain_effect(&self, event: HardEvent) -> Effect {
        effect(self.drain_emits, event)
    }

    /// Size of a memory, bytes.
    #[inline(always)]
    pub const fn memory_bytes(&self, memory: MemoryKind) -> u32 {
        let [gm, ub, l1, l0a, l0b, l0c, bias, fixbuf] = self.memory_bytes;
        match memory {
            MemoryKind::Gm => gm,
            MemoryKind::Ub => ub,
            MemoryKind::L1 => l1,
            MemoryKind::L0a => l0a,
            MemoryKind::L0b => l0b,
            MemoryKind::L0c => l0c,
            MemoryKind::Bias => bias,
            MemoryKind::FixBuf => fixbuf,
        }
    }
}

/// Source and destination of the one-position queue `TQue<position, …>`; `Max` where there is none.
#[inline(always)]
pub const fn que_binding(position: TPosition) -> (TPosition, TPosition) {
    use TPosition as P;
    match position {
        P::Gm => (P::Gm, P::Gm),
        P::A1 | P::B1 | P::C1 | P::VecIn => (P::Gm, position),
        P::A2 => (P::A1, P::A2),
        P::B2 => (P::B1, P::B2),
        P::C2 => (P::C1, P::C2),
        P::Co1 => (P::Co1, P::Co2),
        P::Co2 => (P::Co2, P::Gm),
        P::VecOut | P::Spm => (P::VecOut, P::Gm),
        P::C2Pipe2Gm => (P::B1, P::C2Pipe2Gm),
        P::VecCalc | P::Tscm | P::C2Pipe2Local | P::Max => (P::Max, P::Max),
    }
}

/// The row of a memory. Every row is read and all but one masked out: of a `match` the compiler makes a table in memory, which the AI Core
/// does not have.
#[inline(always)]
const fn row(rows: &[u64; 8], memory: MemoryKind) -> u64 {
    let [gm, ub, l1, l0a, l0b, l0c, bias, fixbuf] = *rows;
    masked(gm, memory, MemoryKind::Gm)
        | masked(ub, memory, MemoryKind::Ub)
        | masked(l1, memory, MemoryKind::L1)
        | masked(l0a, memory, MemoryKind::L0a)
        | masked(l0b, memory, MemoryKind::L0b)
        | masked(l0c, memory, MemoryKind::L0c)
        | masked(bias, memory, MemoryKind::Bias)
        | masked(fixbuf, memory, MemoryKind::FixBuf)
}

/// `value` if `memory` is `wanted`, else 0.
#[inline(always)]
const fn masked(value: u64, memory: MemoryKind, wanted: MemoryKind) -> u64 {
    value & 0u64.wrapping_sub((memory as u64 == wanted as u64) as u64)
}

#[inline(always)]
const fn event(byte: u64) -> HardEvent {
    match HardEvent::from_number(byte as u32 & 0xff) {
        Some(event) => event,
        None => Max,
    }
}

#[inline(always)]
const fn effect(emits: u64, event: HardEvent) -> Effect {
    if emits & event.bit() == 0 {
        return Effect::NONE;
    }
    match event.pipes() {
        Some((src, dst)) => Effect::pair(src, dst),
        None => Effect::NONE,
    }
}

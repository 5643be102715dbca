//! Source lines to choose from: the steps of an interpreted program become places of their own, as in a kernel that is written out.

use crate::kernel::called_at;
use toprope_sim::findings::SourcePlace;

/// Lines there are.
pub const LINES: usize = 96;

/// Runs `f` as if line `number` of the kernel called it.
pub fn on_line(number: usize, f: impl FnOnce()) {
    on_copy_of_line(number, 0, f);
}

/// The same from copy 0 or 1 of the line, as in an unrolled loop: another address, one line.
pub fn on_copy_of_line(number: usize, copy: u64, f: impl FnOnce()) {
    // The place of a call is that of the byte before its return address; no function has less than two bytes.
    called_at(PLACES[number] as usize as u64 + 1 + copy, f);
}

/// The number of the line that a finding names.
pub fn line_of(place: Option<&SourcePlace>) -> usize {
    let place = place.expect("a place");
    assert!(place.file.ends_with("lines.rs"), "{place:?}");
    place.line as usize - FIRST
}

const FIRST: usize = line!() as usize + 3;
#[rustfmt::skip] // A line each.
mod places {
    pub fn p0() -> u32 { 0 }
    pub fn p1() -> u32 { 1 }
    pub fn p2() -> u32 { 2 }
    pub fn p3() -> u32 { 3 }
    pub fn p4() -> u32 { 4 }
    pub fn p5() -> u32 { 5 }
    pub fn p6() -> u32 { 6 }
    pub fn p7() -> u32 { 7 }
    pub fn p8() -> u32 { 8 }
    pub fn p9() -> u32 { 9 }
    pub fn p10() -> u32 { 10 }
    pub fn p11() -> u32 { 11 }
    pub fn p12() -> u32 { 12 }
    pub fn p13() -> u32 { 13 }
    pub fn p14() -> u32 { 14 }
    pub fn p15() -> u32 { 15 }
    pub fn p16() -> u32 { 16 }
    pub fn p17() -> u32 { 17 }
    pub fn p18() -> u32 { 18 }
    pub fn p19() -> u32 { 19 }
    pub fn p20() -> u32 { 20 }
    pub fn p21() -> u32 { 21 }
    pub fn p22() -> u32 { 22 }
    pub fn p23() -> u32 { 23 }
    pub fn p24() -> u32 { 24 }
    pub fn p25() -> u32 { 25 }
    pub fn p26() -> u32 { 26 }
    pub fn p27() -> u32 { 27 }
    pub fn p28() -> u32 { 28 }
    pub fn p29() -> u32 { 29 }
    pub fn p30() -> u32 { 30 }
    pub fn p31() -> u32 { 31 }
    pub fn p32() -> u32 { 32 }
    pub fn p33() -> u32 { 33 }
    pub fn p34() -> u32 { 34 }
    pub fn p35() -> u32 { 35 }
    pub fn p36() -> u32 { 36 }
    pub fn p37() -> u32 { 37 }
    pub fn p38() -> u32 { 38 }
    pub fn p39() -> u32 { 39 }
    pub fn p40() -> u32 { 40 }
    pub fn p41() -> u32 { 41 }
    pub fn p42() -> u32 { 42 }
    pub fn p43() -> u32 { 43 }
    pub fn p44() -> u32 { 44 }
    pub fn p45() -> u32 { 45 }
    pub fn p46() -> u32 { 46 }
    pub fn p47() -> u32 { 47 }
    pub fn p48() -> u32 { 48 }
    pub fn p49() -> u32 { 49 }
    pub fn p50() -> u32 { 50 }
    pub fn p51() -> u32 { 51 }
    pub fn p52() -> u32 { 52 }
    pub fn p53() -> u32 { 53 }
    pub fn p54() -> u32 { 54 }
    pub fn p55() -> u32 { 55 }
    pub fn p56() -> u32 { 56 }
    pub fn p57() -> u32 { 57 }
    pub fn p58() -> u32 { 58 }
    pub fn p59() -> u32 { 59 }
    pub fn p60() -> u32 { 60 }
    pub fn p61() -> u32 { 61 }
    pub fn p62() -> u32 { 62 }
    pub fn p63() -> u32 { 63 }
    pub fn p64() -> u32 { 64 }
    pub fn p65() -> u32 { 65 }
    pub fn p66() -> u32 { 66 }
    pub fn p67() -> u32 { 67 }
    pub fn p68() -> u32 { 68 }
    pub fn p69() -> u32 { 69 }
    pub fn p70() -> u32 { 70 }
    pub fn p71() -> u32 { 71 }
    pub fn p72() -> u32 { 72 }
    pub fn p73() -> u32 { 73 }
    pub fn p74() -> u32 { 74 }
    pub fn p75() -> u32 { 75 }
    pub fn p76() -> u32 { 76 }
    pub fn p77() -> u32 { 77 }
    pub fn p78() -> u32 { 78 }
    pub fn p79() -> u32 { 79 }
    pub fn p80() -> u32 { 80 }
    pub fn p81() -> u32 { 81 }
    pub fn p82() -> u32 { 82 }
    pub fn p83() -> u32 { 83 }
    pub fn p84() -> u32 { 84 }
    pub fn p85() -> u32 { 85 }
    pub fn p86() -> u32 { 86 }
    pub fn p87() -> u32 { 87 }
    pub fn p88() -> u32 { 88 }
    pub fn p89() -> u32 { 89 }
    pub fn p90() -> u32 { 90 }
    pub fn p91() -> u32 { 91 }
    pub fn p92() -> u32 { 92 }
    pub fn p93() -> u32 { 93 }
    pub fn p94() -> u32 { 94 }
    pub fn p95() -> u32 { 95 }
}
#[rustfmt::skip]
static PLACES: [fn() -> u32; LINES] = {
    use places::*;
    [
        p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11,
        p12, p13, p14, p15, p16, p17, p18, p19, p20, p21, p22, p23,
        p24, p25, p26, p27, p28, p29, p30, p31, p32, p33, p34, p35,
        p36, p37, p38, p39, p40, p41, p42, p43, p44, p45, p46, p47,
        p48, p49, p50, p51, p52, p53, p54, p55, p56, p57, p58, p59,
        p60, p61, p62, p63, p64, p65, p66, p67, p68, p69, p70, p71,
        p72, p73, p74, p75, p76, p77, p78, p79, p80, p81, p82, p83,
        p84, p85, p86, p87, p88, p89, p90, p91, p92, p93, p94, p95,
    ]
};

//! Golden texts, in all styles, of one finding of each shape. `TOPROPE_BLESS=1` rewrites them.

use super::*;
use crate::findings::catalogue as c;
use std::path::Path;

const SOURCE: &str = "\
__aicore__ inline void Process() {
  for (uint32_t i = 0; i < tiles; ++i) {
\tDataCopy(x, xGm[i * TILE], TILE);
    // no event here
    Add(z, x, y, TILE);  // reads x
  }
}
";

fn at(line: u32, function: &str) -> Option<SourcePlace> {
    Some(SourcePlace { file: "kernels/race.asc".into(), line, function: function.into() })
}

fn side(what: &str, pipe: &'static str, line: u32, iteration: u64) -> Side {
    Side {
        what: what.into(),
        pipe,
        memory: "UB",
        first_byte: 0x400,
        end_byte: 0xc00,
        owner: "buffer inQueueX".into(),
        iteration,
        core: "AIV 3".into(),
        block: 3,
        place: at(line, "Race::Process"),
    }
}

fn conflict() -> Finding {
    Finding {
        title: "Cast converts onto its own source, and a later instruction needs what was there".into(),
        sides: vec![side("DataCopy writes", "MTE2", 3, 0), side("Add reads", "V", 5, 1)],
        details: vec!["missing: set MTE2_V behind the first, wait for it before the second".into()],
        place: at(5, "Race::Process"),
        kernel: "race".into(),
        block: Some(3),
        core: "AIV 3".into(),
        count: 12,
        ..Finding::new(&c::CONVERT_OVERLAP, &[])
    }
}

fn beyond() -> Finding {
    let values =
        [("op", "DataCopy".to_string()), ("beyond", "4096".into()), ("target", "argument 0 (`x`)".into())];
    Finding {
        details: vec!["bytes: 131072..135168 from its start".into()],
        place: at(3, "Race::Process"),
        kernel: "race".into(),
        block: Some(7),
        core: "AIV 7".into(),
        consequence_of: Some("TR0402".into()),
        ..Finding::new(&c::GM_READ_BEYOND, &values)
    }
}

fn refused() -> Finding {
    Finding { kernel: "race".into(), ..Finding::new(&c::UNSUPPORTED, &[("what", "LoadImageToLocal".into())]) }
}

fn styles() -> [(&'static str, Style); 4] {
    let terminal = Style { width: 80, breaks_all: true, colour: false, unicode: true };
    [
        ("pipe", Style::PLAIN),
        ("80", terminal),
        ("120", Style { width: 120, ..terminal }),
        ("colour", Style { colour: true, ..terminal }),
    ]
}

fn shown(finding: &Finding, style: &Style) -> String {
    full(finding, style, &mut Sources::default().with("kernels/race.asc", SOURCE))
}

#[test]
fn findings_look_like_this() {
    for (name, finding) in [("conflict", conflict()), ("beyond", beyond()), ("unsupported", refused())] {
        for (style_name, style) in styles() {
            let text = shown(&finding, &style);
            let path = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join(format!("src/findings/render/golden/{name}_{style_name}.txt"));
            if std::env::var_os("TOPROPE_BLESS").is_some() {
                std::fs::write(&path, &text).expect("bless");
            }
            let known = std::fs::read_to_string(&path).unwrap_or_default();
            assert_eq!(text, known, "{}: TOPROPE_BLESS=1 accepts", path.display());
        }
    }
}

/// The text without colours.
fn plain(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |out, part| out + part.split_once('m').map_or(part, |(_, rest)| rest))
}

#[test]
fn colours_change_no_word_and_no_line_is_too_long() {
    for finding in [conflict(), beyond(), refused()] {
        let [_, (_, narrow), (_, wide), (_, colour)] = styles();
        assert_eq!(plain(&shown(&finding, &colour)), shown(&finding, &narrow));
        for style in [narrow, wide] {
            for line in shown(&finding, &style).lines() {
                assert!(line.chars().count() <= style.width, "{}: {line}", style.width);
            }
        }
        let words = |style: &Style| shown(&finding, style).split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(words(&narrow), words(&wide));
    }
}

#[test]
fn without_its_source_a_finding_names_the_place_alone() {
    let text = full(&beyond(), &Style::PLAIN, &mut Sources::default());
    assert!(text.contains("  --> kernels/race.asc:3 in Race::Process\n  bytes:"), "{text}");
}

#[test]
fn what_is_cut_is_said() {
    let mut printer = Printer::new(Limits { full: 2, lines: 1 });
    let nth = |n: u64| Finding { title: format!("number {n}"), ..beyond() };
    let out: Vec<String> = (0..4).map(|n| printer.show(&nth(n), &Style::PLAIN)).collect();
    assert!(out[0].contains("why:") && out[1].contains("why:"));
    assert!(out[2].contains("in a line each") && !out[2].contains("why:"), "{}", out[2]);
    assert!(out[2].contains("kernels/race.asc:3: error: [TR0106 ErrorRead3] race: number 2"), "{}", out[2]);
    assert_eq!(out[3], "");
    for n in 4..7 {
        printer.show(&Finding { title: format!("number {n}"), ..conflict() }, &Style::PLAIN);
    }
    assert_eq!(printer.rest(&Style::PLAIN), "toprope: and 4 more (TR0401 x3, TR0106 x1)\n");
    assert_eq!(printer.rest(&Style::PLAIN), "", "once");
}

#[test]
fn a_finding_is_shown_once() {
    let mut printer = Printer::new(Limits::default());
    assert!(!printer.show(&beyond(), &Style::PLAIN).is_empty());
    assert!(printer.show(&beyond(), &Style::PLAIN).is_empty());
    assert!(printer.rest(&Style::PLAIN).is_empty(), "the same again is not one more");
}

#[test]
fn findings_survive_a_report() {
    for finding in [conflict(), beyond(), refused()] {
        let text = serde_json::to_string(&finding).expect("json");
        assert_eq!(serde_json::from_str::<Finding>(&text).expect("finding"), finding);
    }
}

//! A case: what its head says, building it, running its variants, comparing.

use crate::support::Toprope;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// A source file with its variants.
pub struct Case {
    /// `fail/order_return_edges`.
    pub name: String,
    source: PathBuf,
    /// In the order of the head.
    pub variants: Vec<Variant>,
}

/// One way to run it.
pub struct Variant {
    name: String,
    /// Environment that the options stand for.
    environment: Vec<(String, String)>,
    options: String,
    wanted: Wanted,
}

enum Wanted {
    Silence,
    /// All of these parts; that many findings.
    Parts(Vec<String>, Option<usize>),
}

/// What a run said.
struct Said {
    text: String,
    findings: usize,
    code: i32,
}

/// Exit code for a source that does not compile.
const EXIT_SOURCE: i32 = 65;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("findings")
}

/// Lines of `pending.txt`: which variant, why.
pub fn pending() -> BTreeMap<String, String> {
    let text = fs::read_to_string(folder().join("pending.txt")).unwrap_or_default();
    let lines = text.lines().filter(|l| !l.is_empty() && !l.starts_with('#'));
    lines
        .map(|l| l.split_once(": ").unwrap_or_else(|| panic!("pending.txt: `{l}` gives no reason")))
        .map(|(key, why)| (key.to_owned(), why.to_owned()))
        .collect()
}

/// The cases of `folders` that `FINDINGS` asks for.
pub fn all(folders: &[&str]) -> Vec<Case> {
    let wanted = std::env::var("FINDINGS").unwrap_or_default();
    let mut sources: Vec<PathBuf> = folders
        .iter()
        .flat_map(|f| fs::read_dir(folder().join(f)).unwrap_or_else(|e| panic!("{f}: {e}")))
        .map(|entry| entry.expect("entry").path())
        .filter(|p| p.extension().is_some_and(|e| e == "asc" || e == "cpp"))
        .collect();
    sources.sort();
    sources.into_iter().map(Case::read).filter(|c| c.name.contains(&wanted)).collect()
}

impl Variant {
    pub fn fails(&self) -> bool {
        matches!(self.wanted, Wanted::Parts(..))
    }

    /// `NAME --option value count N`, and for those that fail what is said.
    fn parse(head: &str, parts: Option<&str>) -> Variant {
        let mut words = head.split_whitespace();
        let mut variant = Variant {
            name: words.next().expect("a name").to_owned(),
            environment: Vec::new(),
            options: String::new(),
            wanted: Wanted::Silence,
        };
        let mut count = None;
        while let (Some(key), Some(value)) = (words.next(), words.next()) {
            if key == "count" {
                count = Some(value.parse().expect("a number"));
                continue;
            }
            let key = key.strip_prefix("--").unwrap_or_else(|| panic!("`{key}` is no option"));
            variant
                .environment
                .push((format!("TOPROPE_{}", key.to_uppercase().replace('-', "_")), value.to_owned()));
            let _ = write!(variant.options, " --{key} {value}");
        }
        if let Some(parts) = parts {
            let parts = parts.split(" | ").map(|p| p.trim().to_owned()).filter(|p| !p.is_empty()).collect();
            variant.wanted = Wanted::Parts(parts, count);
        }
        variant
    }

    /// What is not as it should be; empty: nothing.
    fn complaint(&self, said: &Said) -> String {
        match &self.wanted {
            Wanted::Silence if said.findings > 0 || said.code != 0 => {
                format!("must be silent, exit code {}, said\n{}", said.code, said.text)
            }
            Wanted::Silence => String::new(),
            Wanted::Parts(..) if said.findings == 0 => "nothing was reported".to_owned(),
            Wanted::Parts(_, Some(count)) if said.findings != *count => {
                format!("{} findings, not {count}\n{}", said.findings, said.text)
            }
            Wanted::Parts(parts, _) => {
                let missing: Vec<&String> = parts.iter().filter(|p| !said.text.contains(*p)).collect();
                if missing.is_empty() {
                    String::new()
                } else {
                    format!("{missing:?} is not in\n{}", said.text)
                }
            }
        }
    }
}

impl Case {
    fn read(source: PathBuf) -> Case {
        let folder = source.parent().and_then(Path::file_name).and_then(|n| n.to_str()).expect("UTF-8");
        let name = format!("{folder}/{}", source.file_stem().and_then(|n| n.to_str()).expect("UTF-8"));
        let text = fs::read_to_string(&source).expect("source");
        let mut variants = Vec::new();
        for line in text.lines() {
            if let Some(head) = line.strip_prefix("// passes ") {
                variants.push(Variant::parse(head, None));
            } else if let Some(rest) = line.strip_prefix("// fails ") {
                let (head, parts) = rest.split_once(':').unwrap_or((rest, ""));
                variants.push(Variant::parse(head, Some(parts)));
            }
        }
        assert!(!variants.is_empty(), "{name} lists no variants");
        Case { name, source, variants }
    }

    /// How `pending.txt` names a variant.
    pub fn key(&self, variant: &Variant) -> String {
        format!("{} {}{}", self.name, variant.name, variant.options)
    }

    /// Runs all variants; what is not as it should be.
    pub fn judge(&self, pending: &BTreeMap<String, String>) -> String {
        let dir = tempfile::tempdir().expect("tempdir");
        let (mut complaints, mut golden) = (String::new(), String::new());
        for variant in &self.variants {
            let said = self.run(dir.path(), variant);
            if said.code == EXIT_SOURCE {
                return format!("{}: does not compile\n{}", self.name, said.text);
            }
            let complaint = variant.complaint(&said);
            match (complaint.is_empty(), pending.get(&self.key(variant))) {
                (true, None) | (false, Some(_)) => {}
                (false, None) => complaints += &format!("{}: {complaint}\n", self.key(variant)),
                (true, Some(_)) => {
                    complaints += &format!("{}: is fine, remove it from pending.txt\n", self.key(variant));
                }
            }
            if variant.fails() && complaint.is_empty() {
                let _ = writeln!(golden, "== {}{}\n{}", variant.name, variant.options, said.text);
            }
        }
        complaints + &self.compare(&golden)
    }

    /// The first run compiles, unoptimised; the others find the program in the cache.
    fn run(&self, dir: &Path, variant: &Variant) -> Said {
        let report = dir.join("report.json");
        let _ = fs::remove_file(&report);
        let options = ["run", "-q", "-O", "0", "--time-limit", "5s", "--report"];
        let mut command = Toprope::new(options).arg(&report).arg(&self.source);
        command = command.env("TOPROPE_AUTO_SYNC", "off").arg("--").arg(&variant.name);
        for (key, value) in &variant.environment {
            command = command.env(key, value);
        }
        let done = command.go();
        let facts = fs::read(&report).ok().and_then(|t| serde_json::from_slice::<serde_json::Value>(&t).ok());
        let findings = facts.and_then(|f| f["report"]["findings"].as_array().map(Vec::len)).unwrap_or(0);
        Said { text: normalised(&done.stderr), findings, code: done.code }
    }

    /// Compares with the golden text, or writes it.
    fn compare(&self, text: &str) -> String {
        let path = self.source.with_extension("txt");
        // Whose text depends on which thread was first has only its head.
        if fs::read_to_string(&self.source).is_ok_and(|s| s.contains("\n// no golden: ")) {
            return String::new();
        }
        let before = fs::read_to_string(&path).unwrap_or_default();
        if before == text {
            return String::new();
        }
        if std::env::var_os("TOPROPE_BLESS").is_some() {
            fs::write(&path, text).expect("bless");
            return String::new();
        }
        format!("{}: the text has changed (TOPROPE_BLESS=1 accepts it); it is now\n{text}", self.name)
    }
}

/// Without what differs between machines and runs: folders, long hexadecimal numbers.
fn normalised(text: &str) -> String {
    let root = crate::support::root();
    let text = text.replace(&format!("{}/", root.display()), "");
    let mut parts = text.split("0x");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.bytes().take_while(u8::is_ascii_hexdigit).count();
        if digits >= 9 {
            out += "0xADDRESS";
            out += &part[digits..];
        } else {
            out += "0x";
            out += part;
        }
    }
    out
}

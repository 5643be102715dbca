//! Leaves steps of a kernel's source out, one at a time, without compiling it for each.
//!
//! Every step becomes conditional on a number in the environment:
//!
//! ```text
//! queue.EnQue(x);                                  if (mutant_ != 3) queue.EnQue(x);
//! LocalTensor<half> x = queue.DeQue<half>();       LocalTensor<half> x; if (mutant_ != 4) x = queue.DeQue<half>();
//! ```
//! A tensor that is not taken is an empty one. The text is not parsed: statements are expected as this repository writes them.

/// Variable of the environment that says which step is left out; 0 or unset: none.
pub const MUTANT: &str = "TOPROPE_TEST_MUTANT";

/// A step: its class, and the function around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub class: &'static str,
    pub function: String,
}

/// Class and how a call of it begins. Calls with a result are the first two.
const CLASSES: &[(&str, &str)] = &[
    ("AllocTensor", "AllocTensor<"),
    ("DeQue", "DeQue<"),
    ("InitBuffer", "InitBuffer("),
    ("EnQue", "EnQue("),
    ("FreeTensor", "FreeTensor("),
    ("set", "SetFlag<"),
    ("wait", "WaitFlag<"),
    ("barrier", "PipeBarrier<"),
];
const WITH_RESULT: usize = 2;

const PROLOGUE: &str = "#include <cstdlib>\n\
     static const int mutant_ = std::getenv(\"TOPROPE_TEST_MUTANT\") ? std::atoi(std::getenv(\"TOPROPE_TEST_MUTANT\")) : 0;\n#line 1\n";

/// The source with conditional steps of these classes, and the steps from 1 on. Nothing behind the line `// ---- host` is touched.
pub fn mutate(source: &str, classes: &[&str]) -> (String, Vec<Step>) {
    let (mut text, mut steps, mut function) = (PROLOGUE.to_owned(), Vec::new(), String::new());
    let mut in_kernel = true;
    for line in source.lines() {
        in_kernel &= !line.starts_with("// ---- host");
        let code = line.split("//").next().unwrap_or_default();
        if let Some(name) = name_of_function(code) {
            function = name.to_owned();
        }
        if in_kernel && !code.trim_start().starts_with(['#', '*']) {
            text += &with_steps(code, classes, &function, &mut steps);
        } else {
            text += code;
        }
        text.push('\n');
    }
    (text, steps)
}

/// The name that a line which begins a function gives it.
fn name_of_function(code: &str) -> Option<&str> {
    let (before, _) = code.split_once('(')?;
    let is_function = before.contains("__aicore__ inline ") || before.starts_with("__global__");
    let name = before.rsplit([' ', '*', '&']).next()?;
    // `__global__ __mix__(1, 2) void name(…)`: the name is before the second bracket.
    if is_function && name == "__mix__" {
        return code.split_once("void ")?.1.split('(').next();
    }
    is_function.then_some(name)
}

fn with_steps(code: &str, classes: &[&str], function: &str, steps: &mut Vec<Step>) -> String {
    let is_wanted = |class: &str| classes.contains(&class);
    let results = CLASSES[..WITH_RESULT].iter().filter(|(class, _)| is_wanted(class));
    if code.contains('=') && results.clone().any(|(_, call)| code.contains(call)) {
        return with_results(code, classes, function, steps);
    }
    let mut out = code.to_owned();
    let mut from = 0;
    while let Some((class, at)) = next_call(&out, from, &is_wanted) {
        steps.push(Step { class, function: function.to_owned() });
        let start = beginning(&out, at);
        let guard = format!("if (mutant_ != {}) ", steps.len());
        out.insert_str(start, &guard);
        from = at + guard.len() + 1;
    }
    out
}

/// The next call at or behind `from`: its class and where its name begins.
fn next_call(code: &str, from: usize, is_wanted: &impl Fn(&str) -> bool) -> Option<(&'static str, usize)> {
    let wanted = CLASSES[WITH_RESULT..].iter().filter(|(class, _)| is_wanted(class));
    let found = wanted.filter_map(|(class, call)| code[from..].find(call).map(|at| (*class, from + at)));
    // `CrossCoreSetFlag<` is another step.
    let is_name = |at: usize| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    found.filter(|(_, at)| is_name(*at)).min_by_key(|(_, at)| *at)
}

/// Where the expression begins that calls the function named at `at`: `pipe->`, `AscendC::`, `queue.`.
fn beginning(code: &str, at: usize) -> usize {
    let part = |c: char| c.is_alphanumeric() || "_.:->".contains(c);
    code[..at].char_indices().rev().take_while(|(_, c)| part(*c)).last().map_or(at, |(i, _)| i)
}

/// `TYPE a = …, b = …;` or `a = …;`, taken apart.
fn with_results(code: &str, classes: &[&str], function: &str, steps: &mut Vec<Step>) -> String {
    let indent = code.len() - code.trim_start().len();
    let statement = code.trim().trim_end_matches(';');
    let (head, _) = statement.split_once('=').expect("an assignment");
    let (kind, _) = head.trim().rsplit_once(' ').unwrap_or(("", head));
    let mut out = code[..indent].to_owned();
    for part in top_level_parts(statement[kind.len()..].trim()) {
        let (name, value) = part.split_once('=').expect("an assignment");
        let (name, value) = (name.trim(), value.trim());
        let class = CLASSES.iter().find(|(_, call)| value.contains(call)).map_or("", |(class, _)| class);
        if !kind.is_empty() {
            out += &format!("{kind} {name}; ");
        }
        if classes.contains(&class) {
            steps.push(Step { class, function: function.to_owned() });
            out += &format!("if (mutant_ != {}) ", steps.len());
        }
        out += &format!("{name} = {value}; ");
    }
    out
}

/// The parts between commas that are in no bracket.
fn top_level_parts(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (i, c) in text.char_indices() {
        match c {
            '<' | '(' => depth += 1,
            '>' | ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

#[test]
fn steps_become_conditional() {
    let source = "__aicore__ inline void Tile() {\n  LocalTensor<T> a = q1.DeQue<T>(), b = q2.AllocTensor<T>();\n  \
                  AscendC::SetFlag<HardEvent::V_S>(0); pipe->InitBuffer(q, 1, 32);  // EnQue(\n\
                  CrossCoreSetFlag<2, PIPE_V>(1);\n// ---- host\nq.EnQue(x);\n";
    let all: Vec<&str> = CLASSES.iter().map(|c| c.0).collect();
    let (text, steps) = mutate(source, &all);
    let lines: Vec<&str> = text.lines().skip(3).map(str::trim).collect();
    assert_eq!(
        lines[1..],
        [
            "LocalTensor<T> a; if (mutant_ != 1) a = q1.DeQue<T>(); LocalTensor<T> b; if (mutant_ != 2) b = q2.AllocTensor<T>();",
            "if (mutant_ != 3) AscendC::SetFlag<HardEvent::V_S>(0); if (mutant_ != 4) pipe->InitBuffer(q, 1, 32);",
            "CrossCoreSetFlag<2, PIPE_V>(1);",
            "",
            "q.EnQue(x);",
        ]
    );
    let found: Vec<&str> = steps.iter().map(|s| s.class).collect();
    assert_eq!(found, ["DeQue", "AllocTensor", "set", "InitBuffer"]);
    assert!(steps.iter().all(|s| s.function == "Tile"));
}

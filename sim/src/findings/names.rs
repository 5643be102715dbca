//! Names of the program's own objects, which a binary does not have: read from the source line of a call.
//!
//! `pipe.InitBuffer(inQueueX, 2, 1024)` names its queue; in Rust `let in_que = pipe.init_buffer::<VecIn, 2>(2, 1024)?;` does. A line
//! that is not there any more, or a call over several lines, names nothing.

use super::SourcePlace;

/// Calls whose first argument is the object.
const CALLS: [&str; 2] = ["InitBuffer(", "InitBufPool("];
/// Calls of the Rust face, which give the object back.
const GIVEN: [&str; 3] = [".init_buffer", ".init_buf(", ".init_buf_pool"];

/// `text` with `{what it is}` replaced by "`name` (what it is)", if the line at `place` has the name.
pub fn named(text: &str, place: Option<&SourcePlace>) -> String {
    let Some((before, rest)) = text.split_once('{') else { return text.to_owned() };
    let Some((what, after)) = rest.split_once('}') else { return text.to_owned() };
    match place.and_then(line_of).as_deref().and_then(|line| first_argument(line).or_else(|| bound(line))) {
        Some(name) => format!("{before}`{name}` ({what}){after}"),
        None => format!("{before}{what}{after}"),
    }
}

fn line_of(place: &SourcePlace) -> Option<String> {
    let text = std::fs::read_to_string(&place.file).ok()?;
    text.lines().nth((place.line as usize).checked_sub(1)?).map(str::to_owned)
}

/// What a line of Rust calls the result: `in_que` of `let in_que = pipe.init_buffer::<VecIn, 2>(2, 1024)?;`.
fn bound(line: &str) -> Option<&str> {
    let (before, _) = GIVEN.iter().find_map(|call| line.split_once(call))?;
    let (name, _) = before.trim_start().strip_prefix("let ")?.split_once('=')?;
    let name = name.split(':').next()?.trim().trim_start_matches("mut ");
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name.then_some(name)
}

/// The first argument of the call in a line.
fn first_argument(line: &str) -> Option<&str> {
    let rest = CALLS.iter().find_map(|call| line.split_once(call)).map(|(_, rest)| rest)?;
    let mut depth = 0;
    let end = rest.find(|c| {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        depth < 0 || depth == 0 && c == ','
    })?;
    let name = rest[..end].trim();
    let is_name = !name.is_empty() && name.len() <= 40 && !name.contains(['"', ';', '{']);
    is_name.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_argument_is_the_object() {
        assert_eq!(first_argument("    pipe.InitBuffer(inQueueX, BUFFER_NUM, n);"), Some("inQueueX"));
        assert_eq!(first_argument("p->InitBuffer(queue[i + f(1, 2)], 1, 256);"), Some("queue[i + f(1, 2)]"));
        assert_eq!(first_argument("pipe.InitBufPool(pool, 4096)"), Some("pool"));
        assert_eq!(first_argument("pipe.InitBuffer("), None);
        assert_eq!(first_argument("AllocTensor<half>()"), None);
    }

    #[test]
    fn in_rust_the_binding_is_the_object() {
        assert_eq!(bound("    let in_que = pipe.init_buffer::<VecIn, 2>(2, 1024)?;"), Some("in_que"));
        assert_eq!(bound("let mut work: TBuf<VecCalc> = pipe.init_buf(512)?;"), Some("work"));
        assert_eq!(bound("let (a, b) = (pipe.init_buffer(1, 2)?, 3);"), None);
        assert_eq!(bound("pipe.init_buffer::<VecIn, 2>(2, 1024)?;"), None);
    }

    #[test]
    fn without_a_line_the_kind_is_the_name() {
        assert_eq!(named("tensor: {TQue<VECIN>}, UB", None), "tensor: TQue<VECIN>, UB");
        assert_eq!(named("set at", None), "set at");
        let place = SourcePlace { file: file!().into(), line: 0, function: String::new() };
        assert_eq!(named("{TBuf}", Some(&place)), "TBuf");
    }
}

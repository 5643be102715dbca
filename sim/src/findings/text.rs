//! Words into lines.

/// Breaks `text` at spaces so that no line has more than `width` characters; a longer word has a line of its own.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        let word_length = word.chars().count();
        if length > 0 && length + 1 + word_length > width {
            lines.push(std::mem::take(&mut line));
            length = 0;
        }
        if length > 0 {
            line.push(' ');
            length += 1;
        }
        line.push_str(word);
        length += word_length;
    }
    if length > 0 {
        lines.push(line);
    }
    lines
}

/// `label` and `text` broken to `width`, later lines indented to where the text starts in the first. With line ends.
pub fn labelled(label: &str, text: &str, width: usize) -> String {
    let indent = label.chars().count();
    let lines = wrap(text, width.saturating_sub(indent).max(20));
    let mut out = String::new();
    for (i, line) in lines.iter().enumerate() {
        let left = if i == 0 { label.to_owned() } else { " ".repeat(indent) };
        out.push_str(&left);
        out.push_str(line);
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_no_longer_than_asked_and_lose_no_word() {
        let text = "a kernel that reads what nobody wrote";
        for width in 1..50 {
            let lines = wrap(text, width);
            assert_eq!(lines.join(" "), text, "{width}");
            assert!(
                lines.iter().all(|l| l.chars().count() <= width || !l.contains(' ')),
                "{width}: {lines:?}"
            );
        }
        assert!(wrap("  ", 10).is_empty());
    }

    #[test]
    fn text_is_indented_to_its_label() {
        assert_eq!(
            labelled("  why: ", "one two three four five six", 27),
            "  why: one two three four\n       five six\n"
        );
    }
}

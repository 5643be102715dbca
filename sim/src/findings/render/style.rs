//! How wide, how coloured, and in which characters a finding is shown.
//!
//! | | terminal | pipe or file |
//! |---|---|---|
//! | width | `COLUMNS`, else the terminal's, 40 to 120 | the reason is broken at 100; lines that a program may look for are not broken |
//! | colour | unless `NO_COLOR` is set or `TERM` is `dumb` | only with `CLICOLOR_FORCE` |
//! | characters | beyond ASCII only if `LC_ALL`, `LC_CTYPE` or `LANG` say UTF-8 | same |

use std::io::IsTerminal;
use std::os::fd::AsFd;

/// Widest line.
pub const MAX_WIDTH: usize = 120;
/// Width where nobody looks.
const PIPE_WIDTH: usize = 100;

/// How findings are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Characters in a line.
    pub width: usize,
    /// Break every line at `width`, not only prose.
    pub breaks_all: bool,
    /// Colours of the terminal.
    pub colour: bool,
    /// Characters beyond ASCII.
    pub unicode: bool,
}

impl Style {
    /// For a file or a pipe: no colour, ASCII.
    pub const PLAIN: Style = Style { width: PIPE_WIDTH, breaks_all: false, colour: false, unicode: false };

    /// What suits `stream` in this process's environment.
    pub fn of(stream: &(impl IsTerminal + AsFd)) -> Style {
        let columns = rustix::termios::tcgetwinsize(stream).ok().map(|size| usize::from(size.ws_col));
        Style::choose(stream.is_terminal(), columns, |name| std::env::var(name).ok())
    }

    fn choose(terminal: bool, columns: Option<usize>, var: impl Fn(&str) -> Option<String>) -> Style {
        let given = |name: &str| var(name).filter(|value| !value.is_empty());
        let forced = given("CLICOLOR_FORCE").is_some_and(|value| value != "0");
        let plain = given("NO_COLOR").is_some();
        let dumb = given("TERM").is_some_and(|term| term == "dumb");
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| given(name)).unwrap_or_default();
        let asked = given("COLUMNS").and_then(|text| text.parse().ok());
        let width = asked.or(columns).filter(|width| *width > 0).unwrap_or(PIPE_WIDTH);
        Style {
            width: if terminal { width.clamp(40, MAX_WIDTH) } else { PIPE_WIDTH },
            breaks_all: terminal,
            colour: !plain && (forced || (terminal && !dumb)),
            unicode: locale.to_lowercase().replace('-', "").contains("utf8"),
        }
    }

    /// `text` in a colour, if there are colours.
    pub(super) fn paint(&self, colour: Colour, text: &str) -> String {
        if self.colour && !text.is_empty() {
            format!("\x1b[{}m{text}\x1b[0m", colour.code())
        } else {
            text.to_owned()
        }
    }

    /// `text` in characters that the reader's terminal has.
    pub fn spell(&self, text: &str) -> String {
        if self.unicode || text.is_ascii() {
            return text.to_owned();
        }
        text.chars().map(ascii).collect()
    }
}

/// What stands for a character where there is ASCII only.
fn ascii(c: char) -> &'static str {
    const SPELLED: [(char, &str); 9] = [
        ('\u{d7}', "x"),
        ('\u{2026}', "..."),
        ('\u{b5}', "u"),
        ('\u{3bc}', "u"),
        ('\u{2192}', "->"),
        ('\u{2013}', "-"),
        ('\u{2014}', "-"),
        ('\u{2018}', "'"),
        ('\u{2019}', "'"),
    ];
    const ASCII: &str = "\t\n\r !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~\x1b";
    if let Some(at) = ASCII.find(c) {
        return &ASCII[at..=at];
    }
    SPELLED.iter().find(|(spelled, _)| *spelled == c).map_or("?", |(_, as_ascii)| as_ascii)
}

/// Colours by what they mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colour {
    Error,
    Warning,
    Note,
    Help,
    Gutter,
    Strong,
}

impl Colour {
    fn code(self) -> &'static str {
        match self {
            Colour::Error => "1;31",
            Colour::Warning => "1;33",
            Colour::Note => "1;36",
            Colour::Help => "1;32",
            Colour::Gutter => "1;34",
            Colour::Strong => "1",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn style(terminal: bool, columns: Option<usize>, pairs: &[(&str, &str)]) -> Style {
        let var = |name: &str| pairs.iter().find(|p| p.0 == name).map(|p| p.1.to_owned());
        Style::choose(terminal, columns, var)
    }

    #[test]
    fn a_pipe_gets_plain_text_of_fixed_width() {
        assert_eq!(style(false, None, &[("COLUMNS", "40")]), Style::PLAIN);
        assert!(style(false, None, &[("CLICOLOR_FORCE", "1")]).colour);
        assert!(!style(false, None, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]).colour);
        assert!(!style(false, None, &[("CLICOLOR_FORCE", "0")]).colour);
    }

    #[test]
    fn a_terminal_gets_its_own_width_and_colour() {
        let s = style(true, Some(80), &[("LANG", "de_DE.UTF-8")]);
        assert_eq!(s, Style { width: 80, breaks_all: true, colour: true, unicode: true });
        assert_eq!(style(true, Some(400), &[]).width, MAX_WIDTH);
        assert_eq!(style(true, Some(80), &[("COLUMNS", "60")]).width, 60);
        assert_eq!(style(true, Some(3), &[]).width, 40);
        assert!(!style(true, None, &[("NO_COLOR", "1")]).colour);
        assert!(!style(true, None, &[("TERM", "dumb")]).colour);
        assert!(style(true, None, &[("NO_COLOR", "")]).colour, "an empty NO_COLOR does not count");
    }

    #[test]
    fn the_locale_decides_on_characters() {
        assert!(!style(true, None, &[("LC_ALL", "C"), ("LANG", "en_US.UTF-8")]).unicode, "LC_ALL wins");
        assert!(style(true, None, &[("LC_CTYPE", "C.utf8")]).unicode);
        assert_eq!(Style::PLAIN.spell("3 × 4 … 5 µs → ü"), "3 x 4 ... 5 us -> ?");
        assert_eq!(Style::PLAIN.spell("a\tb\\c~"), "a\tb\\c~");
    }
}

//! Escapes text that comes from outside, such as names of files and output of engines, for the medium that shows the text.
//!
//! ```text
//! terminal, logs   visible, then lines          JSON        serde_json: reading gives the same text
//! annotations      visible_lines, then %-codes  HTML        maud, then visible_lines
//! Markdown         visible, then backslashes    JUnit       visible, then quick-junit
//!                                               CSV         export_csv: no formulas
//! ```
//!
//! [`visible`] writes escapes as in Rust, so that different names usually stay different. It does not escape backslashes, because paths
//! contain many of them. Therefore calling it twice gives the same result as calling it once.

use std::borrow::Cow;

/// The word joiner, a character without width. It keeps text such as `@name` or `#1` from becoming a reference.
const JOINER: char = '\u{2060}';

/// The start of a GitHub workflow command in the old style, and its escaped form. Such a command can be anywhere in a line.
const OLD_COMMAND: (&str, &str) = ("##[", "##\\[");

/// Returns the text as one line. Escapes control characters (including line ends) and characters that change the direction of text.
pub fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, is_hidden)
}

/// Escapes text of several lines for a terminal or a log. Like [`visible`], but line ends are not escaped, and no line is a workflow
/// command of GitHub.
pub fn lines(text: &str) -> String {
    visible_lines(text).split_inclusive('\n').map(no_command).collect()
}

/// Like [`visible`], but line ends are not escaped.
pub(crate) fn visible_lines(text: &str) -> Cow<'_, str> {
    escaped(text, |character| character != '\n' && is_hidden(character))
}

/// Escapes text for a place within a line of Markdown, so that the text has no markup, links or references.
pub fn markdown(text: &str) -> String {
    let visible = visible(text);
    let visible = visible.trim();
    let mut markdown = String::with_capacity(visible.len());
    let mut rest = visible.chars().peekable();
    while let Some(character) = rest.next() {
        // GitHub turns an address that starts with a scheme (`https://`) or with `www.` into a link, wherever the address is in the text.
        let begins_link = match character {
            '.' => markdown.ends_with("www"),
            '/' => markdown.ends_with(':'),
            _ => false,
        };
        if matches!(character, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '|' | '~' | '&' | '#' | '$')
            || begins_link
        {
            markdown.push('\\');
        }
        markdown.push(character);
        // GitHub makes a link of `@name` and `#1`, even if the `@` or `#` is escaped. A joiner after the `@` or `#` prevents the link.
        if matches!(character, '@' | '#') && rest.peek().is_some_and(|next| next.is_alphanumeric()) {
            markdown.push(JOINER);
        }
    }
    markdown
}

/// Escapes text for a paragraph of Markdown. Like [`markdown`]; in addition, the text does not start a list, heading, quotation or rule.
pub(crate) fn markdown_paragraph(text: &str) -> String {
    let mut markdown = markdown(text);
    let digits = markdown.bytes().take_while(u8::is_ascii_digit).count();
    if markdown[digits..].starts_with(['.', ')']) || markdown.starts_with(['-', '+', '=', '>']) {
        markdown.insert(digits, '\\');
    }
    markdown
}

/// Escapes the message of a workflow command of GitHub, with codes that GitHub's runner decodes. Line ends are kept.
pub(crate) fn workflow_message(text: &str) -> String {
    visible_lines(text).replace(OLD_COMMAND.0, OLD_COMMAND.1).replace('%', "%25").replace('\n', "%0A")
}

/// Escapes a property of a workflow command of GitHub, such as its title.
pub(crate) fn workflow_property(text: &str) -> String {
    workflow_message(&visible(text)).replace(':', "%3A").replace(',', "%2C")
}

/// Returns whether a character is a control character, changes the direction of text, ends a line, or is not allowed in XML.
fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            // Characters that change the direction of text: marks, embeddings, overrides and isolates.
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            // Line separator and paragraph separator.
            | '\u{2028}' | '\u{2029}'
            // Code points that are not characters.
            | '\u{fffe}' | '\u{ffff}'
        )
}

fn escaped(text: &str, is_to_be: impl Fn(char) -> bool) -> Cow<'_, str> {
    let Some(first) = text.find(&is_to_be) else { return Cow::Borrowed(text) };
    let mut escaped = text[..first].to_owned();
    for character in text[first..].chars() {
        match is_to_be(character) {
            // `char::escape_default` writes tabs and line ends as `\t`, `\r` and `\n`, and the other characters that are escaped here as
            // codes such as `\u{1b}`.
            true => escaped.extend(character.escape_default()),
            false => escaped.push(character),
        }
    }
    Cow::Owned(escaped)
}

/// Escapes a line so that it is not a workflow command. `::` starts a command only at the start of a line or after leading spaces, `##[`
/// anywhere in a line.
fn no_command(line: &str) -> String {
    let shown = line.replace(OLD_COMMAND.0, OLD_COMMAND.1);
    let indent = shown.len() - shown.trim_start().len();
    match shown[indent..].starts_with("::") {
        true => format!("{}\\{}", &shown[..indent], &shown[indent..]),
        false => shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_becomes_visible() {
        assert_eq!(visible("a b\\c é ☃"), "a b\\c é ☃");
        assert_eq!(visible("\u{1b}[31m\u{9b}1m\r\n\t\0"), r"\u{1b}[31m\u{9b}1m\r\n\t\u{0}");
        assert_eq!(visible("\u{202e}txt.\u{2066}"), r"\u{202e}txt.\u{2066}");
        let twice = |text: &str| visible(&visible(text)).into_owned();
        assert_eq!(twice("\u{1b}\u{ffff}"), r"\u{1b}\u{ffff}");
    }

    #[test]
    fn no_line_is_a_command() {
        assert_eq!(lines("a\n::error::b\n \u{a0}::warning::\n"), "a\n\\::error::b\n \u{a0}\\::warning::\n");
        assert_eq!(lines("a::b ##[group]\u{1b}c"), "a::b ##\\[group]\\u{1b}c");
        assert_eq!(workflow_message("50%\r\n\u{1b}"), "50%25\\r%0A\\u{1b}");
        assert_eq!(workflow_property("a,b: c\n::"), "a%2Cb%3A c\\n%3A%3A");
    }

    #[test]
    fn markdown_is_shown_as_it_was() {
        assert_eq!(
            markdown("mrv on a.txt, -1.2% [-2%, +1%] (51 -> 52)"),
            "mrv on a.txt, -1.2% \\[-2%, +1%\\] (51 -> 52)"
        );
        assert_eq!(markdown(" <b>|`*_\\\n"), "\\<b>\\|\\`\\*\\_\\\\\\\\n");
        assert_eq!(markdown("www.a.b https://c"), "www\\.a.b https:\\//c");
        assert_eq!(markdown("a@b #12 # @"), "a@\u{2060}b \\#\u{2060}12 \\# @");
        let begins = ["1. a", "- a", "> a", "12) a", "1 a", "===", "a"].map(markdown_paragraph);
        assert_eq!(begins, ["1\\. a", "\\- a", "\\> a", "12\\) a", "1 a", "\\===", "a"]);
    }
}

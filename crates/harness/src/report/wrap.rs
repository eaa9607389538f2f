//! Breaks text into lines that fit a terminal.

use textwrap::core::display_width;
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

/// Breaks the text at spaces into lines of at most `width` columns, each with a line end. If the longest word fits beside `first` and
/// `hanging`, the first line starts with `first` and the others with `hanging`. Otherwise, `first` loses its leading spaces, and `hanging`
/// is not used. A word is broken only if it is longer than a line. ANSI styles have no width.
pub fn wrapped(text: &str, width: usize, first: &str, hanging: &str) -> String {
    let indent = display_width(first).max(display_width(hanging));
    let (first, hanging) = match indent.saturating_add(longest_word(text)) <= width {
        true => (first, hanging),
        // With less indentation, fewer long words, such as paths, must be broken.
        false => (first.trim_start(), ""),
    };
    let options = Options::new(width.max(1))
        .initial_indent(first)
        .subsequent_indent(hanging)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    textwrap::wrap(text, options).iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Returns the width, in columns, of the longest word.
pub(super) fn longest_word(text: &str) -> usize {
    text.split([' ', '\n']).map(display_width).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_words() {
        assert_eq!(wrapped("one two three", 7, "", ""), "one two\nthree\n");
        assert_eq!(wrapped("one two three", usize::MAX, "", "  "), "one two three\n");
        assert_eq!(wrapped("a three b-c d", 7, "- ", "  "), "- a\n  three\n  b-c d\n");
        assert_eq!(wrapped("\u{1b}[1mé\u{1b}[0m é é", 3, "", ""), "\u{1b}[1mé\u{1b}[0m é\né\n");
        assert_eq!(wrapped("", 3, "", ""), "\n");
    }

    #[test]
    fn only_words_longer_than_a_line_are_broken() {
        assert_eq!(wrapped("a longword b", 8, "  ", "    "), "a\nlongword\nb\n");
        assert_eq!(wrapped("a longword b", 5, "", ""), "a\nlongw\nord b\n");
    }
}

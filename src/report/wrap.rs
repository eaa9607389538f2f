//! Text in lines that a terminal does not break.

/// The text in lines of at most `width` characters, broken at spaces. A longer word has a line of its own.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line =
            lines.last_mut().filter(|line| line.is_empty() || length(line) + 1 + length(word) <= width);
        match line {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) => line.extend([" ", word]),
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

fn length(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_words() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("one two three", 80), ["one two three"]);
        assert_eq!(wrapped("a unbreakable b", 4), ["a", "unbreakable", "b"]);
        assert_eq!(wrapped("é é é", 3), ["é é", "é"]);
        assert_eq!(wrapped("", 3), [""]);
    }
}

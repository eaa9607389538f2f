//! Text inside XML, HTML and SVG.

/// The text with the characters replaced that markup gives a meaning to, for element and attribute values.
/// Control characters, which XML does not allow, become a space.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            control if control.is_control() => escaped.push(' '),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_text() {
        assert_eq!(escape("<a href=\"x\">'&'\u{1b}"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39; ");
    }
}

//! One field of delimited columns: where it ends, and what it holds.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr3};

/// One field: where it stands, quotes included, and what it holds.
pub(super) struct Field {
    /// Up to the delimiter, the line end or the end of the bytes.
    pub(super) whole: Range<usize>,
    pub(super) content: Content,
}

pub(super) enum Content {
    /// These bytes, unchanged.
    Plain(Range<usize>),
    /// Quotes inside, or text behind the closing quote: the content is not one range of the input.
    Broken,
    /// The closing quote is missing.
    Open,
}

/// The field that starts at `start`.
pub(super) fn field_at(bytes: &[u8], start: usize, delimiter: u8) -> Field {
    let plain_end = |from: usize| {
        memchr3(delimiter, b'\n', b'\r', &bytes[from..]).map_or(bytes.len(), |length| from + length)
    };
    if bytes.get(start) != Some(&b'"') {
        let whole = start..plain_end(start);
        return Field { content: Content::Plain(whole.clone()), whole };
    }
    let mut at = start + 1;
    let mut has_quotes_inside = false;
    let close = loop {
        let Some(length) = memchr(b'"', &bytes[at..]) else {
            return Field { whole: start..bytes.len(), content: Content::Open };
        };
        if bytes.get(at + length + 1) != Some(&b'"') {
            break at + length;
        }
        has_quotes_inside = true;
        at += length + 2;
    };
    let end = plain_end(close + 1);
    let is_plain = !has_quotes_inside && end == close + 1;
    let content = if is_plain { Content::Plain(start + 1..close) } else { Content::Broken };
    Field { whole: start..end, content }
}

/// The fields of one record, unquoted.
pub(super) fn fields(record: &[u8], delimiter: u8) -> Vec<Cow<'_, [u8]>> {
    let mut fields = Vec::new();
    let mut start = 0;
    loop {
        let field = field_at(record, start, delimiter);
        fields.push(match field.content {
            Content::Plain(content) => Cow::Borrowed(&record[content]),
            Content::Broken | Content::Open => Cow::Owned(unquote(&record[field.whole.clone()])),
        });
        if field.whole.end == record.len() {
            return fields;
        }
        start = field.whole.end + 1;
    }
}

/// What a field that starts with a quote holds: quotes resolved up to the closing one, the rest as it stands.
fn unquote(field: &[u8]) -> Vec<u8> {
    let mut content = Vec::with_capacity(field.len());
    let mut rest = &field[1..];
    loop {
        let Some(quote) = memchr(b'"', rest) else {
            content.extend_from_slice(rest);
            return content;
        };
        content.extend_from_slice(&rest[..quote]);
        rest = &rest[quote + 1..];
        if rest.first() != Some(&b'"') {
            content.extend_from_slice(rest);
            return content;
        }
        content.push(b'"');
        rest = &rest[1..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_knows_what_it_holds() {
        let field = |text: &'static str| {
            let field = field_at(text.as_bytes(), 0, b',');
            let content = match field.content {
                Content::Plain(content) => &text[content],
                Content::Broken => "broken",
                Content::Open => "open",
            };
            (&text[field.whole], content)
        };
        assert_eq!(field(""), ("", ""));
        assert_eq!(field("ab,c"), ("ab", "ab"));
        assert_eq!(field("a\"b\nc"), ("a\"b", "a\"b"));
        assert_eq!(field("\"a,\n\",c"), ("\"a,\n\"", "a,\n"));
        assert_eq!(field("\"a\"\"b\",c"), ("\"a\"\"b\"", "broken"));
        assert_eq!(field("\"a\"b\",c"), ("\"a\"b\"", "broken"));
        assert_eq!(field("\"a\"\",c"), ("\"a\"\",c", "open"));
        assert_eq!(field("\""), ("\"", "open"));
    }

    #[test]
    fn fields_are_unquoted() {
        let record = b"\"a\"\"b\",\"c\"d\"e,,\"f";
        assert_eq!(fields(record, b','), [&b"a\"b"[..], b"cd\"e", b"", b"f"]);
    }
}

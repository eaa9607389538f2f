//! Splits a text into tokens: cells, text that may be between cells, and other text.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// A digit, or a blank: `.`, `0`, `_`.
    Cell(u8),
    Space,
    LineEnd,
    /// A separator of cells or boxes: `|`, a vertical box drawing character, `&` of LaTeX, `<td>`.
    Bar,
    /// `[`, or `]`.
    Bracket {
        opens: bool,
    },
    Quote,
    /// A comma, a part of a horizontal line, and other punctuation that may be between cells.
    Mark,
    /// Letters, with the digits and underscores after them.
    Word(&'t str),
    /// Anything else, such as a colon or an emoji.
    Other,
}

/// Maximum length of a tag, an entity, an argument or a sequence of backslashes, in bytes. This limit keeps the time linear.
const LONGEST: usize = 100;

/// Returns the tokens of a text. Takes linear time.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let (before, rest) = text.split_at(at);
        let (token, length) = match first {
            '\\' => escape(rest),
            '&' => entity(rest, tokens.last()),
            '<' => tag(rest),
            '"' | '\'' => quote(before, rest, first),
            ':' if before.ends_with('-') || rest.starts_with(":-") => (Some(Token::Mark), 1),
            _ if first.is_alphabetic() => word(rest),
            _ => (simple(first, tokens.last()), first.len_utf8()),
        };
        tokens.extend(token);
        at += length;
    }
    tokens
}

/// Returns the token of a character; `None` if the character is skipped, such as an asterisk of Markdown.
fn simple<'t>(character: char, last: Option<&Token>) -> Option<Token<'t>> {
    Some(match character {
        // After a word, a closing bracket or a token `Other`, a dot ends a sentence.
        '.' if matches!(last, Some(Token::Word(_) | Token::Other | Token::Bracket { opens: false })) => {
            Token::Other
        }
        '0'..='9' | '.' | '_' => Token::Cell(character as u8),
        '\n' => Token::LineEnd,
        '|' | '¦' | '｜' | '│' | '┃' | '║' | '┆' | '┇' | '┊' | '┋' | '╎' | '╏' => {
            Token::Bar
        }
        '[' => Token::Bracket { opens: true },
        ']' => Token::Bracket { opens: false },
        '“' | '”' | '‘' | '’' => Token::Quote,
        ',' | ';' | '/' | '-' | '+' | '=' | '(' | '{' | '}' | '>' | '–' | '—' | '\u{2500}'..='\u{257f}' => {
            Token::Mark
        }
        // Marks of emphasis, code and formulas in Markdown, and characters without width, such as those in keycap emoji.
        '*'
        | '`'
        | '~'
        | '$'
        | '\u{200b}'..='\u{200d}'
        | '\u{2060}'
        | '\u{feff}'
        | '\u{fe0f}'
        | '\u{20e3}' => {
            return None;
        }
        character if character.is_whitespace() => Token::Space,
        _ => Token::Other,
    })
}

/// Reads letters and the digits and underscores after them. `null` and `None` are blanks.
fn word(rest: &str) -> (Option<Token<'_>>, usize) {
    let is_inside = |character: char| character.is_alphanumeric() || character == '_';
    // A word is all ASCII or has no ASCII character, because a digit may follow Chinese text without a space.
    let is_ascii = rest.starts_with(|first: char| first.is_ascii());
    let end = rest.find(|character: char| !is_inside(character) || character.is_ascii() != is_ascii);
    let word = &rest[..end.unwrap_or(rest.len())];
    let token = if matches!(word, "null" | "None") { Token::Cell(b'_') } else { Token::Word(word) };
    (Some(token), word.len())
}

/// Reads a quotation mark. In a list, quotes with nothing or a single space between them are a blank.
fn quote<'t>(before: &str, rest: &str, mark: char) -> (Option<Token<'t>>, usize) {
    let inside = &rest[1..];
    let spaces = usize::from(inside.starts_with(' '));
    if inside[spaces..].starts_with(mark) && before.trim_end().ends_with(['[', ',']) {
        return (Some(Token::Cell(b'_')), spaces + 2);
    }
    (Some(Token::Quote), 1)
}

/// Reads a backslash: an escaped line end or character, or a command of LaTeX.
fn escape<'t>(rest: &str) -> (Option<Token<'t>>, usize) {
    let slashes = rest.bytes().take(LONGEST).take_while(|&byte| byte == b'\\').count();
    let after = &rest[slashes..];
    let letters = after.find(|character: char| !character.is_ascii_alphabetic()).unwrap_or(after.len());
    match (&after[..letters], slashes) {
        ("n", _) => (Some(Token::LineEnd), slashes + 1),
        ("r" | "t", _) => (Some(Token::Space), slashes + 1),
        (_, 2..) => (Some(Token::LineEnd), 2),
        ("begin" | "end" | "cline", _) => (Some(Token::LineEnd), 1 + letters + arguments(&after[letters..])),
        ("", _) if after.starts_with(['[', ']', '(', ')']) => (Some(Token::Space), 2),
        ("", _) => (None, 1),
        _ => (Some(Token::Space), 1 + letters),
    }
}

/// Returns the length of the arguments of a command of LaTeX, each in braces.
fn arguments(rest: &str) -> usize {
    let mut length = 0;
    while rest[length..].starts_with('{')
        && let Some(end) = position(&rest[length..], b'}')
    {
        length += end + 1;
    }
    length
}

/// Reads an entity of HTML, or the `&` between two cells of LaTeX.
fn entity<'t>(rest: &str, last: Option<&Token>) -> (Option<Token<'t>>, usize) {
    let Some(end) = position(rest, b';') else { return (Some(Token::Bar), 1) };
    let name = &rest[1..end];
    let code = match name.strip_prefix('#').map(|code| (code, code.strip_prefix(['x', 'X']))) {
        Some((_, Some(code))) => u32::from_str_radix(code, 16).ok(),
        Some((code, None)) => code.parse().ok(),
        None => None,
    };
    let token = match (name, code.and_then(char::from_u32)) {
        (_, Some(character)) => simple(character, last),
        ("nbsp" | "ensp" | "emsp" | "thinsp", _) => Some(Token::Space),
        ("vert" | "verbar" | "VerticalLine", _) => Some(Token::Bar),
        ("quot" | "apos", _) => Some(Token::Quote),
        ("amp" | "lt" | "gt", _) => Some(Token::Other),
        _ => return (Some(Token::Bar), 1),
    };
    (token, end + 1)
}

/// Reads a tag of HTML. For example, `<br>` is a line end, `<td>` separates cells, and `<b>` is skipped.
fn tag<'t>(rest: &str) -> (Option<Token<'t>>, usize) {
    let Some(end) = position(rest, b'>') else { return (Some(Token::Other), 1) };
    let (closes, name) = match rest[1..end].strip_prefix('/') {
        Some(name) => (true, name),
        None => (false, &rest[1..end]),
    };
    let name = name.split([' ', '/']).next().unwrap_or_default().to_ascii_lowercase();
    let token = match name.as_str() {
        "br" | "tr" | "p" | "div" | "li" if !closes => Some(Token::LineEnd),
        "td" | "th" if !closes => Some(Token::Bar),
        "tr" | "p" | "div" | "li" | "td" | "th" | "b" | "i" | "u" | "em" | "strong" | "span" | "code"
        | "mark" => None,
        _ => return (Some(Token::Other), 1),
    };
    (token, end + 1)
}

/// Returns the position of an ASCII character, if it is near the start of the text.
fn position(text: &str, wanted: u8) -> Option<usize> {
    text.bytes().take(LONGEST).position(|byte| byte == wanted)
}

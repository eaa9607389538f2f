//! Conditions on rows, for example for `--only`.

use std::borrow::Cow;

use sudobench_sudoku::Status;

use crate::answers::{AnsweredRow, RowFilter};
use crate::columns::{self, CLUES, Column, Holds, MATCH, STATUS, Value, scale};
use crate::facts::Need;
use crate::input_columns::InputColumns;
use crate::option_error::OptionError;
use crate::source::Layout;

/// Conditions on rows. A row must meet all of them.
///
/// ```
/// use sudobench_rows::Filter;
/// use sudobench_rows::columns::CHECK;
///
/// let filter = Filter::parse(["minimal=no", "clues=17..20", "unique,multiple"], &CHECK)?;
/// assert_eq!(filter.names(), ["minimal=no", "clues=17..20", "unique,multiple"]);
/// # Ok::<(), sudobench_rows::OptionError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Filter {
    conditions: Vec<Condition>,
    /// The columns that conditions can name.
    known: Vec<Column>,
    /// The columns that are empty in every row, each with the reason.
    empty_columns: &'static [(&'static str, &'static str)],
}

/// A condition on the value that `subject` names in a row. A row meets the condition if this value matches one of `values`. If the
/// condition is negated, a row meets the condition if this value matches none of `values`.
#[derive(Clone, Debug)]
struct Condition {
    subject: Subject,
    is_negated: bool,
    values: Vec<Wanted>,
    name: String,
}

/// Names a value of each row, such as the value in a column. A condition tests this value, and `--order-by` sorts the rows by it.
#[derive(Clone, Debug)]
pub(crate) enum Subject {
    /// The subject of a condition in the short form, such as `unique,mismatch`: the status, and the value of the column `match`.
    Answer,
    Column(Column),
    /// The name of a column of the input. Once the layout is known, also the columns of the input and the index of this column among them.
    Input(String, Option<(Box<InputColumns>, usize)>),
}

/// A value that a condition accepts.
#[derive(Clone, Debug, PartialEq)]
enum Wanted {
    Status(Status),
    Mismatch,
    /// No value, or an empty text.
    Empty,
    Text(String),
    /// A number in the range, both ends included.
    Range(f64, f64),
}

impl Filter {
    /// Reads conditions. A condition is a comma-separated list of statuses, or `NAME=VALUES`, or `NAME!=VALUES`. In the list of statuses,
    /// `mismatch` means `match=no`. A value is a word, a number, or a range such as `17..20`, `17..` or `..20`. An empty value selects rows
    /// without a value.
    ///
    /// `columns` are the columns of the verb. `status`, `match` and `clues` can be named for every verb, and a column of the input is
    /// `input.NAME`.
    ///
    /// # Errors
    /// [`OptionError`] for an unknown status, column or value, and for an empty list of statuses.
    pub fn parse<T: AsRef<str>>(
        texts: impl IntoIterator<Item = T>,
        columns: &[Column],
    ) -> Result<Filter, OptionError> {
        let conditions = texts.into_iter().map(|text| Condition::parse(text.as_ref(), columns));
        let conditions = conditions.collect::<Result<_, _>>()?;
        Ok(Filter { conditions, known: known_columns(columns), empty_columns: &[] })
    }

    /// Sets the columns that are empty in every row, each with the reason. Conditions that need a value of such a column are refused when
    /// the run starts.
    pub(crate) fn with_empty_columns(self, empty_columns: &'static [(&'static str, &'static str)]) -> Filter {
        Filter { empty_columns, ..self }
    }

    /// Returns whether there are no conditions.
    pub fn is_empty(&self) -> bool {
        self.conditions.is_empty()
    }

    /// Returns the conditions as text that [`Filter::parse`] reads, such as `clues=17..` for `clues = 17..`.
    pub fn names(&self) -> Vec<&str> {
        self.conditions.iter().map(|condition| condition.name.as_str()).collect()
    }

    /// Returns the statuses that the conditions name.
    pub fn statuses(&self) -> impl Iterator<Item = Status> {
        let values = self.conditions.iter().flat_map(|condition| &condition.values);
        values.filter_map(|value| if let Wanted::Status(status) = value { Some(*status) } else { None })
    }

    pub(crate) fn needs(&self) -> impl Iterator<Item = Need> {
        self.conditions.iter().flat_map(|condition| condition.subject.needs()).copied()
    }

    pub(crate) fn reads_input(&self) -> bool {
        self.conditions.iter().any(|condition| matches!(condition.subject, Subject::Input(..)))
    }

    /// Finds the columns of the input that the conditions name.
    ///
    /// # Errors
    /// [`OptionError`] if the input has no column of that name.
    pub(crate) fn find_input_columns(&mut self, layout: &Layout) -> Result<(), OptionError> {
        self.conditions.iter_mut().try_for_each(|condition| condition.subject.find_input_column(layout))
    }

    /// Checks that no condition needs a value of a column that is empty in every row. `has_solutions` states whether the input may have
    /// expected solutions; without them, the column `match` is empty, too.
    ///
    /// # Errors
    /// [`OptionError`] for a condition that needs a value of an empty column.
    pub(crate) fn check_empty(&self, has_solutions: bool) -> Result<(), OptionError> {
        let no_match = (!has_solutions).then_some((MATCH.name, "there are no expected solutions"));
        let empty = self.empty_columns.iter().copied().chain(no_match);
        let reason_of = |column| empty.clone().find(|(name, _)| *name == column).map(|(_, reason)| reason);
        for Condition { subject, is_negated, values, name } in &self.conditions {
            let column = match subject {
                Subject::Answer if *values == [Wanted::Mismatch] => MATCH.name,
                Subject::Column(column) if values.contains(&Wanted::Empty) == *is_negated => column.name,
                _ => continue,
            };
            if let Some(reason) = reason_of(column) {
                let mut known = self.known.clone();
                known.retain(|column| reason_of(column.name).is_none());
                return Err(OptionError::new(format!(
                    "no row can meet `{name}`, because {reason}; choose a condition on another column: {}",
                    choices(&known)
                )));
            }
        }
        Ok(())
    }

    /// Returns two filters: the conditions to test on an input row, and the conditions to test on each output row that is made from the
    /// input row.
    pub(crate) fn split(self) -> (Filter, Filter) {
        let is_before = |condition: &Condition| match &condition.subject {
            Subject::Answer | Subject::Input(..) => true,
            Subject::Column(column) => [STATUS.name, MATCH.name].contains(&column.name),
        };
        let (before, after) = self.conditions.into_iter().partition(is_before);
        let filter = |conditions| Filter { conditions, ..Filter::default() };
        (filter(before), filter(after))
    }
}

impl RowFilter for Filter {
    fn keeps(&self, row: &AnsweredRow) -> bool {
        self.conditions.iter().all(|condition| condition.holds(row))
    }
}

impl Condition {
    fn parse(text: &str, columns: &[Column]) -> Result<Condition, OptionError> {
        let Some((name, values)) = text.split_once('=') else { return Condition::parse_answers(text) };
        let (name, is_negated) = match name.strip_suffix('!') {
            Some(name) => (name.trim(), true),
            None => (name.trim(), false),
        };
        let values = values.split(',').map(str::trim);
        let subject = Subject::parse(name, columns)?;
        let values = match &subject {
            Subject::Column(column) => {
                values.map(|value| wanted_of(column, value)).collect::<Result<Vec<_>, _>>()?
            }
            _ => values.map(wanted).collect(),
        };
        let shown: Vec<String> = values.iter().map(Wanted::name).collect();
        let name = format!("{name}{}={}", if is_negated { "!" } else { "" }, shown.join(","));
        Ok(Condition { subject, is_negated, values, name })
    }

    /// Reads a condition in the short form, such as `unique,mismatch`.
    fn parse_answers(text: &str) -> Result<Condition, OptionError> {
        let mut values: Vec<Wanted> = Vec::new();
        for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let value = match status_called(word) {
                Some(status) => Wanted::Status(status),
                None if word == "mismatch" => Wanted::Mismatch,
                None => {
                    return Err(OptionError::new(format!(
                        "`{word}` is not a status; write one of {}, mismatch, or a condition on a column such as clues=17..20",
                        statuses()
                    )));
                }
            };
            if !values.contains(&value) {
                values.push(value);
            }
        }
        if values.is_empty() {
            return Err(OptionError::new(
                "name the statuses of the rows to keep, such as unique,multiple, or a condition, such as clues=17..20",
            ));
        }
        let name = values.iter().map(Wanted::name).collect::<Vec<_>>().join(",");
        Ok(Condition { subject: Subject::Answer, is_negated: false, values, name })
    }

    fn holds(&self, row: &AnsweredRow) -> bool {
        let accepts = |matches: &dyn Fn(&Wanted) -> bool| self.values.iter().any(matches) != self.is_negated;
        match &self.subject {
            Subject::Answer => accepts(&|wanted| match wanted {
                Wanted::Status(status) => row.status() == Some(*status),
                _ => row.is_match() == Some(false),
            }),
            Subject::Column(Column { holds: Holds::Status, .. }) => accepts(&|wanted| match wanted {
                Wanted::Status(status) => row.status() == Some(*status),
                _ => row.status().is_none(),
            }),
            Subject::Column(column) => {
                let value = column.value(row);
                accepts(&|wanted| wanted.accepts(value.as_ref()))
            }
            subject @ Subject::Input(..) => {
                let text = subject.input_text(row);
                accepts(&|wanted| wanted.accepts_text(&text))
            }
        }
    }
}

impl Subject {
    /// Reads the name of a column: a column of the verb, one of the columns that can be named for every verb, or `input.NAME` for a column
    /// of the input.
    ///
    /// # Errors
    /// [`OptionError`] for an unknown column of the verb. Columns of the input are looked for later.
    pub(crate) fn parse(name: &str, columns: &[Column]) -> Result<Subject, OptionError> {
        match name.strip_prefix("input.") {
            Some(name) => Ok(Subject::Input(name.to_owned(), None)),
            None => column_called(name, columns).map(Subject::Column),
        }
    }

    pub(crate) fn needs(&self) -> &'static [Need] {
        match self {
            Subject::Answer => &[Need::Outcome],
            Subject::Column(column) => column.needs,
            Subject::Input(..) => &[],
        }
    }

    /// If the subject names a column of the input, finds this column in `layout`.
    ///
    /// # Errors
    /// [`OptionError`] if the input has no column of that name.
    pub(crate) fn find_input_column(&mut self, layout: &Layout) -> Result<(), OptionError> {
        let Subject::Input(name, column) = self else { return Ok(()) };
        let columns = InputColumns::from_layout(layout);
        let names = columns.names_or_numbers();
        let Some(at) = names.iter().position(|other| other == name.as_bytes()) else {
            let known = names.iter().map(|name| String::from_utf8_lossy(name)).collect::<Vec<_>>();
            let known = known.join(", ");
            return Err(OptionError::new(format!(
                "the input has no column `{name}`; its columns are {known}"
            )));
        };
        *column = Some((Box::new(columns), at));
        Ok(())
    }

    /// Finds the column of the input as [`Subject::find_input_column`] does, and returns the subject.
    ///
    /// # Errors
    /// The same errors as [`Subject::find_input_column`].
    pub(crate) fn found_in(mut self, layout: &Layout) -> Result<Subject, OptionError> {
        self.find_input_column(layout).map(|()| self)
    }

    /// Returns the index of the column among the columns of the input, if the subject is a column of the input and the index is known.
    pub(crate) fn input_number(&self) -> Option<usize> {
        if let Subject::Input(_, Some((_, number))) = self { Some(*number) } else { None }
    }

    /// Returns the subject's value in the row as text; empty if the row has no value.
    pub(crate) fn text<'r>(&self, row: &AnsweredRow<'r>) -> Cow<'r, [u8]> {
        match self {
            Subject::Column(column) => {
                column.value(row).map_or(Cow::default(), |value| value.to_string().into_bytes().into())
            }
            _ => self.input_text(row),
        }
    }

    /// Returns the row's text in the input column of this subject. The text is empty if the row has no value in that column, or if the
    /// subject is not an input column.
    pub(crate) fn input_text<'r>(&self, row: &AnsweredRow<'r>) -> Cow<'r, [u8]> {
        let Subject::Input(_, Some((columns, at))) = self else { return Cow::default() };
        columns.values(row).map_or(Cow::default(), |mut values| values.swap_remove(*at))
    }
}

fn column_called(name: &str, columns: &[Column]) -> Result<Column, OptionError> {
    let known = known_columns(columns);
    known.iter().find(|column| column.name == name).copied().ok_or_else(|| {
        OptionError::new(format!("there is no column `{name}`; choose from {}", choices(&known)))
    })
}

/// Returns the columns of a verb, and the columns that can be named for every verb.
fn known_columns(columns: &[Column]) -> Vec<Column> {
    let is_new = |own: &Column| columns.iter().all(|other| other.name != own.name);
    columns.iter().copied().chain([STATUS, MATCH, CLUES].into_iter().filter(is_new)).collect()
}

/// Lists columns to choose from, for messages.
fn choices(columns: &[Column]) -> String {
    format!("{}, or write input.NAME for a column of the input", columns::names(columns))
}

fn statuses() -> String {
    Status::ALL.map(Status::name).join(", ")
}

fn status_called(name: &str) -> Option<Status> {
    Status::ALL.into_iter().find(|status| status.name() == name)
}

/// Parses a value for a column of the input. The type of such a column is unknown.
fn wanted(text: &str) -> Wanted {
    // An `f64` holds up to 15 digits exactly. A longer text may be a board, and a text with `_` may be a name, so neither is read as a
    // number. A range may be longer, and its numbers may contain `_`.
    let is_number = text.contains("..") || text.len() <= 15 && !text.contains('_');
    match range(text) {
        _ if text.is_empty() => Wanted::Empty,
        Some((low, high)) if is_number => Wanted::Range(low, high),
        _ => Wanted::Text(text.to_owned()),
    }
}

/// Parses a value for a column of the verb.
fn wanted_of(column: &Column, text: &str) -> Result<Wanted, OptionError> {
    let none = |known: &str| {
        OptionError::new(format!(
            "the column `{}` never has the value `{text}`: its values are {known}",
            column.name
        ))
    };
    match column.holds {
        _ if text.is_empty() => Ok(Wanted::Empty),
        Holds::Status => status_called(text).map(Wanted::Status).ok_or_else(|| none(&statuses())),
        Holds::Words(words, _) => match words.contains(&text) {
            true => Ok(Wanted::Text(text.to_owned())),
            false => Err(none(&words.join(", "))),
        },
        Holds::OutcomeNumber(_) | Holds::Number(_) | Holds::Decimal(..) | Holds::Real(_) => {
            let range = range(text).map(|(low, high)| Wanted::Range(low, high));
            range.ok_or_else(|| none("numbers; write a number, or a range such as 17..20"))
        }
        Holds::Solution | Holds::Puzzle(_) | Holds::Note | Holds::Text(_) => {
            Ok(Wanted::Text(text.to_owned()))
        }
    }
}

/// Reads a number, or a range of numbers that may be open on one side.
fn range(text: &str) -> Option<(f64, f64)> {
    let number = |text: &str| text.replace('_', "").parse().ok().filter(|number: &f64| number.is_finite());
    match text.split_once("..") {
        None => number(text).map(|number| (number, number)),
        Some(("", "")) => None,
        Some((low, "")) => Some((number(low)?, f64::INFINITY)),
        Some(("", high)) => Some((f64::NEG_INFINITY, number(high)?)),
        Some((low, high)) => Some((number(low)?, number(high)?)).filter(|(low, high)| low <= high),
    }
}

impl Wanted {
    /// Returns the value as text that can be parsed again.
    fn name(&self) -> String {
        match self {
            Wanted::Status(status) => status.name().to_owned(),
            Wanted::Mismatch => "mismatch".to_owned(),
            Wanted::Empty => String::new(),
            Wanted::Text(text) => text.clone(),
            Wanted::Range(low, high) if low == high => low.to_string(),
            Wanted::Range(low, f64::INFINITY) => format!("{low}.."),
            Wanted::Range(f64::NEG_INFINITY, high) => format!("..{high}"),
            Wanted::Range(low, high) => format!("{low}..{high}"),
        }
    }

    fn accepts(&self, value: Option<&Value>) -> bool {
        let is_within =
            |number: f64| matches!(self, Wanted::Range(low, high) if (*low..=*high).contains(&number));
        match value {
            None => *self == Wanted::Empty,
            Some(Value::Word(word)) => self.accepts_text(word.as_bytes()),
            Some(Value::Text(text)) => self.accepts_text(text.as_bytes()),
            Some(Value::Puzzle(puzzle)) => self.accepts_text(puzzle.to_string().as_bytes()),
            Some(Value::Solution(solution)) => self.accepts_text(solution.to_string().as_bytes()),
            Some(Value::Number(number)) => is_within(*number as f64),
            Some(Value::Decimal { places, units }) => is_within(*units as f64 / scale(*places) as f64),
            Some(Value::Real(number)) => is_within(*number),
        }
    }

    fn accepts_text(&self, text: &[u8]) -> bool {
        match self {
            Wanted::Empty => text.is_empty(),
            Wanted::Text(wanted) => wanted.as_bytes() == text,
            Wanted::Range(low, high) => {
                let number = str::from_utf8(text).ok().and_then(|text| text.trim().parse().ok());
                number.is_some_and(|number: f64| (*low..=*high).contains(&number))
            }
            Wanted::Status(_) | Wanted::Mismatch => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::{CHECK, MINIMALS, RATE};

    fn read(texts: &[&str], columns: &[Column]) -> Result<String, String> {
        Filter::parse(texts, columns)
            .map(|filter| filter.names().join(" "))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn conditions_are_parsed_and_wrong_ones_named() {
        for (texts, columns, names) in [
            (&["multiple, unique,unique"][..], &CHECK[..], "multiple,unique"),
            (&["mismatch,aborted"], &CHECK, "mismatch,aborted"),
            (&["minimal=no", "clues=17..20,30"], &CHECK, "minimal=no clues=17..20,30"),
            (
                &["difficulty=depth2,depth3", "guesses=0.5..", "match!=yes"],
                &RATE,
                "difficulty=depth2,depth3 guesses=0.5.. match!=yes",
            ),
            (
                &["note=", "input.rating=..1_000", "input.a=b=c"],
                &RATE,
                "note= input.rating=..1000 input.a=b=c",
            ),
        ] {
            assert_eq!(read(texts, columns).as_deref(), Ok(names));
        }
        for (text, words) in [
            ("uniq", "`uniq` is not a status; write one of unique,"),
            (",", "name the statuses"),
            ("clue=3", "there is no column `clue`; choose from status, unique, minimal,"),
            ("minimal=maybe", "the column `minimal` never has the value `maybe`: its values are yes, no"),
            ("status=uniq", "the column `status` never has the value `uniq`: its values are unique,"),
            ("clues=many", "the column `clues` never has the value `many`: its values are numbers"),
            ("clues=20..17", "the column `clues` never has the value `20..17`: its values are numbers"),
            ("clues=..", "the column `clues` never has the value `..`: its values are numbers"),
        ] {
            let error = read(&[text], &CHECK).unwrap_err();
            assert!(error.starts_with(words), "{error}");
        }
    }

    #[test]
    fn numbers_of_the_input_compare_as_numbers() {
        let ones = "1".repeat(81);
        let other = format!("{}2", &ones[1..]);
        for (value, text, is_kept) in [
            ("3", "3.0", true),
            ("3.0", " 3", true),
            ("-0.5", "-.50", true),
            ("3", "3.1", false),
            ("3", "three", false),
            ("1_000", "1_000", true),
            ("1_000", "1000", false),
            ("nan", "nan", true),
            (&ones, &ones, true),
            (&ones, &other, false),
        ] {
            assert_eq!(wanted(value).accepts_text(text.as_bytes()), is_kept, "{value} {text}");
        }
    }

    #[test]
    fn conditions_on_expanded_rows_are_separated() {
        let filter = Filter::parse(["unique", "clues=17", "status=unique", "input.id=7"], &MINIMALS).unwrap();
        let (before, after) = filter.split();
        assert_eq!(before.names(), ["unique", "status=unique", "input.id=7"]);
        assert_eq!(after.names(), ["clues=17"]);
    }
}

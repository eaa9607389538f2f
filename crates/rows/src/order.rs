//! Selects and sorts the rows of the output: `--sample`, `--order-by` and `--top`.
//!
//! ```text
//! workers   the rows that --only keeps -> bytes of each row, and its key      (OrderedFormatter)
//! writer    -> sample: the rows with the smallest random numbers              (OrderedSink)
//!           -> sorter: sorts by key; rows with equal keys keep the order of the input
//! end       the first rows of the sorter -> the sink of the format
//! ```
//! Keys are bytes that compare like the values, so the [`Sorter`] knows nothing about columns. However many rows there are, the sorter
//! needs only a limited amount of memory. No row is written before the last row is read, so an interrupted run leaves no output. If
//! `generate` fails at a puzzle, the rows before that puzzle are sorted and left in the partial file.

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use sudobench_sudoku::random::Random;

use crate::Digest;
use crate::answers::AnsweredRow;
use crate::columns::{Column, Holds, MATCH, STATUS, STATUSES, Value};
use crate::facts::Need;
use crate::filter::Subject;
use crate::option_error::OptionError;
use crate::output_rows::{OutputRows, PART_BYTES};
use crate::place::folder_of;
use crate::resume::Answered;
use crate::sink::{
    Completion, Compression, Destination, DestinationError, MemberPlace, OutputPiece, RowFormat,
    RowFormatter, RowSink, WritePart,
};
use crate::sorter::Sorter;
use crate::source::Layout;

/// Number of bytes of rows that are written together.
const PIECE: usize = 1 << 20;

/// Selects the rows to write from the rows that the filter keeps, and sorts the selected rows.
#[derive(Clone, Debug)]
pub struct RowOrder {
    keys: Vec<OrderKey>,
    top: Option<u64>,
    sample: Option<Sample>,
    /// Number of rows that `--sample` and `--top` left out.
    left_out: Arc<AtomicU64>,
}

#[derive(Clone, Debug)]
struct OrderKey {
    name: String,
    subject: Subject,
    is_descending: bool,
}

/// A number of rows that are drawn at random.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The number of rows.
    pub rows: u64,
    /// The seed of the random draw.
    pub seed: u64,
}

impl RowOrder {
    /// Reads a comma-separated list of column names; `-NAME` means descending order. `columns` are the columns of the verb. The same names
    /// are allowed as in [`Filter::parse`](crate::Filter::parse).
    ///
    /// Returns `None` if all rows are written in the order of the input.
    ///
    /// # Errors
    /// [`OptionError`] for an unknown column, and for `top` without an order.
    pub fn parse(
        order_by: Option<&str>,
        top: Option<u64>,
        sample: Option<Sample>,
        columns: &[Column],
    ) -> Result<Option<RowOrder>, OptionError> {
        let mut keys = Vec::new();
        for name in order_by.into_iter().flat_map(|names| names.split(',')).map(str::trim) {
            let (column, is_descending) = match name.strip_prefix('-') {
                Some(column) => (column, true),
                None => (name, false),
            };
            let subject = Subject::parse(column, columns).map_err(|error| error.about("order_by"))?;
            keys.push(OrderKey { name: name.to_owned(), subject, is_descending });
        }
        if top.is_some() && keys.is_empty() {
            let message = "add --order-by, which decides which rows come first; without an order, use --limit to read only the first rows \
            of the input, or --sample to draw rows at random";
            return Err(OptionError::new(message).about("top"));
        }
        let is_set = !keys.is_empty() || sample.is_some();
        Ok(is_set.then(|| RowOrder { keys, top, sample, left_out: Arc::default() }))
    }

    /// Returns a text that identifies the order.
    pub(crate) fn name(&self) -> String {
        let keys: Vec<_> = self.keys.iter().map(|key| key.name.as_str()).collect();
        let by = (!keys.is_empty()).then(|| format!("order-by {}", keys.join(",")));
        let top = self.top.map(|top| format!("top {top}"));
        let sample = self.sample.map(|Sample { rows, seed }| format!("sample {rows} seed {seed}"));
        [sample, by, top].into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    /// Returns the options of this order that leave out rows.
    pub fn options_that_leave_out(&self) -> impl Iterator<Item = &'static str> {
        let options = [self.sample.map(|_| "--sample"), self.top.map(|_| "--top")];
        options.into_iter().flatten()
    }

    pub(crate) fn needs(&self) -> impl Iterator<Item = Need> {
        self.keys.iter().flat_map(|key| key.subject.needs()).copied()
    }

    pub(crate) fn reads_input(&self) -> bool {
        self.keys.iter().any(|key| matches!(key.subject, Subject::Input(..)))
    }

    /// Returns whether rows are ordered by status or match. These values need an answer, which forms of a puzzle do not have.
    pub(crate) fn reads_answers(&self) -> bool {
        let is_answer = |column: &Column| [STATUS.name, MATCH.name].contains(&column.name);
        self.keys.iter().any(|key| matches!(&key.subject, Subject::Column(column) if is_answer(column)))
    }

    /// Finds the columns of the input that the order names.
    ///
    /// # Errors
    /// [`OptionError`] if the input has no column of that name.
    pub(crate) fn find_input_columns(&mut self, layout: &Layout) -> Result<(), OptionError> {
        self.keys.iter_mut().try_for_each(|key| key.subject.find_input_column(layout))
    }

    /// Returns the number of rows that were left out. It is 0 until the output is complete.
    pub(crate) fn left_out(&self) -> u64 {
        self.left_out.load(Ordering::Relaxed)
    }

    fn push_key(&self, row: &AnsweredRow, key: &mut Vec<u8>) {
        self.keys.iter().for_each(|part| part.push(row, key));
    }
}

/// First byte of the sort key of a value that is not missing.
const PRESENT: u8 = 0;
/// Sort key of a missing value. Rows without a value come last, in ascending and in descending order.
const MISSING: u8 = 1;
/// Prefix of the key of a text from the input, if the text is a number.
const NUMBER: u8 = 0;
/// Prefix of the key of a text from the input, if the text is not a number.
const TEXT: u8 = 1;

impl OrderKey {
    fn push(&self, row: &AnsweredRow, key: &mut Vec<u8>) {
        let start = key.len() + 1;
        push_subject(&self.subject, row, key);
        if self.is_descending {
            key[start..].iter_mut().for_each(|byte| *byte = !*byte);
        }
    }
}

/// Returns the stratum of a row, as bytes that order the strata, and as text. A stratum is all rows that have the same value in the column
/// that `subject` names.
pub(crate) fn stratum_of(subject: &Subject, row: &AnsweredRow) -> (Vec<u8>, String) {
    let mut key = Vec::new();
    push_subject(subject, row, &mut key);
    (key, String::from_utf8_lossy(&subject.text(row)).into_owned())
}

/// Appends the row's value of a subject as bytes that compare like the values: numbers by size, values from a fixed list in the order of
/// the list, and a missing value after all others.
fn push_subject(subject: &Subject, row: &AnsweredRow, key: &mut Vec<u8>) {
    let start = key.len();
    key.push(PRESENT);
    let is_present = match subject {
        Subject::Column(column) => column.value(row).map(|value| push_value(column, &value, key)),
        subject => push_text_or_number(&subject.input_text(row), key),
    };
    if is_present.is_none() {
        key.truncate(start);
        key.push(MISSING);
    }
}

/// Appends a value as bytes that compare like the values: numbers by size, values from a fixed list in the order of the list.
fn push_value(column: &Column, value: &Value, key: &mut Vec<u8>) {
    match value {
        Value::Number(number) | Value::Decimal { units: number, .. } => {
            key.extend_from_slice(&number.to_be_bytes())
        }
        Value::Real(number) => push_real(*number, key),
        Value::Word(word) => {
            let words = if let Holds::Words(words, _) = column.holds { words } else { STATUSES };
            let at = words.iter().position(|other| other == word).unwrap_or(words.len());
            key.push(u8::try_from(at).unwrap_or(u8::MAX));
        }
        Value::Text(text) => push_text(text.as_bytes(), key),
        Value::Puzzle(puzzle) => key.extend_from_slice(puzzle.values()),
        Value::Solution(solution) => key.extend_from_slice(solution.values()),
    }
}

/// Appends the key of a text of the input. A text that is a number sorts before all other texts. Returns `None` if the text is empty.
fn push_text_or_number(text: &[u8], key: &mut Vec<u8>) -> Option<()> {
    let text = text.trim_ascii();
    if text.is_empty() {
        return None;
    }
    match str::from_utf8(text).ok().and_then(|text| text.parse().ok()).filter(|number: &f64| !number.is_nan())
    {
        Some(number) => {
            key.push(NUMBER);
            push_real(number, key);
        }
        None => {
            key.push(TEXT);
            push_text(text, key);
        }
    }
    Some(())
}

/// Appends a number as bytes that compare like numbers. All bits of a negative number are inverted; of other numbers, only the sign bit.
fn push_real(number: f64, key: &mut Vec<u8>) {
    // The sum turns -0 into 0, so that both have the same key.
    let bits = (number + 0.0).to_bits();
    let ordered = if bits >> 63 == 0 { bits | 1 << 63 } else { !bits };
    key.extend_from_slice(&ordered.to_be_bytes());
}

/// Appends a text with a terminator that sorts before every byte of a text, so that a text comes before longer texts that start with it.
fn push_text(text: &[u8], key: &mut Vec<u8>) {
    for &byte in text {
        key.push(byte);
        if byte == 0 {
            key.push(1);
        }
    }
    key.extend_from_slice(&[0, 0]);
}

/// A format whose rows are selected and sorted before they are written in the format `format`.
pub(crate) struct OrderedFormat {
    pub(crate) format: Box<dyn RowFormat>,
    pub(crate) order: RowOrder,
    /// The compression of the output. Workers compress only the field `text` of a piece, but the rows to sort are in the field `content`.
    /// So [`OrderedSink`] compresses the sorted rows itself.
    pub(crate) compression: Compression,
}

impl RowFormat for OrderedFormat {
    fn check(&self) -> Result<(), OptionError> {
        self.format.check()
    }

    fn header(&self) -> &[u8] {
        self.format.header()
    }

    fn member_place(&self, name: &str) -> MemberPlace {
        self.format.member_place(name)
    }

    fn formatter(&self) -> io::Result<Box<dyn RowFormatter>> {
        Ok(Box::new(OrderedFormatter { formatter: self.format.formatter()?, order: self.order.clone() }))
    }

    fn open<'w>(
        &self,
        destination: Destination<'w>,
        footer: Option<&str>,
    ) -> Result<Box<dyn RowSink + 'w>, DestinationError> {
        // If the output is a file, the temporary files are in its folder, because this folder needs room for rows anyway.
        let partial = destination.partial();
        let folder = partial.map_or_else(std::env::temp_dir, |partial| folder_of(&partial).to_owned());
        let RowOrder { top, sample, .. } = self.order;
        Ok(Box::new(OrderedSink {
            sink: self.format.open(destination, footer)?,
            sample: sample.map(|sample| (sample, Sorter::new(Some(sample.rows), folder.clone()))),
            sorter: Sorter::new(top, folder.clone()),
            rows: 0,
            written: 0,
            is_settled: false,
            order: self.order.clone(),
            compression: self.compression,
            folder,
        }))
    }
}

/// The rows of a block or of a part of a block, each with its key. [`OrderedFormatter`] stores them as the content of its pieces.
#[derive(Default)]
struct KeyedRows {
    bytes: Vec<u8>,
    /// For each row, the end of its key and the end of its text in `bytes`.
    ends: Vec<(usize, usize)>,
}

struct OrderedFormatter {
    formatter: Box<dyn RowFormatter>,
    order: RowOrder,
}

impl RowFormatter for OrderedFormatter {
    fn format(&mut self, rows: OutputRows, piece: &mut OutputPiece, write_part: WritePart<'_>) {
        let mut keyed = KeyedRows::default();
        self.formatter.format_each(rows, &mut |row, text| {
            self.order.push_key(row, &mut keyed.bytes);
            let end = keyed.bytes.len();
            keyed.bytes.extend_from_slice(text);
            keyed.ends.push((end, keyed.bytes.len()));
            if keyed.bytes.len() >= PART_BYTES {
                piece.content = Some(Box::new(std::mem::take(&mut keyed)));
                write_part(piece);
            }
        });
        piece.content = Some(Box::new(keyed));
    }

    fn format_each(&mut self, rows: OutputRows, put: &mut dyn FnMut(&AnsweredRow, &[u8])) {
        self.formatter.format_each(rows, put);
    }
}

/// Keeps the rows until the end of the run, and then writes them in order. Rows that `--sample` or `--top` leaves out may be dropped
/// earlier.
struct OrderedSink<'w> {
    sink: Box<dyn RowSink + 'w>,
    /// The sample, with a sorter that draws it: the sorter sorts rows by random numbers and keeps the first ones. The bytes of a row in
    /// this sorter are the length of the row's key, the key, and the text of the row. The other field, `sorter`, later sorts by this key.
    sample: Option<(Sample, Sorter)>,
    sorter: Sorter,
    /// Number of rows received so far.
    rows: u64,
    written: u64,
    /// Whether all selected rows were written.
    is_settled: bool,
    order: RowOrder,
    compression: Compression,
    folder: PathBuf,
}

impl OrderedSink<'_> {
    fn fault(&self, source: io::Error) -> DestinationError {
        let name =
            format!("a temporary file in {}, which holds rows until they are sorted", self.folder.display());
        DestinationError::Io { name, source }
    }

    fn push(&mut self, key: &mut Vec<u8>, row: &[u8]) -> io::Result<()> {
        let number = self.rows;
        self.rows += 1;
        // The number of the row is the last part of its key, so that rows with equal values keep their order.
        key.extend_from_slice(&number.to_be_bytes());
        let Some((Sample { seed, .. }, sample)) = &mut self.sample else { return self.sorter.push(key, row) };
        let drawn = Random::from_stream(*seed, number).next_u64().to_be_bytes();
        let length = u32::try_from(key.len()).map_err(io::Error::other)?.to_le_bytes();
        sample.push(&[drawn, number.to_be_bytes()].concat(), &[&length, &key[..], row].concat())
    }

    /// Passes the drawn rows to the sorter.
    fn end_sample(&mut self) -> io::Result<()> {
        let Some((_, mut sample)) = self.sample.take() else { return Ok(()) };
        sample.for_each(|_, keyed| {
            if let Some((length, keyed)) = keyed.split_first_chunk() {
                let (key, row) = keyed.split_at(u32::from_le_bytes(*length) as usize);
                self.sorter.push(key, row)?;
            }
            Ok(ControlFlow::Continue(()))
        })
    }
}

impl RowSink for OrderedSink<'_> {
    fn write_if_empty(&mut self, text: &[u8]) -> Result<(), DestinationError> {
        self.sink.write_if_empty(text)
    }

    fn write(&mut self, piece: &mut OutputPiece) -> Result<(), DestinationError> {
        let content = piece.content.take().map(|content| content.downcast::<KeyedRows>());
        let Some(Ok(keyed)) = content else { return Ok(()) };
        let KeyedRows { bytes, ends } = *keyed;
        let (mut key, mut start) = (Vec::new(), 0);
        for (key_end, end) in ends {
            key.clear();
            key.extend_from_slice(&bytes[start..key_end]);
            self.push(&mut key, &bytes[key_end..end]).map_err(|error| self.fault(error))?;
            start = end;
        }
        Ok(())
    }

    fn settle(&mut self, cancel: &AtomicBool) -> Result<(), DestinationError> {
        self.end_sample().map_err(|error| self.fault(error))?;
        let mut sorter = std::mem::replace(&mut self.sorter, Sorter::new(Some(0), PathBuf::new()));
        let mut rows = Vec::new();
        let mut failed = None;
        let sorted = sorter.for_each(|_, row| {
            rows.extend_from_slice(row);
            self.written += 1;
            if rows.len() >= PIECE {
                failed = self.write_rows(&mut rows).err();
            }
            let goes_on = failed.is_none() && !cancel.load(Ordering::SeqCst);
            Ok(if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        });
        sorted.map_err(|error| self.fault(error))?;
        if let Some(error) = failed {
            return Err(error);
        }
        self.write_rows(&mut rows)?;
        self.order.left_out.store(self.rows - self.written, Ordering::Relaxed);
        self.is_settled = !cancel.load(Ordering::SeqCst);
        Ok(())
    }

    /// Returns false, because no row is written before the end of the run.
    fn is_resumable(&self) -> bool {
        false
    }

    fn is_due(&self) -> bool {
        false
    }

    fn checkpoint(&mut self, _answered: Answered) -> Result<(), DestinationError> {
        Ok(())
    }

    fn finish(self: Box<Self>, completion: Completion) -> Result<(), DestinationError> {
        self.sink.finish(completion)
    }

    /// Keeps the partial file if it has all selected rows, and at least one row was selected. Otherwise removes the partial file.
    fn leave(self: Box<Self>, answered: Answered) -> Result<Option<PathBuf>, DestinationError> {
        if self.is_settled && self.written > 0 {
            return self.sink.leave(answered);
        }
        self.sink.discard();
        Ok(None)
    }

    fn discard(self: Box<Self>) {
        self.sink.discard();
    }
}

impl OrderedSink<'_> {
    fn write_rows(&mut self, rows: &mut Vec<u8>) -> Result<(), DestinationError> {
        if rows.is_empty() {
            return Ok(());
        }
        let mut text = std::mem::take(rows);
        self.compression.compress(&mut text).map_err(|error| self.fault(error))?;
        self.sink.write(&mut OutputPiece { digest: Digest::from_bytes(&text), text, content: None })
    }
}

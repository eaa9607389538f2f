//! The destination of the rows of a run.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

use crate::answers::AnsweredBlock;
use crate::option_error::OptionError;
use crate::sink::{Compression, Existing, OutputFormat, Promise, Target};
use crate::source::Layout;

/// A destination of answered rows.
pub struct Sink<'s> {
    pub(super) to: To<'s>,
    /// The requested format; `None` if no format is requested: see [`Sink::format()`].
    format: Option<OutputFormat>,
    pub(super) sync: bool,
    /// Whether the text of rows is needed. False only for a function that reads no text: see [`Sink::puzzles`].
    pub(super) has_texts: bool,
}

pub(super) enum To<'s> {
    Target(Target, Existing),
    Writer(Box<dyn Write + Send + 's>),
    Blocks(BlockCall<'s>),
}

pub(super) type BlockCall<'s> = Box<dyn FnMut(&AnsweredBlock) -> ControlFlow<()> + Send + 's>;

impl<'s> Sink<'s> {
    /// Writes to the file at `path`. Until the file is complete, its name is `FILE.partial`. The extension of `path` sets the format and
    /// the compression: see [`Promise`]. If the file exists already, the run fails and does not change it: see [`Sink::target`]. A pipe or
    /// a device is written to directly.
    pub fn file(path: impl Into<PathBuf>) -> Sink<'s> {
        Sink::target(Target::File(path.into()), Existing::Refuse)
    }

    /// Writes to a file or to standard output. `existing` says what to do if the file exists.
    pub fn target(target: Target, existing: Existing) -> Sink<'s> {
        Sink::new(To::Target(target, existing))
    }

    /// Writes to a writer, which gets complete rows.
    pub fn writer(writer: impl Write + Send + 's) -> Sink<'s> {
        Sink::new(To::Writer(Box::new(writer)))
    }

    /// Calls a function with each block of answered rows, in order, on any thread. The function returns `Break` if it needs no more blocks.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use sudobench_rows::{Run, Sink};
    /// use sudobench_rows::source::{Options, Source};
    ///
    /// let lines = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\nno puzzle\n";
    /// let mut statuses = Vec::new();
    /// Run::over(Source::from_reader("my rows", lines.as_bytes(), Options::default())?).to(Sink::blocks(|block| {
    ///     statuses.extend(block.rows().map(|row| row.status()));
    ///     ControlFlow::Continue(())
    /// }))?;
    /// use sudobench_sudoku::Status;
    /// assert_eq!(statuses, [Some(Status::Unique), Some(Status::Malformed)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn blocks(call: impl FnMut(&AnsweredBlock) -> ControlFlow<()> + Send + 's) -> Sink<'s> {
        Sink::new(To::Blocks(Box::new(call)))
    }

    /// Like [`Sink::blocks`], for functions that read only puzzles. Rows of a table then have no text, unless a filter or another option of
    /// the run reads the text.
    pub fn puzzles(call: impl FnMut(&AnsweredBlock) -> ControlFlow<()> + Send + 's) -> Sink<'s> {
        Sink { has_texts: false, ..Sink::blocks(call) }
    }

    pub(super) fn new(to: To<'s>) -> Sink<'s> {
        Sink { to, format: None, sync: true, has_texts: true }
    }

    /// Sets the format of the rows. If no format is set, the extension of the file decides. If the extension belongs to no format, or if
    /// the output is not a file, the format is CSV. This method has no effect on [`Sink::blocks`].
    #[must_use]
    pub fn format(self, format: OutputFormat) -> Sink<'s> {
        Sink { format: Some(format), ..self }
    }

    /// Sets whether the run waits at its end until the file is on the disk, so that a power failure can't lose it. The default is true.
    #[must_use]
    pub fn sync(self, sync: bool) -> Sink<'s> {
        Sink { sync, ..self }
    }

    /// Returns whether rows are written instead of passed to a function.
    pub(super) fn has_format(&self) -> bool {
        !matches!(self.to, To::Blocks(_))
    }

    /// Returns the format and the compression for rows of `layout`.
    pub(super) fn promised(&self, layout: &Layout) -> Result<(OutputFormat, Compression), OptionError> {
        let To::Target(Target::File(path), _) = &self.to else {
            return Ok((self.format.unwrap_or_default(), Compression::None));
        };
        let promise = Promise::from_path(path)?;
        let format = promise.format(path, self.format)?;
        let delimiter = layout.csv().map_or(b',', |csv| csv.delimiter);
        promise.check_delimiter(path, format, delimiter)?;
        Ok((format, promise.compression))
    }
}

//! The puzzles of a measurement.

use std::num::NonZeroUsize;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use sudobench_rows::source::{Input, Options, ParsedBlock, Source, SourceError};
use sudobench_rows::{draw_key, hexadecimal};
use sudobench_sudoku::isomorph::Transformation;
use sudobench_sudoku::puzzle::Puzzle;
use sudobench_sudoku::random::Random;
use sudobench_sudoku::simd::{Level, LevelError};

use super::fingerprint::Specimens;
use super::forms::Forms;
use crate::record::{DatasetRecord, PuzzleName};

/// The puzzles of one input (a file, standard input or a list in memory) in the order in which they are measured.
#[derive(Clone, Debug)]
pub struct Dataset {
    record: DatasetRecord,
    puzzles: Vec<Puzzle>,
    /// The number of each puzzle in the file, from 1. Rows without a valid puzzle have no number.
    numbers: Vec<u64>,
    /// Line of each puzzle in the file.
    lines: Vec<u64>,
    /// How the forms were made, if `puzzles` are random equivalent forms of the file's puzzles.
    forms: Option<Forms>,
    specimens: Specimens,
}

/// A dataset in a message to another process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct StoredDataset {
    record: DatasetRecord,
    /// The puzzles in the order in which they are measured, 81 characters each.
    puzzles: String,
    numbers: Vec<u64>,
    lines: Vec<u64>,
}

/// A reason why a dataset cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DatasetError {
    /// The file cannot be read, or is not a file of puzzles.
    #[error(transparent)]
    Source(SourceError),
    /// The file may need an option that this command doesn't have.
    #[error("{0}; `sudobench convert` has that option, but this command does not: convert the file first")]
    NotDetected(SourceError),
    /// No row of the input holds a puzzle.
    #[error("{0} has no puzzle: see `sudobench solve --help` for the formats")]
    Empty(String),
    /// There are more than ten million forms, which together with their measurements may not fit into memory.
    #[error(
        "{puzzles} puzzles of {dataset} in {isomorphs} forms each are more than {MOST_FORMS} forms: use fewer puzzles with --sample, or \
         fewer forms with --isomorphs"
    )]
    TooManyForms {
        /// The dataset's name.
        dataset: String,
        /// Number of puzzles of the dataset.
        puzzles: usize,
        /// The requested number of forms for each puzzle.
        isomorphs: usize,
    },
}

impl From<SourceError> for DatasetError {
    fn from(error: SourceError) -> DatasetError {
        match error {
            SourceError::NoLineEnd { .. }
            | SourceError::UnknownFormat { .. }
            | SourceError::NoneWhole { .. }
            | SourceError::NoPuzzleColumn { .. } => DatasetError::NotDetected(error),
            error => DatasetError::Source(error),
        }
    }
}

/// Maximum number of forms in a dataset with several forms of each puzzle. This number of forms takes about a gigabyte of memory.
const MOST_FORMS: usize = 10_000_000;

impl Dataset {
    /// Loads the puzzles of a file or of standard input, puts them into a random order that depends on `seed`, and keeps the first `sample`
    /// puzzles. With the same seed, a smaller sample is the beginning of a larger one.
    ///
    /// # Errors
    /// [`DatasetError`] if the input cannot be read or holds no puzzle.
    pub fn load(input: &Input, seed: u64, sample: Option<u64>) -> Result<Dataset, DatasetError> {
        let (record, puzzles, lines) = read(input)?;
        let order = permutation(puzzles.len(), seed);
        Ok(Dataset::ordered(record, &puzzles, &lines, order, sample))
    }

    /// Loads the puzzles of a file or of standard input in the order of the file.
    ///
    /// # Errors
    ///
    /// The errors of [`Dataset::load`].
    pub fn load_in_order(input: &Input) -> Result<Dataset, DatasetError> {
        let (record, puzzles, lines) = read(input)?;
        let order = (0..puzzles.len()).collect();
        Ok(Dataset::ordered(record, &puzzles, &lines, order, None))
    }

    /// Makes a dataset of puzzles in memory, in a random order that depends on `seed`. Its digest is the digest of a file with one puzzle
    /// per line.
    ///
    /// # Errors
    ///
    /// [`DatasetError::Empty`] if there are no puzzles.
    pub fn from_puzzles(name: &str, puzzles: Vec<Puzzle>, seed: u64) -> Result<Dataset, DatasetError> {
        if puzzles.is_empty() {
            return Err(DatasetError::Empty(name.to_owned()));
        }
        let mut digest = Sha256::new();
        puzzles.iter().for_each(|puzzle| digest.update(format!("{puzzle}\n")));
        let record = record_of(name, name, hexadecimal(&digest.finalize()), puzzles.len());
        let lines: Vec<u64> = (1..=record.puzzles).collect();
        let order = permutation(puzzles.len(), seed);
        Ok(Dataset::ordered(record, &puzzles, &lines, order, None))
    }

    /// Makes a dataset of the puzzles of a file. `order` lists the indexes of the puzzles, in the order in which they are measured. Keeps
    /// the first `sample` puzzles.
    fn ordered(
        record: DatasetRecord,
        puzzles: &[Puzzle],
        lines: &[u64],
        mut order: Vec<usize>,
        sample: Option<u64>,
    ) -> Dataset {
        let specimens = Specimens::new(puzzles, &order);
        order.truncate(sample.map_or(usize::MAX, |sample| usize::try_from(sample).unwrap_or(usize::MAX)));
        let numbers = order.iter().map(|&index| index as u64 + 1).collect();
        let puzzles = order.iter().map(|&index| puzzles[index]).collect();
        let lines = order.iter().map(|&index| lines[index]).collect();
        Dataset { record, puzzles, numbers, lines, forms: None, specimens }
    }

    /// Returns whether a file holds a puzzle. Reads no further than the block with the first puzzle.
    ///
    /// # Errors
    ///
    /// [`DatasetError`] if the file can't be read.
    pub fn holds_any(input: &Input) -> Result<bool, DatasetError> {
        let mut source = match Source::open(std::slice::from_ref(input), Options::default()) {
            Err(SourceError::Empty { .. }) => return Ok(false),
            opened => opened?,
        };
        source.set_texts(false);
        let layout = Arc::clone(source.layout());
        let (mut rows, mut buffer) = (ParsedBlock::default(), Vec::new());
        while let Some(mut block) = source.next_block(buffer)? {
            layout.parse(&mut block, &mut rows);
            if !rows.puzzles.is_empty() {
                return Ok(true);
            }
            buffer = block.bytes;
        }
        Ok(false)
    }

    /// Sets the name that tables show.
    #[must_use]
    pub fn named(mut self, name: &str) -> Dataset {
        name.clone_into(&mut self.record.name);
        self
    }

    /// Replaces each puzzle by `isomorphs` random equivalent forms. The forms of a puzzle follow each other. The forms depend only on the
    /// seed and the puzzle; `sudobench transform --random` writes the same forms.
    ///
    /// # Errors
    ///
    /// [`DatasetError::TooManyForms`] if several forms of each puzzle would make more than ten million forms.
    pub fn into_forms(self, isomorphs: NonZeroUsize, seed: u64) -> Result<Dataset, DatasetError> {
        let (puzzles, isomorphs) = (self.puzzles.len(), isomorphs.get());
        // With one form for each puzzle, the number of puzzles does not change, so the limit does not apply.
        if isomorphs > 1 && puzzles.saturating_mul(isomorphs) > MOST_FORMS {
            let dataset = self.record.name;
            return Err(DatasetError::TooManyForms { dataset, puzzles, isomorphs });
        }
        let forms = Forms::new(&self.puzzles, isomorphs, seed);
        let puzzles = (self.puzzles.iter().enumerate())
            .flat_map(|(at, puzzle)| forms.of_puzzle(at).map(|transformation| transformation.apply(puzzle)))
            .collect();
        Ok(Dataset { puzzles, forms: Some(forms), ..self })
    }

    /// Makes one equivalent form of each of the first `puzzles` puzzles: the form with this `number` (from 1) among the forms that
    /// `sudobench transform --random` writes.
    pub(super) fn forms(&self, number: usize, puzzles: usize, seed: u64) -> Vec<Puzzle> {
        let number = (number - 1) as u64;
        let form = |puzzle: &Puzzle| Transformation::draw(seed, draw_key(puzzle), number).apply(puzzle);
        self.puzzles[..puzzles].iter().map(form).collect()
    }

    /// Computes the [fingerprint](crate::record::Fingerprint) of the file, which describes how hard its puzzles are, and stores it in the
    /// record.
    ///
    /// # Errors
    /// [`LevelError`] if the CPU does not support the SIMD level.
    pub fn take_fingerprint(&mut self, level: Level) -> Result<(), LevelError> {
        self.record.fingerprint = Some(self.specimens.fingerprint(level)?);
        Ok(())
    }

    /// Returns the dataset for a message to another process. Must not be called after [`Dataset::into_forms`].
    pub(super) fn stored(&self) -> StoredDataset {
        let puzzles = self.puzzles.iter().map(ToString::to_string).collect();
        StoredDataset {
            record: self.record.clone(),
            puzzles,
            numbers: self.numbers.clone(),
            lines: self.lines.clone(),
        }
    }

    /// Reads a dataset from a message that [`Dataset::stored`] made.
    ///
    /// # Errors
    ///
    /// The reason as text, if a puzzle is not valid, there are no puzzles, or the lists of puzzles, puzzle numbers and line numbers differ
    /// in length.
    pub(super) fn from_stored(stored: &StoredDataset) -> Result<Dataset, String> {
        let StoredDataset { record, puzzles, numbers, lines } = stored;
        let puzzles = puzzles_of_text(puzzles)?;
        if puzzles.len() != numbers.len() || puzzles.len() != lines.len() || puzzles.is_empty() {
            return Err(format!(
                "{} has {} puzzles, {} puzzle numbers and {} line numbers: these counts must be equal and not 0",
                record.name,
                puzzles.len(),
                numbers.len(),
                lines.len()
            ));
        }
        // The fingerprint is computed only by the process that sent `stored`, so this process needs no specimens (puzzles for the
        // fingerprint).
        let specimens = Specimens::new(&puzzles, &[]);
        let (record, numbers, lines) = (record.clone(), numbers.clone(), lines.clone());
        Ok(Dataset { record, puzzles, numbers, lines, forms: None, specimens })
    }

    /// Keeps only the puzzles with these indexes. Must not be called after [`Dataset::into_forms`].
    pub(crate) fn keep(&mut self, kept: &[usize]) {
        self.puzzles = kept.iter().map(|&index| self.puzzles[index]).collect();
        self.numbers = kept.iter().map(|&index| self.numbers[index]).collect();
        self.lines = kept.iter().map(|&index| self.lines[index]).collect();
    }

    /// Returns the puzzles in the order in which they are measured.
    pub fn puzzles(&self) -> &[Puzzle] {
        &self.puzzles
    }

    /// Returns the number that the puzzle at `index` has in the file. The numbers start at 1, and rows without a valid puzzle have none.
    pub fn number(&self, index: usize) -> u64 {
        let puzzle = index / self.isomorphs().unwrap_or(1);
        self.numbers.get(puzzle).copied().unwrap_or_default()
    }

    /// Returns the line of the file that has the puzzle at `index`, as a number from 1. If the file has no lines, returns the number of the
    /// row.
    pub fn line(&self, index: usize) -> u64 {
        let puzzle = index / self.isomorphs().unwrap_or(1);
        self.lines.get(puzzle).copied().unwrap_or_default()
    }

    /// Returns the number and the form of the puzzle at `index`.
    pub fn puzzle_name(&self, index: usize) -> PuzzleName {
        let form = self.isomorphs().map(|isomorphs| (index % isomorphs) as u64 + 1);
        PuzzleName { number: self.number(index), form }
    }

    /// Returns the number of forms of each puzzle, or `None` if the puzzles were not replaced by forms.
    pub fn isomorphs(&self) -> Option<usize> {
        self.forms.as_ref().map(|forms| forms.isomorphs)
    }

    /// Returns the forms of each puzzle, if there are several.
    pub(super) fn several_forms(&self) -> Option<&Forms> {
        self.forms.as_ref().filter(|forms| forms.isomorphs > 1)
    }

    /// Returns the name that tables show.
    pub fn name(&self) -> &str {
        &self.record.name
    }

    pub(crate) fn record_mut(&mut self) -> &mut DatasetRecord {
        &mut self.record
    }

    /// Returns the description of the dataset for records.
    pub fn record(&self) -> &DatasetRecord {
        &self.record
    }

    #[cfg(test)]
    pub(crate) fn in_order(name: &str, puzzles: Vec<Puzzle>) -> Dataset {
        let record = record_of(name, name, "0".repeat(64), puzzles.len());
        let (lines, order): (Vec<u64>, _) = ((1..=record.puzzles).collect(), (0..puzzles.len()).collect());
        Dataset::ordered(record, &puzzles, &lines, order, None)
    }
}

fn permutation(puzzles: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..puzzles).collect();
    Random::new(seed).shuffle(&mut order);
    order
}

/// Returns the description of a dataset. Counts and times that are not known yet are 0 or `None`.
fn record_of(name: &str, path: &str, sha256: String, puzzles: usize) -> DatasetRecord {
    DatasetRecord {
        name: name.to_owned(),
        path: path.to_owned(),
        sha256,
        puzzles: puzzles as u64,
        malformed: 0,
        unsolvable: 0,
        beyond_problem: 0,
        reference_ns: None,
        fingerprint: None,
    }
}

fn puzzles_of_text(text: &str) -> Result<Vec<Puzzle>, String> {
    let characters = text.as_bytes().chunks(81);
    let puzzle = |characters: &[u8]| {
        let text = std::str::from_utf8(characters).map_err(|error| error.to_string())?;
        text.parse::<Puzzle>().map_err(|error| error.to_string())
    };
    characters.map(puzzle).collect()
}

/// Returns the record of an input, its puzzles in the order of the input, and the line number of each puzzle.
fn read(input: &Input) -> Result<(DatasetRecord, Vec<Puzzle>, Vec<u64>), DatasetError> {
    let (name, path) = names_of(input);
    let options = Options { hash: true, ..Options::default() };
    let mut source = Source::open(std::slice::from_ref(input), options)?;
    source.set_texts(false);
    let layout = Arc::clone(source.layout());
    let (mut puzzles, mut lines, mut malformed) = (Vec::new(), Vec::new(), 0);
    let (mut rows, mut buffer) = (ParsedBlock::default(), Vec::new());
    while let Some(mut block) = source.next_block(buffer)? {
        layout.parse(&mut block, &mut rows);
        puzzles.extend_from_slice(&rows.puzzles);
        lines.extend(rows.rows.iter().filter(|row| row.fault.is_none()).map(|row| row.line));
        malformed += (rows.rows.len() - rows.puzzles.len()) as u64;
        buffer = block.bytes;
    }
    if puzzles.is_empty() {
        return Err(DatasetError::Empty(input.to_string()));
    }
    let sha256 = source.inputs_read().into_iter().find_map(|read| read.sha256).unwrap_or_default();
    let record = DatasetRecord { malformed, ..record_of(&name, &path, sha256, puzzles.len()) };
    Ok((record, puzzles, lines))
}

/// Returns two texts for an input: the name that tables show, and the argument as it was typed.
fn names_of(input: &Input) -> (String, String) {
    match input {
        Input::Stdin => (input.to_string(), "-".to_owned()),
        Input::Puzzles(_) | Input::Reader(_) => (input.to_string(), input.to_string()),
        Input::File(path) => {
            let typed = path.display().to_string();
            let name = path.file_name().map_or(typed.clone(), |name| name.to_string_lossy().into_owned());
            (name, typed)
        }
    }
}

/// If several datasets have the same file name, uses their paths as names.
pub fn disambiguate(datasets: &mut [Dataset]) {
    let names: Vec<String> = datasets.iter().map(|dataset| dataset.record.name.clone()).collect();
    for dataset in datasets {
        if names.iter().filter(|name| **name == dataset.record.name).count() > 1 {
            dataset.record.name.clone_from(&dataset.record.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::PUZZLE;
    use super::*;
    use std::io::Write as _;

    fn file(text: &str) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file
    }

    fn load(path: &std::path::Path, seed: u64, sample: Option<u64>) -> Result<Dataset, DatasetError> {
        Dataset::load(&Input::File(path.to_owned()), seed, sample)
    }

    /// Ten puzzles that differ in the cell of their only clue.
    fn ten() -> String {
        (0..10).map(|cell| format!("{}1{}\n", ".".repeat(cell), ".".repeat(80 - cell))).collect()
    }

    #[test]
    fn a_smaller_sample_is_the_beginning_of_a_larger_one() {
        let file = file(&ten());
        let of = |seed, sample| load(file.path(), seed, sample).unwrap();
        let (whole, five) = (of(1, None), of(1, Some(5)));
        assert_eq!((whole.puzzles().len(), five.puzzles()), (10, &whole.puzzles()[..5]));
        assert_eq!(five.record().puzzles, 10);
        assert_ne!(of(2, None).puzzles(), whole.puzzles());
        for (index, puzzle) in whole.puzzles().iter().enumerate() {
            let clue = puzzle.values().iter().position(|&value| value == 1).unwrap() as u64;
            assert_eq!(whole.number(index), clue + 1, "numbers follow their puzzles");
        }
    }

    #[test]
    fn a_file_can_be_loaded_in_order() {
        let file = file(&ten());
        let ordered = Dataset::load_in_order(&Input::File(file.path().to_owned())).unwrap();
        assert_eq!(ordered.record(), load(file.path(), 1, None).unwrap().record());
        for (index, puzzle) in ordered.puzzles().iter().enumerate() {
            assert_eq!((puzzle.values()[index], ordered.number(index)), (1, index as u64 + 1));
        }
    }

    #[test]
    fn forms_replace_their_puzzle() {
        let file = file(&ten());
        let of = |sample, isomorphs| {
            let isomorphs = NonZeroUsize::new(isomorphs).unwrap();
            load(file.path(), 1, sample).unwrap().into_forms(isomorphs, 1).unwrap()
        };
        let (two, all) = (of(Some(2), 3), of(None, 3));
        assert_eq!((two.puzzles().len(), two.puzzles()), (6, &all.puzzles()[..6]));
        assert_eq!(of(None, 1).puzzles()[1], all.puzzles()[3], "a single form is the first of several forms");
        let plain = load(file.path(), 1, None).unwrap();
        for (at, form) in all.puzzles().iter().enumerate() {
            let name = all.puzzle_name(at);
            assert_eq!((name.number, name.form), (plain.number(at / 3), Some(at as u64 % 3 + 1)));
            assert_eq!((form.clue_count(), plain.puzzle_name(at).form), (1, None));
        }
        assert_eq!(all.record(), plain.record());
    }

    #[test]
    fn too_many_forms_are_refused() {
        let ten = load(file(&ten()).path(), 1, None).unwrap();
        let refused = ten.into_forms(NonZeroUsize::MAX, 1).unwrap_err().to_string();
        assert!(
            refused.starts_with("10 puzzles of ") && refused.ends_with("or fewer forms with --isomorphs"),
            "{refused}"
        );
    }

    #[test]
    fn malformed_rows_are_counted_and_an_empty_file_is_an_error() {
        let malformed = load(file(&format!("# note\n{PUZZLE}\nno puzzle\n")).path(), 1, None).unwrap();
        assert_eq!((malformed.record().puzzles, malformed.record().malformed), (1, 1));
        assert!(load(file("\n").path(), 1, None).is_err());
        let missing = load("no-such-file".as_ref(), 1, None).unwrap_err();
        assert!(missing.to_string().starts_with("cannot open no-such-file"), "{missing}");
    }

    #[test]
    fn files_with_the_same_name_are_named_by_their_paths() {
        let mut datasets = ["a/x.txt", "b/x.txt", "y.txt"].map(|path| {
            let mut dataset = Dataset::in_order(path.rsplit('/').next().unwrap(), vec![Puzzle::EMPTY]);
            dataset.record.path = path.to_owned();
            dataset
        });
        disambiguate(&mut datasets);
        assert_eq!(datasets.each_ref().map(Dataset::name), ["a/x.txt", "b/x.txt", "y.txt"]);
    }
}

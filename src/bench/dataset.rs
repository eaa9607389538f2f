//! Puzzles to measure with: loaded once, permuted by the seed.

use std::sync::Arc;

use sudobench_batch::source::{Input, Options, ParsedBlock, Source, SourceError};
use sudobench_sudoku::puzzle::Puzzle;
use sudobench_sudoku::random::Random;

use crate::record::DatasetRecord;

/// The puzzles of one file in the order in which they are measured.
#[derive(Clone, Debug)]
pub struct Dataset {
    record: DatasetRecord,
    puzzles: Vec<Puzzle>,
    /// The number of each puzzle among those of the file, from 1.
    numbers: Vec<u64>,
}

/// Why a dataset cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DatasetError {
    /// The file cannot be read, or is not made of puzzles.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// No row of it holds a puzzle.
    #[error("{0} holds no puzzle: see `sudobench solve --help` for the formats")]
    Empty(String),
}

impl Dataset {
    /// Loads the puzzles of a file or of standard input, permutes them by `seed` and keeps the first `sample`. With
    /// the same seed, a smaller sample is the beginning of a larger one.
    ///
    /// # Errors
    /// [`DatasetError`] where the input cannot be read or holds no puzzle.
    pub fn load(input: &Input, seed: u64, sample: Option<u64>) -> Result<Dataset, DatasetError> {
        let (record, puzzles) = read(input)?;
        Ok(Dataset::permuted(record, puzzles, seed, sample))
    }

    /// Loads the puzzles of a file or of standard input in its order, for who holds something against them row by row.
    ///
    /// # Errors
    /// As [`Dataset::load`].
    pub fn load_in_order(input: &Input) -> Result<Dataset, DatasetError> {
        let (record, puzzles) = read(input)?;
        let numbers = (1..=record.puzzles).collect();
        Ok(Dataset { record, puzzles, numbers })
    }

    fn permuted(record: DatasetRecord, puzzles: Vec<Puzzle>, seed: u64, sample: Option<u64>) -> Dataset {
        let mut order: Vec<usize> = (0..puzzles.len()).collect();
        Random::new(seed).shuffle(&mut order);
        order.truncate(sample.map_or(usize::MAX, |sample| usize::try_from(sample).unwrap_or(usize::MAX)));
        let numbers = order.iter().map(|&index| index as u64 + 1).collect();
        Dataset { record, puzzles: order.iter().map(|&index| puzzles[index]).collect(), numbers }
    }

    /// Whether any row of a file holds a puzzle; it is read no further than the first.
    ///
    /// # Errors
    /// [`DatasetError`] where it cannot be read.
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

    /// Keeps the puzzles, by their index, for which `is_solvable` is true, and counts the others in the record.
    pub fn keep_solvable(&mut self, is_solvable: impl Fn(usize) -> bool) {
        let kept: Vec<usize> = (0..self.puzzles.len()).filter(|&index| is_solvable(index)).collect();
        self.record.unsolvable = (self.puzzles.len() - kept.len()) as u64;
        self.puzzles = kept.iter().map(|&index| self.puzzles[index]).collect();
        self.numbers = kept.iter().map(|&index| self.numbers[index]).collect();
    }

    /// The puzzles in the order in which they are measured.
    pub fn puzzles(&self) -> &[Puzzle] {
        &self.puzzles
    }

    /// The number of the puzzle at `index` among those of the file, from 1.
    pub fn number(&self, index: usize) -> u64 {
        self.numbers.get(index).copied().unwrap_or_default()
    }

    /// The name in tables.
    pub fn name(&self) -> &str {
        &self.record.name
    }

    /// What a record says of it.
    pub fn record(&self) -> &DatasetRecord {
        &self.record
    }

    #[cfg(test)]
    pub(crate) fn from_puzzles(name: &str, puzzles: Vec<Puzzle>) -> Dataset {
        let numbers = (1..=puzzles.len() as u64).collect();
        let record = DatasetRecord {
            name: name.to_owned(),
            path: name.to_owned(),
            sha256: "0".repeat(64),
            puzzles: puzzles.len() as u64,
            malformed: 0,
            unsolvable: 0,
        };
        Dataset { record, puzzles, numbers }
    }
}

/// The puzzles of an input in its order, and what a record says of them.
fn read(input: &Input) -> Result<(DatasetRecord, Vec<Puzzle>), DatasetError> {
    let (name, path) = names_of(input);
    let options = Options { hash: true, ..Options::default() };
    let mut source = Source::open(std::slice::from_ref(input), options)?;
    source.set_texts(false);
    let layout = Arc::clone(source.layout());
    let (mut puzzles, mut malformed) = (Vec::new(), 0);
    let (mut rows, mut buffer) = (ParsedBlock::default(), Vec::new());
    while let Some(mut block) = source.next_block(buffer)? {
        layout.parse(&mut block, &mut rows);
        puzzles.extend_from_slice(&rows.puzzles);
        malformed += (rows.rows.len() - rows.puzzles.len()) as u64;
        buffer = block.bytes;
    }
    if puzzles.is_empty() {
        return Err(DatasetError::Empty(input.to_string()));
    }
    let sha256 = source.inputs_read().into_iter().find_map(|read| read.sha256).unwrap_or_default();
    let record =
        DatasetRecord { name, path, sha256, puzzles: puzzles.len() as u64, malformed, unsolvable: 0 };
    Ok((record, puzzles))
}

/// What tables call an input, and how it was typed.
fn names_of(input: &Input) -> (String, String) {
    match input {
        Input::Stdin => (input.to_string(), "-".to_owned()),
        Input::Reader(name) => (name.clone(), name.clone()),
        Input::File(path) => {
            let typed = path.display().to_string();
            let name = path.file_name().map_or(typed.clone(), |name| name.to_string_lossy().into_owned());
            (name, typed)
        }
    }
}

/// Calls datasets whose files share a name by their paths.
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

    /// Ten puzzles, told apart by where their one clue is.
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
    fn a_file_is_loaded_in_its_order() {
        let file = file(&ten());
        let ordered = Dataset::load_in_order(&Input::File(file.path().to_owned())).unwrap();
        assert_eq!(ordered.record(), load(file.path(), 1, None).unwrap().record());
        for (index, puzzle) in ordered.puzzles().iter().enumerate() {
            assert_eq!((puzzle.values()[index], ordered.number(index)), (1, index as u64 + 1));
        }
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
    fn files_of_one_name_go_by_their_paths() {
        let mut datasets = ["a/x.txt", "b/x.txt", "y.txt"].map(|path| {
            let mut dataset = Dataset::from_puzzles(path.rsplit('/').next().unwrap(), vec![Puzzle::EMPTY]);
            dataset.record.path = path.to_owned();
            dataset
        });
        disambiguate(&mut datasets);
        assert_eq!(datasets.each_ref().map(Dataset::name), ["a/x.txt", "b/x.txt", "y.txt"]);
    }
}

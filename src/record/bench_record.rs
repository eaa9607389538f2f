//! The record of one run of `bench`, as it is stored. The wire form, apart from the structs in memory.
//!
//! `docs/record.schema.json` publishes it and `docs/FORMAT.md` explains it. Times are in nanoseconds,
//! throughput in puzzles per second.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::run_record::SCHEMA_VERSION;
use super::{Build, Finding, Machine, PairRecord};

/// One run of `bench`: what was asked, of what, on which machine, and what came out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BenchRecord {
    /// [`SCHEMA_VERSION`] of the writer.
    pub schema_version: u32,
    /// Always `bench`: which kind of record this is.
    pub kind: String,
    /// When the run started, in RFC 3339, UTC.
    pub started: String,
    /// The arguments as typed, without the program's name.
    pub arguments: Vec<String>,
    /// The seed of the permutation, of the order of rounds and of the bootstrap.
    pub seed: u64,
    /// What was asked of every pair.
    pub settings: Settings,
    /// The datasets in the order of the command line.
    pub datasets: Vec<DatasetRecord>,
    /// Every pair of a solver and a dataset, dataset by dataset.
    pub pairs: Vec<PairRecord>,
    /// The machine.
    pub machine: Machine,
    /// The vector level that the variants were built for, by its name for `--simd`. Not in records of old.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub simd_level: Option<String>,
    /// What was found to disturb measurements on it, and what was not.
    pub noise: Vec<Finding>,
    /// The program: toolchain, commit, flags.
    pub build: Build,
}

/// What was asked of every pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// Rounds asked for.
    pub rounds: usize,
    /// Least time of measurement of a pair.
    pub min_time_ns: u64,
    /// Most time of measurement of a pair, its warm-up included.
    pub max_time_ns: u64,
    /// Time after which a puzzle was given up.
    pub max_time_per_puzzle_ns: Option<u64>,
    /// Nodes after which a puzzle was given up.
    #[serde(default)]
    pub max_nodes: Option<u64>,
    /// Puzzles taken from each dataset.
    pub sample: Option<u64>,
}

/// One dataset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatasetRecord {
    /// What pairs call it: the file's name, or the path where two files share a name.
    pub name: String,
    /// The path as typed.
    pub path: String,
    /// SHA-256 of the file as it is stored, in hexadecimal.
    pub sha256: String,
    /// Rows that hold a puzzle.
    pub puzzles: u64,
    /// Rows that do not, which are left out.
    pub malformed: u64,
}

/// Why a file is not a record that can be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// It cannot be read.
    #[error("cannot read the record {path}")]
    Read {
        /// The file.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// It is not the JSON of a bench record.
    #[error("{path} is not a record of `sudobench bench`")]
    Json {
        /// The file.
        path: String,
        /// Where it goes wrong.
        source: serde_json::Error,
    },
    /// It is of another kind, version, or lacks what it promises.
    #[error("{path} {fault}")]
    Content {
        /// The file.
        path: String,
        /// What is wrong, and the remedy.
        fault: String,
    },
}

impl BenchRecord {
    /// Reads a record from a file.
    ///
    /// # Errors
    /// [`RecordError`] where the file is not a bench record of this version.
    pub fn read(path: &Path) -> Result<BenchRecord, RecordError> {
        let shown = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|source| RecordError::Read { path: shown.clone(), source })?;
        BenchRecord::parse(&text, &shown)
    }

    /// Reads a record from its text; `path` is what errors call it.
    ///
    /// # Errors
    /// As [`BenchRecord::read`].
    pub fn parse(text: &str, path: &str) -> Result<BenchRecord, RecordError> {
        #[derive(Deserialize)]
        struct Head {
            schema_version: u32,
            kind: String,
        }
        let json = |source| RecordError::Json { path: path.to_owned(), source };
        let content = |fault: String| RecordError::Content { path: path.to_owned(), fault };
        let head: Head = serde_json::from_str(text).map_err(json)?;
        if head.kind != "bench" {
            return Err(content(format!("is a record of `{}`; name one of `sudobench bench`", head.kind)));
        }
        if head.schema_version != SCHEMA_VERSION {
            return Err(content(format!(
                "has schema_version {}, and this program reads {SCHEMA_VERSION}: measure again, or use the \
                 version of sudobench that wrote it",
                head.schema_version
            )));
        }
        let record: BenchRecord = serde_json::from_str(text).map_err(json)?;
        match record.pairs.iter().find(|pair| pair.error.is_none() == pair.measurement.is_none()) {
            None => Ok(record),
            Some(pair) => Err(content(format!(
                "has neither a whole measurement nor an error for {} on {}: it was cut or edited",
                pair.solver, pair.dataset
            ))),
        }
    }

    /// The pair of this solver on this dataset.
    pub fn pair(&self, solver: &str, dataset: &str) -> Option<&PairRecord> {
        self.pairs.iter().find(|pair| pair.solver == solver && pair.dataset == dataset)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_record_comes_back_from_its_text() {
        let record = fixtures::bench_record();
        let text = serde_json::to_string(&record).unwrap();
        assert_eq!(BenchRecord::parse(&text, "r.json").unwrap(), record);
    }

    #[test]
    fn a_record_from_before_the_vector_level_is_read() {
        let mut record = serde_json::to_value(fixtures::bench_record()).unwrap();
        assert_eq!(record["simd_level"], "avx2");
        record.as_object_mut().unwrap().remove("simd_level");
        assert_eq!(BenchRecord::parse(&record.to_string(), "r.json").unwrap().simd_level, None);
    }

    #[test]
    fn a_cut_measurement_is_no_failed_one() {
        let mut record = serde_json::to_value(fixtures::bench_record()).unwrap();
        record["pairs"][0].as_object_mut().unwrap().remove("rounds");
        let error = BenchRecord::parse(&record.to_string(), "r.json").unwrap_err().to_string();
        assert_eq!(
            error,
            "r.json has neither a whole measurement nor an error for quick on easy.txt: it was cut or edited"
        );
    }

    proptest! {
        #[test]
        fn numbers_come_back_to_the_last_digit(median in 1e-3..1e12) {
            let mut record = fixtures::bench_record();
            record.pairs[0].measurement.as_mut().unwrap().throughput.median = median;
            let text = serde_json::to_string(&record).unwrap();
            prop_assert_eq!(BenchRecord::parse(&text, "r.json").unwrap(), record);
        }
    }
}

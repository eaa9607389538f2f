//! Finds the format and the compression of an output from the extension of its name.

use std::path::Path;

use super::{Compression, OutputFormat};
use crate::option_error::OptionError;

/// A suffix of file names, such as `csv` in `out.csv` and `out.csv.gz`, with all its spellings.
#[derive(Clone, Copy, Debug)]
pub struct Ending {
    /// The spellings of the suffix. Messages use the first one.
    pub names: &'static [&'static str],
    /// The delimiter that the suffix promises.
    pub delimiter: Option<u8>,
}

impl Ending {
    /// Makes a suffix with these spellings. The suffix promises no delimiter.
    pub const fn new(names: &'static [&'static str]) -> Ending {
        Ending { names, delimiter: None }
    }
}

/// The format, delimiter and compression that the extension of a file name promises, such as `.csv` or `.csv.gz`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Promise {
    /// The format, if the extension promises one.
    pub format: Option<OutputFormat>,
    /// The delimiter, if the extension promises one.
    pub delimiter: Option<u8>,
    /// The compression.
    pub compression: Compression,
}

/// Suffixes that users might expect to work for a table of puzzles. A name with one of them is refused, unless a format of another package
/// has this suffix.
const NOT_WRITTEN: [&str; 34] = [
    "parquet", "pq", "arrow", "arrows", "feather", "ipc", "avro", "orc", "npz", "rar", "pdf", "docx", "hdf5",
    "pkl", "pickle", "h5", "xlsx", "xls", "ods", "json", "xml", "yaml", "html", "db", "sqlite", "duckdb",
    "zip", "bz2", "xz", "lz4", "br", "7z", "tar", "tgz",
];

/// Returns the error for a name that promises another format or compression than the parts to merge have.
pub(crate) fn parts_hold_other(
    path: &Path,
    promise: Promise,
    held: (OutputFormat, Compression),
) -> OptionError {
    let words = |format: Option<OutputFormat>, compression| match (format, compression) {
        (Some(format), Compression::None) => format.name().to_owned(),
        (Some(format), compression) => format!("{} in {}", format.name(), compression.name()),
        (None, Compression::None) => "uncompressed data".to_owned(),
        (None, compression) => compression.name().to_owned(),
    };
    OptionError::new(format!(
        "{} is a name for {}, but the parts contain {}: choose a name with the extension of the parts",
        path.display(),
        words(promise.format, promise.compression),
        words(Some(held.0), held.1)
    ))
}

impl Promise {
    /// Returns the format, the delimiter and the compression that the extension of `path` promises.
    ///
    /// # Errors
    ///
    /// [`OptionError`] for an extension such as `.xlsx` that users might expect to work. An unknown extension is not an error.
    pub fn from_path(path: &Path) -> Result<Promise, OptionError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let (compression, name) = match name.rsplit_once('.') {
            Some((inner, "gz")) => (Compression::Gzip, inner),
            Some((inner, "zst" | "zstd")) => (Compression::Zstd, inner),
            _ => (Compression::None, &name[..]),
        };
        let Some((_, end)) = name.rsplit_once('.') else {
            return Ok(Promise { compression, ..Promise::default() });
        };
        match endings().find(|(_, ending)| ending.names.contains(&end)) {
            Some((format, ending)) => {
                Ok(Promise { format: Some(format), delimiter: ending.delimiter, compression })
            }
            None if NOT_WRITTEN.contains(&end) => Err(OptionError::new(format!(
                "{} has the extension `.{end}`, which is not supported here: choose a name that ends in {}; add .gz or .zst to compress a \
                 text format",
                path.display(),
                usual_endings("or")
            ))),
            None => Ok(Promise { compression, ..Promise::default() }),
        }
    }

    /// Returns the format to write to `path`: the requested format, otherwise the format of the extension, otherwise CSV.
    ///
    /// # Errors
    /// [`OptionError`] if the format isn't text and would be compressed.
    pub fn format(self, path: &Path, asked: Option<OutputFormat>) -> Result<OutputFormat, OptionError> {
        let format = asked.or(self.format).unwrap_or_default();
        if self.compression != Compression::None && !format.is_text {
            return Err(OptionError::new(format!(
                "{} has an extension for compressed text, but {} is not a text format: leave out .gz or .zst",
                path.display(),
                format.name()
            )));
        }
        Ok(format)
    }

    /// Checks that an output in `format` has the delimiter that the name promises. `delimiter` is the delimiter that a CSV output of this
    /// run has.
    ///
    /// # Errors
    /// [`OptionError`] if the promised delimiter differs from `delimiter`. Formats without a delimiter are never refused.
    pub(crate) fn check_delimiter(
        self,
        path: &Path,
        format: OutputFormat,
        delimiter: u8,
    ) -> Result<(), OptionError> {
        match self.delimiter {
            Some(promised) if format.keeps_delimiter && promised != delimiter => {
                Err(OptionError::new(format!(
                    "{} has the extension for columns separated by tabs, but the columns of the output are separated by {:?}: choose \
                     the extension .csv",
                    path.display(),
                    char::from(delimiter)
                )))
            }
            _ => Ok(()),
        }
    }
}

fn endings() -> impl Iterator<Item = (OutputFormat, &'static Ending)> {
    OutputFormat::all().flat_map(|format| format.endings.iter().map(move |ending| (format, ending)))
}

/// Lists the usual suffixes, such as `.csv, .tsv or .npy`, with `conjunction` before the last one.
pub(crate) fn usual_endings(conjunction: &str) -> String {
    let names = endings().filter_map(|(_, ending)| ending.names.first());
    list(names.map(|name| format!(".{name}")), conjunction)
}

/// Lists names, with `conjunction` before the last one.
pub(super) fn list(names: impl Iterator<Item = String>, conjunction: &str) -> String {
    let names: Vec<String> = names.collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} {conjunction} {last}", others.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_ending_promises_one_format() {
        let mut names: Vec<&str> =
            endings().flat_map(|(_, ending)| ending.names).chain(&["gz", "zst", "zstd"]).copied().collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all, "{names:?}");
        let listed = usual_endings("or");
        assert!(listed.starts_with(".csv, .tsv, .jsonl, .txt") && listed.contains(" or ."), "{listed}");
    }

    #[test]
    fn names_decide_format_and_compression() {
        let of =
            |name: &str| Promise::from_path(Path::new(name)).map(|found| (found.format, found.compression));
        let (csv, jsonl) = (Some(OutputFormat::CSV), Some(OutputFormat::JSONL));
        for (name, format, compression) in [
            ("out", None, Compression::None),
            ("a.b/out.CSV", csv, Compression::None),
            ("out.csv.gz", csv, Compression::Gzip),
            ("out.ndjson.zst", jsonl, Compression::Zstd),
            ("out.gz", None, Compression::Gzip),
            ("out.2026-11.txt", Some(OutputFormat::LINES), Compression::None),
            ("out.txt.gz", Some(OutputFormat::LINES), Compression::Gzip),
            ("out.sdm", Some(OutputFormat::LINES), Compression::None),
            ("out.npy", Some(OutputFormat::NPY), Compression::None),
            (".zst", None, Compression::Zstd),
        ] {
            assert_eq!(of(name), Ok((format, compression)), "{name}");
        }
        for name in ["out.feather", "out.npz", "out.rar", "out.json", "out.tar.zst", "out.tgz", "out.csv.bz2"]
        {
            assert!(of(name).is_err(), "{name}");
        }
        let format =
            |name: &str, asked| Promise::from_path(Path::new(name)).unwrap().format(Path::new(name), asked);
        assert_eq!(format("out.jsonl", None), Ok(OutputFormat::JSONL));
        assert_eq!(format("out.jsonl", csv), Ok(OutputFormat::CSV), "what was asked overrules the name");
        assert_eq!(format("out", None), Ok(OutputFormat::CSV));
        assert_eq!(format("out.npy.gz", csv), Ok(OutputFormat::CSV));
        let npy = Some(OutputFormat::NPY);
        for (name, asked) in [("out.npy.gz", None), ("out.gz", npy), ("out.csv.zst", npy)] {
            let refused = format(name, asked).unwrap_err().to_string();
            assert!(
                refused.ends_with("has an extension for compressed text, but npy is not a text format: leave out .gz or .zst"),
                "{refused}"
            );
        }
    }
}

//! Files that commands write besides their output.
//!
//! [`Exports::open`] checks that these files can be written and that existing files may be replaced, so that most faults are reported
//! before a long run. An existing file stays unchanged until its replacement is complete, unless its folder does not allow temporary files.
//!
//! Tables and other texts on standard output are written here too.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read as _, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use sudobench_rows::sink::{Place, folder_of};
use sudobench_rows::{check_apart, is_standard, may_be_closed_stdout};

use super::UsageError;

/// The kinds of exports. An existing file is replaced if it is empty or an export of the same kind. Any other file is replaced only with
/// `--force`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A record, or another result as JSON.
    Json,
    /// A percentile table of HdrHistogram.
    Percentiles,
    /// A log of HdrHistogram.
    HistogramLog,
    /// A CSV table of pairs or commands.
    Csv,
    /// A row for each program and puzzle.
    Runs,
    WrongAnswers,
    /// A row for each puzzle and contestant.
    Puzzles,
    /// The rows of puzzles that occur more than once.
    Duplicates,
    Markdown,
    Html,
    Svg,
    Junit,
    /// The counts with which `gate` compares new counts.
    Baseline,
}

/// Number of bytes of an existing file that are read to recognise its kind.
const HEAD: u64 = 4096;

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Json => "a JSON export",
            Kind::Percentiles => "an export of percentiles",
            Kind::HistogramLog => "a histogram log",
            Kind::Csv => "a CSV export",
            Kind::Runs => "an export of runs",
            Kind::WrongAnswers => "a list of wrong answers",
            Kind::Puzzles => "an export of puzzles",
            Kind::Duplicates => "a list of duplicates",
            Kind::Markdown => "a Markdown export",
            Kind::Html => "an HTML page",
            Kind::Svg => "an SVG export",
            Kind::Junit => "a JUnit export",
            Kind::Baseline => "a baseline",
        }
    }

    /// Returns whether `head` is the start of a file of this kind that this program wrote. An empty file may always be replaced, so the
    /// result is true for it.
    fn is_of(self, head: &str) -> bool {
        let has = |message: &str| head.contains(message);
        head.is_empty()
            || match self {
                // A line of a history has a version too, but a history is not an export.
                Kind::Json => {
                    let is_record = has("\"schema_version\"") || head.starts_with("{\n  \"machine\": {");
                    head.starts_with('{') && is_record && !has("\"kind\":\"history\"")
                }
                Kind::Percentiles => head.trim_start().starts_with("Value ") && has("TotalCount"),
                Kind::HistogramLog => head.starts_with("#per-puzzle latency in nanoseconds, by sudobench"),
                Kind::Csv => {
                    head.starts_with("solver,dataset,kind,") || head.starts_with("name,command,error,runs,")
                }
                Kind::Runs => head.starts_with("dataset,number,program,"),
                Kind::Puzzles => head.starts_with("solver,dataset,number,form,line,puzzle,time_ns,"),
                Kind::WrongAnswers => head.starts_with("solver,dataset,number,form,line,puzzle,printed,"),
                // The column names must be exactly these: a user may have added a column to the file.
                Kind::Duplicates => {
                    let names = head.lines().next().unwrap_or_default();
                    names.strip_suffix(",canonical").unwrap_or(names) == "group,count,input,line,puzzle"
                }
                Kind::Markdown => head.starts_with("## sudobench "),
                Kind::Html => has("<title>sudobench "),
                Kind::Svg => head.starts_with("<svg ") && has("Puzzles per second by solver and set."),
                Kind::Junit => has("<testsuites name=\"sudobench "),
                Kind::Baseline => head.starts_with("# sudobench baseline "),
            }
    }
}

/// The exports of a command, ready to be written.
#[derive(Debug)]
pub(super) struct Exports(Vec<(Kind, Export)>);

#[derive(Debug)]
struct Export {
    /// The path as typed.
    path: PathBuf,
    place: Place,
}

impl Exports {
    /// Checks the requested exports. With `force`, all files may be replaced, except `others`: the files that the command reads or writes
    /// for another purpose.
    ///
    /// # Errors
    ///
    /// If an export can't be written or, without `force`, would replace a file that is not an export of the same kind. [`UsageError`] if
    /// two exports use the same file, if several exports go to standard output, or if an export is one of `others`.
    pub(super) fn open<'p>(
        asked: impl IntoIterator<Item = (Kind, &'p Option<PathBuf>)>,
        force: bool,
        others: impl IntoIterator<Item = &'p Path>,
    ) -> anyhow::Result<Exports> {
        let asked = asked.into_iter().filter_map(|(kind, path)| Some((kind, path.as_deref()?)));
        let asked: Vec<_> = asked.collect();
        let written = asked.iter().map(|&(_, path)| path).filter(|path| !is_standard(path));
        check_apart(others, written).map_err(UsageError::from)?;
        let asked = asked.into_iter();
        let exports = asked.map(|(kind, path)| Ok((kind, Export::open(kind, path, force)?)));
        let exports = Exports(exports.collect::<anyhow::Result<_>>()?);
        match exports.0.iter().filter(|(_, export)| export.place == Place::Stdout).count() {
            0 | 1 => Ok(exports),
            several => {
                let message = format!("{several} exports go to standard output: name files for all but one");
                Err(UsageError(message).into())
            }
        }
    }

    /// Checks that the files of all exports exist. This is for a run with `--resume` whose output was already complete: it has no results
    /// from which it could write exports.
    ///
    /// # Errors
    ///
    /// If an export goes to standard output or another stream, or is a file that does not exist.
    pub(super) fn check_written(&self) -> anyhow::Result<()> {
        let missing =
            self.0.iter().find(|(_, export)| !matches!(&export.place, Place::File(path) if path.exists()));
        let Some((_, export)) = missing else { return Ok(()) };
        let error = anyhow::anyhow!(
            "the output was already complete, so nothing was done; to make the output and this export again, use --force instead of --resume"
        );
        Err(error.context(export.cannot()))
    }

    /// Returns whether an export goes to standard output.
    pub(super) fn take_stdout(&self) -> bool {
        self.0.iter().any(|(_, export)| export.place == Place::Stdout)
    }

    /// Checks that standard output is not closed, if the tables are the only result and no export was requested.
    pub(super) fn check_print(&self, is_only_result: bool) -> anyhow::Result<()> {
        if is_only_result && self.0.is_empty() {
            check_stdout("an export to a file keeps the result")?;
        }
        Ok(())
    }

    /// Prints tables on standard output, unless an export is written there. `is_only_result`: whether the command has no result besides the
    /// tables and the exports. It is false for a command such as `gate`, whose exit code is a result too.
    ///
    /// # Errors
    ///
    /// If standard output can't be written. A closed standard output is an error only if the tables are the only result and no export was
    /// requested.
    pub(super) fn print(&self, tables: &str, is_only_result: bool) -> anyhow::Result<()> {
        if self.take_stdout() {
            return Ok(());
        }
        self.check_print(is_only_result)?;
        print(tables)
    }

    /// Writes the export of a kind, if it was requested.
    pub(super) fn write(
        &self,
        kind: Kind,
        fill: impl FnOnce(&mut Vec<u8>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let Some((_, export)) = self.0.iter().find(|(other, _)| *other == kind) else { return Ok(()) };
        let mut bytes = Vec::new();
        fill(&mut bytes).and_then(|()| Ok(export.write(&bytes)?)).with_context(|| export.cannot())
    }

    pub(super) fn write_text(&self, kind: Kind, text: impl FnOnce() -> String) -> anyhow::Result<()> {
        self.write(kind, |out| Ok(out.write_all(text().as_bytes())?))
    }

    /// Writes the export of a kind, if it was requested. `fill` writes directly to the file, because the export may be larger than the
    /// memory.
    pub(super) fn write_through(
        &self,
        kind: Kind,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        let Some((_, export)) = self.0.iter().find(|(other, _)| *other == kind) else { return Ok(()) };
        export.write_through(fill).with_context(|| export.cannot())
    }
}

impl Export {
    fn open(kind: Kind, path: &Path, force: bool) -> anyhow::Result<Export> {
        let place = if is_standard(path) { Ok(Place::Stdout) } else { Place::resolve(path) };
        let export = Export { path: path.to_owned(), place: place.unwrap_or(Place::File(path.to_owned())) };
        export.look(kind, force).with_context(|| export.cannot())?;
        Ok(export)
    }

    /// Checks that the file can be written and that it may be replaced.
    fn look(&self, kind: Kind, force: bool) -> anyhow::Result<()> {
        let path = match &self.place {
            Place::File(path) => path,
            Place::Stdout => return check_stdout("name a file instead of -"),
            Place::Stream => return Ok(()),
        };
        if !path.try_exists()? {
            // Creates and removes a file with another name, to test that the folder can be written. A test with the real name could remove
            // a file that another process creates meanwhile.
            let beside = path.with_file_name(format!(".sudobench-{}", std::process::id()));
            OpenOptions::new().write(true).create(true).truncate(false).open(&beside)?;
            return Ok(fs::remove_file(beside)?);
        }
        OpenOptions::new().write(true).open(path)?;
        let mut head = Vec::new();
        if !force {
            File::open(path)?.take(HEAD).read_to_end(&mut head)?;
        }
        anyhow::ensure!(
            force || kind.is_of(&String::from_utf8_lossy(&head)),
            "it exists and is not {} of this program; replace it with --force, or choose another name",
            kind.name()
        );
        Ok(())
    }

    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        self.write_through(|out| out.write_all(bytes))
    }

    fn write_through(&self, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let written = match &self.place {
            Place::File(path) => return replace_file(path, fill),
            Place::Stdout => buffered(io::stdout().lock(), fill),
            Place::Stream => buffered(Place::open_stream(&self.path)?, fill),
        };
        match written {
            // It is not an error if the reader closed the pipe, because this must not change the exit code of a command such as `gate`.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            written => written,
        }
    }

    fn cannot(&self) -> String {
        match self.place {
            Place::Stdout => "cannot write standard output".to_owned(),
            _ => format!("cannot write {}", self.path.display()),
        }
    }
}

/// Writes a temporary file and renames it. If no temporary file can be made in the folder, writes the file in place; an error can then
/// leave a partial file.
fn replace_file(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".sudobench-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let Ok(mut beside) = builder.tempfile_in(folder_of(path)) else {
        return buffered(File::create(path)?, fill);
    };
    buffered(&mut beside, fill)?;
    if let Ok(replaced) = fs::metadata(path) {
        beside.as_file().set_permissions(replaced.permissions())?;
    }
    beside.persist(path)?;
    Ok(())
}

fn buffered(out: impl Write, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    fill(&mut out)?;
    out.flush()
}

/// Returns an error if standard output may be closed. `remedy` says what the user can do instead.
pub(super) fn check_stdout(remedy: &str) -> anyhow::Result<()> {
    anyhow::ensure!(
        !may_be_closed_stdout(),
        "standard output is closed, or is /dev/null opened for reading and writing; what is written there is lost: {remedy}"
    );
    Ok(())
}

/// Prints text that is the only result of a command. A closed standard output is an error.
pub(super) fn print_result(text: &str) -> anyhow::Result<()> {
    check_stdout("write to a file or a pipe")?;
    print(text)
}

pub(super) fn print(text: &str) -> anyhow::Result<()> {
    let stdout = Export { path: PathBuf::from("-"), place: Place::Stdout };
    stdout.write(text.as_bytes()).with_context(|| stdout.cannot())
}

pub(super) fn append_file(path: &Path, text: &str) -> anyhow::Result<()> {
    let open = File::options().append(true).create(true).open(path);
    open.and_then(|mut file| file.write_all(text.as_bytes()))
        .with_context(|| format!("cannot append to {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_other_kinds_are_not_replaced() {
        let history = "{\"schema_version\":1,\"kind\":\"history\",\"machine\":{}}\n";
        assert!(!Kind::Json.is_of(history) && !Kind::Json.is_of("{\"machine\":\"mine\",\"x\":1}"));
        assert!(Kind::Json.is_of("{\n  \"schema_version\": 1,") && Kind::Json.is_of("{\n  \"machine\": {"));
        assert!(!Kind::Csv.is_of("solver,dataset,number,form,line,puzzle,time_ns,nodes"));
        assert!(Kind::Csv.is_of("solver,dataset,kind,max_solutions"));
    }

    #[test]
    fn the_check_of_an_export_keeps_files_of_other_processes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("b.txt");
        std::thread::scope(|scope| {
            let looks = scope.spawn(|| {
                for _ in 0..2000 {
                    // With `force`, the content of an existing file does not matter.
                    drop(Export::open(Kind::Baseline, &path, true));
                }
            });
            while !looks.is_finished() {
                replace_file(&path, |out| out.write_all(b"# sudobench baseline 2\n")).unwrap();
                std::thread::yield_now();
                fs::remove_file(&path).expect("nobody else removes it");
            }
        });
    }
}

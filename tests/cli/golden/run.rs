//! Runs command lines in folders of their own, and makes their outputs comparable.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;

use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use regex_lite::Regex;
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use super::super::command;
use super::inputs;

/// The folder of one test. It contains a folder for each run of the test, and a link `inputs` to the folder with the inputs of the runs.
pub(super) struct Folder {
    path: PathBuf,
    /// Removes the folder at the end, unless the user wants to keep it.
    temporary: Option<TempDir>,
    /// Keeps the folder of the inputs while this test runs.
    _inputs: Arc<TempDir>,
}

impl Folder {
    /// Creates a new folder. If the environment variable `SUDOBENCH_GOLDEN` names a folder, the new folder is made there and stays.
    pub(super) fn new(name: &str) -> Folder {
        let Some(kept) = std::env::var_os("SUDOBENCH_GOLDEN") else { return Folder::temporary() };
        let path = PathBuf::from(kept).join(name);
        if path.exists() {
            fs::remove_dir_all(&path).unwrap();
        }
        fs::create_dir_all(&path).unwrap();
        Folder::with_inputs(path, None)
    }

    /// Creates a new folder that is removed in the end.
    pub(super) fn temporary() -> Folder {
        let temporary = tempfile::tempdir().unwrap();
        Folder::with_inputs(temporary.path().to_owned(), Some(temporary))
    }

    fn with_inputs(path: PathBuf, temporary: Option<TempDir>) -> Folder {
        let inputs = inputs::shared();
        std::os::unix::fs::symlink(inputs.path(), path.join("inputs")).unwrap();
        Folder { path, temporary, _inputs: inputs }
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Creates the folder of a run. The folder stays until the end of the test, unless the caller removes it.
    pub(super) fn create(&self, name: &str) -> PathBuf {
        let folder = self.path(&file_name(name));
        fs::create_dir(&folder).unwrap_or_else(|error| panic!("{name} is there twice, or: {error}"));
        folder
    }

    /// Runs the program with the arguments in this line, in a folder of its own, and digests its outputs.
    pub(super) fn digest(&self, line: &str) -> String {
        let folder = self.create(line);
        let ran = run(&folder, line);
        let stderr = mask(&ran.stderr);
        let outputs = comparable_files(&folder);
        if self.temporary.is_none() {
            fs::write(folder.join("stdout"), &ran.stdout).unwrap();
            fs::write(folder.join("stderr"), &stderr).unwrap();
            keep_comparable(&folder, &outputs);
        } else {
            fs::remove_dir_all(&folder).unwrap();
        }
        let mut all = ran.stdout;
        for (name, content) in &outputs {
            all.extend_from_slice(format!("\n{name}: {} bytes\n", content.len()).as_bytes());
            all.extend_from_slice(content);
        }
        format!("{:>3} {} {} {line}", ran.code, short_digest(&all), short_digest(stderr.as_bytes()))
    }
}

/// `outputs` maps the name of each file of a run to the form in which the file is compared. If this form differs from the file, stores it
/// as `NAME.plain` beside the file. For a JSON record (which contains times), the form replaces the file.
fn keep_comparable(folder: &Path, outputs: &BTreeMap<String, Vec<u8>>) {
    for (name, content) in outputs {
        if *content != fs::read(folder.join(name)).unwrap() {
            let end = if name.ends_with(".json") { "" } else { ".plain" };
            fs::write(folder.join(format!("{name}{end}")), content).unwrap();
        }
    }
}

/// Returns the name of a folder for a command line.
fn file_name(line: &str) -> String {
    let name =
        line.replace("../inputs/", "").replace(|at: char| !at.is_alphanumeric() && !"+-.,".contains(at), "_");
    // Long names are shortened, because many file systems allow only 255 bytes.
    if name.len() <= 200 { name } else { format!("{}_{}", &name[..180], short_digest(line.as_bytes())) }
}

fn short_digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

pub(super) struct RunResult {
    pub(super) code: i32,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: String,
}

/// Runs a command line in a folder. `< FILE` at its end is standard input.
pub(super) fn run(folder: &Path, line: &str) -> RunResult {
    let (words, stdin) = match line.split_once(" < ") {
        Some((words, file)) => (words, Stdio::from(File::open(folder.join(file)).unwrap())),
        None => (line, Stdio::null()),
    };
    let mut command = command();
    command.current_dir(folder).env_remove("COLUMNS").stdin(stdin);
    command.args(words.split(' ').filter(|word| !word.is_empty())).args(["--simd", "baseline"]);
    if !words.contains("--threads") && !words.contains("--help") && !words.starts_with("merge") {
        command.args(["--threads", "1"]);
    }
    let output = command.output().unwrap();
    let code = output.status.code().unwrap_or_else(|| panic!("{line}: ended by a signal"));
    RunResult { code, stdout: output.stdout, stderr: String::from_utf8(output.stderr).unwrap() }
}

/// Replaces what differs from run to run: times and rates, and the report of latencies.
pub(super) fn mask(stderr: &str) -> String {
    let mut lines: Vec<&str> = stderr.lines().collect();
    if let Some(start) = lines.iter().position(|line| line.starts_with("time of a puzzle")) {
        let is_latency =
            |line: &&str| [" ", "latency", "within budget"].iter().any(|start| line.starts_with(start));
        let end = start + 1 + lines[start + 1..].iter().take_while(|line| is_latency(line)).count();
        lines.splice(start..end, ["latency of a puzzle, from entering the solver to the answer"]);
    }
    let masked = lines.join("\n");
    let rates = Regex::new(r"[0-9][0-9.,]*( [KMG])?(?<of> puzzles)?/s").unwrap();
    let rates = rates.replace_all(&masked, "RATE$of").into_owned();
    Regex::new(r"\bin [0-9][0-9.,]* s\b").unwrap().replace_all(&rates, "in TIME").into_owned()
}

/// Returns the files that a run left, in the form in which they are compared.
pub(super) fn comparable_files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), comparable(&path))).collect()
}

/// Returns the content of a file in the form in which it is compared.
pub(super) fn comparable(path: &Path) -> Vec<u8> {
    match path.extension().and_then(|end| end.to_str()) {
        Some("parquet") => table_text(path).into_bytes(),
        Some("arrow") => arrow_text(path).into_bytes(),
        Some("gz") => read_all(flate2::read::MultiGzDecoder::new(File::open(path).unwrap())),
        Some("zst") => read_all(zstd::Decoder::new(File::open(path).unwrap()).unwrap()),
        Some("json") => masked_record(path).into_bytes(),
        _ => fs::read(path).unwrap(),
    }
}

fn read_all(mut reader: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).unwrap();
    bytes
}

/// Schema and rows of a Parquet file.
fn table_text(path: &Path) -> String {
    let mut text = Vec::new();
    let arrow = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    for field in arrow.schema().fields() {
        let line = format!(
            "{} {} {} {:?}\n",
            field.name(),
            field.data_type(),
            field.is_nullable(),
            sorted(field.metadata())
        );
        text.extend_from_slice(line.as_bytes());
    }
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let metadata = reader.metadata().file_metadata();
    parquet::schema::printer::print_schema(&mut text, metadata.schema());
    for pair in metadata.key_value_metadata().into_iter().flatten().filter(|pair| pair.key != "ARROW:schema")
    {
        text.extend_from_slice(format!("{}={:?}\n", pair.key, pair.value).as_bytes());
    }
    for row in reader.get_row_iter(None).unwrap() {
        text.extend_from_slice(format!("{}\n", row.unwrap()).as_bytes());
    }
    String::from_utf8(text).unwrap()
}

/// Returns the schema and rows of an Arrow file, which is first converted to a Parquet file.
fn arrow_text(path: &Path) -> String {
    let reader = arrow_ipc::reader::FileReader::try_new(File::open(path).unwrap(), None).unwrap();
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut writer = ArrowWriter::try_new(file.reopen().unwrap(), reader.schema(), None).unwrap();
    for batch in reader {
        writer.write(&batch.unwrap()).unwrap();
    }
    writer.close().unwrap();
    table_text(file.path())
}

fn sorted(metadata: &std::collections::HashMap<String, String>) -> BTreeMap<&String, &String> {
    metadata.iter().collect()
}

/// A JSON record without times, without the machine and without the program's version.
fn masked_record(path: &Path) -> String {
    let mut record: serde_json::Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    mask_record(&mut record);
    format!("{record:#}\n")
}

/// Members of records that differ from run to run.
const UNSTABLE: [&str; 9] =
    ["started", "wall_ns", "machine", "build", "latency_ns", "histogram", "throughput", "within", "cpu"];

fn mask_record(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Object(members) => {
            for (name, member) in members {
                match UNSTABLE.contains(&name.as_str())
                    || name.ends_with("_ns")
                    || name.ends_with("_per_second")
                {
                    true => *member = "MASKED".into(),
                    false => mask_record(member),
                }
            }
        }
        serde_json::Value::Array(values) => values.iter_mut().for_each(mask_record),
        _ => {}
    }
}

//! Formats that are recognised but not read, with a remedy.
//!
//! A format is recognised by the start of the decompressed text, never by the name of the input. A zip archive that is a
//! document of another program, such as .xlsx, is recognised by the names of the files in it: see [`refuse_zip`].

use std::borrow::Cow;
use std::fs::File;
use std::io::Read as _;

use super::error::SourceError;
use super::input::Input;
use super::typed;

/// A kind of file that another program must unpack or convert.
struct Refused {
    /// Description of such a file for messages: `a tar archive`.
    is: &'static str,
    /// The bytes by which such a file is recognised, with their positions.
    magic: &'static [(usize, &'static [u8])],
    remedy: Remedy,
}

/// A command line that reads a file. `FILE` stands for the path of the file. Python code gets the path as `sys.argv[1]`.
#[derive(Clone, Copy)]
enum Remedy {
    /// A program that writes a supported format: the command before `| sudobench solve`.
    Pipe(&'static str),
    /// Python with pandas: the expression that reads the file.
    Pandas(&'static str),
    /// Python statements that write a supported format.
    Python(&'static str),
}

impl Remedy {
    fn in_words(self, input: &Input) -> String {
        let words = match self {
            Remedy::Pipe(words) => words.to_owned(),
            Remedy::Pandas(read) => {
                format!(
                    "python3 -c \"import pandas, sys; pandas.{read}.to_csv(sys.stdout, index=False)\" FILE"
                )
            }
            Remedy::Python(statements) => format!("python3 -c \"{statements}\" FILE"),
        };
        format!("{} | sudobench solve", words.replace("FILE", &input.argument()))
    }
}

const EXCEL: Remedy = Remedy::Pandas("read_excel(sys.argv[1], dtype=str)");
const FEATHER: Remedy = Remedy::Pandas("read_feather(sys.argv[1])");
const PICKLE: Remedy = Remedy::Pandas("read_pickle(sys.argv[1])");

const fn refused(is: &'static str, magic: &'static [(usize, &'static [u8])], remedy: Remedy) -> Refused {
    Refused { is, magic, remedy }
}

const REFUSED: [Refused; 21] = [
    refused(
        "a Parquet file (this build has no reader for it)",
        &[(0, b"PAR1")],
        Remedy::Pandas("read_parquet(sys.argv[1])"),
    ),
    refused(
        "an encrypted Parquet file",
        &[(0, b"PARE")],
        Remedy::Python(
            "import pyarrow.csv, pyarrow.parquet, sys; \
             pyarrow.csv.write_csv(pyarrow.parquet.read_table(sys.argv[1], decryption_properties=...), sys.stdout.buffer)",
        ),
    ),
    refused("compressed with xz", &[(0, b"\xfd7zXZ\0")], Remedy::Pipe("xz -dc FILE")),
    // The magic bytes come after `BZh` and the level.
    refused("compressed with bzip2", &[(4, b"1AY&SY")], Remedy::Pipe("bzip2 -dc FILE")),
    refused("compressed with lz4", &[(0, b"\x04\x22\x4d\x18")], Remedy::Pipe("lz4 -dc FILE")),
    refused("a 7-Zip archive", &[(0, b"7z\xbc\xaf\x27\x1c")], Remedy::Pipe("7z x -so FILE")),
    refused("a RAR archive", &[(0, b"Rar!\x1a\x07")], Remedy::Pipe("unrar p -inul FILE")),
    // The magic bytes come after the name, the size and other data of the first file. POSIX and GNU have different magic bytes.
    refused("a tar archive", &[(257, b"ustar\0")], Remedy::Pipe("tar -xOf FILE")),
    refused("a tar archive", &[(257, b"ustar  \0")], Remedy::Pipe("tar -xOf FILE")),
    refused("an old Excel file", &[(0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")], EXCEL),
    refused("an Arrow file", &[(0, b"ARROW1\0\0")], FEATHER),
    refused("a Feather file", &[(0, b"FEA1\0\0\0\0")], FEATHER),
    refused(
        "an Arrow stream",
        // After the four magic bytes comes the length of the first message. It is below 64 KiB, so its two upper bytes are 0.
        &[(0, b"\xff\xff\xff\xff"), (6, b"\0\0")],
        Remedy::Python(
            "import pyarrow as pa, pyarrow.csv, sys; \
             pa.csv.write_csv(pa.ipc.open_stream(pa.OSFile(sys.argv[1])).read_all(), sys.stdout.buffer)",
        ),
    ),
    refused(
        "an HDF5 file",
        &[(0, b"\x89HDF\r\n\x1a\n")],
        Remedy::Python(
            "import h5py, numpy, sys; numpy.savetxt(sys.stdout, h5py.File(sys.argv[1])['NAME'][:].reshape(-1, 81), '%d', '')",
        ),
    ),
    refused("a pickle", &[(0, b"\x80\x02")], PICKLE),
    refused("a pickle", &[(0, b"\x80\x03")], PICKLE),
    refused("a pickle", &[(0, b"\x80\x04")], PICKLE),
    refused("a pickle", &[(0, b"\x80\x05")], PICKLE),
    refused(
        "an SQLite database",
        &[(0, b"SQLite format 3\0")],
        Remedy::Pipe("sqlite3 -csv -header FILE 'SELECT * FROM NAME'"),
    ),
    refused("a DuckDB database", &[(8, b"DUCK")], Remedy::Pipe("duckdb -csv FILE -c 'FROM NAME'")),
    refused("a PDF document", &[(0, b"%PDF-")], Remedy::Pipe("pdftotext -layout FILE -")),
];

/// Refuses an input whose first bytes show that it is not text.
pub(super) fn refuse(input: &Input, start: &[u8]) -> Result<(), SourceError> {
    // Uncompressed files of typed rows were recognised before the text was decoded, so this file is compressed.
    if let Some(is) = typed::find(start).and_then(|typed| typed.format.magic_name()) {
        let is = format!("{is} that is compressed as a whole");
        let remedy = if is_zip(input) { "unzip -p FILE" } else { "zstd -dcf FILE" };
        return Err(refusal(input, is, Remedy::Pipe(remedy)));
    }
    let has = |&(at, bytes): &(usize, &[u8])| start.get(at..).is_some_and(|rest| rest.starts_with(bytes));
    match REFUSED.iter().find(|kind| kind.magic.iter().all(has)) {
        Some(Refused { is, remedy, .. }) => Err(refusal(input, *is, *remedy)),
        None => Ok(()),
    }
}

/// Returns whether an input is a file that starts like a zip archive.
fn is_zip(input: &Input) -> bool {
    let Input::File(path) = input else { return false };
    let mut start = [0; 2];
    File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == *b"PK"
}

fn refusal(input: &Input, is: impl Into<Cow<'static, str>>, remedy: Remedy) -> SourceError {
    SourceError::NotRead { input: input.clone(), is: is.into(), remedy: remedy.in_words(input) }
}

/// Refuses a zip archive that is an office document, which is recognised by the names of the files in the archive.
pub(super) fn refuse_zip(input: &Input, names: &[&str]) -> Result<(), SourceError> {
    let has = |name: &str| names.contains(&name);
    match () {
        () if has("[Content_Types].xml") => Err(refusal(input, "an Office document, such as .xlsx", EXCEL)),
        () if has("mimetype") && has("content.xml") => Err(refusal(input, "an OpenDocument file", EXCEL)),
        () => Ok(()),
    }
}

/// Refuses a text that starts like a JSON array of objects, or like a JSON object over several lines. Call this function only if the text
/// can't be read in any format, because JSON lines may start in the same way. `is_cut`: whether the text is the start of a longer line.
pub(super) fn refuse_json(input: &Input, text: &[u8], is_cut: bool) -> Result<(), SourceError> {
    let text = text.trim_ascii_start();
    let inside = text.get(1..).unwrap_or_default().trim_ascii_start();
    match (text.first(), inside.first()) {
        (Some(b'['), Some(b'{')) => Err(refusal(input, "a JSON array", Remedy::Pipe("jq -c '.[]' FILE"))),
        (Some(b'{'), Some(b'"')) if is_cut => {
            let is = "JSON whose first object is longer than 64 KiB";
            Err(refusal(input, is, Remedy::Pipe("jq -c '{puzzle}' FILE")))
        }
        (Some(b'{'), Some(b'"')) => {
            Err(refusal(input, "JSON over several lines", Remedy::Pipe("jq -c . FILE")))
        }
        _ => Ok(()),
    }
}

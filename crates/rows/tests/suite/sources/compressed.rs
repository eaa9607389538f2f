//! Tests of compressed inputs, both complete and damaged ones.

use std::io::{Cursor, Write};

use flate2::Compression as Level;
use flate2::write::GzEncoder;
use sudobench_rows::source::{Input, InputCompression, Options, ParsedBlock, Source, SourceError};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::{Dripping, PUZZLE as P, SOLUTION as S, read, rows_and_error, rows_of};

fn table(rows: usize) -> Vec<u8> {
    format!("puzzle,solution\n{}", format!("{P},{S}\n").repeat(rows)).into_bytes()
}

pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Level::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(super) fn zip_of(files: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(method);
    for (name, bytes) in files {
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn every_compression_from_a_pipe_and_from_a_file() {
    let text = table(3000);
    let (first, second) = text.split_at(100_001);
    let noise: &[(&str, &[u8])] =
        &[("__MACOSX/._a.csv", b"x"), ("data/a.csv", &text), ("data/.DS_Store", b"y")];
    let cases = [
        ("plain", InputCompression::None, text.clone()),
        ("gzip", InputCompression::Gzip, gzip(&text)),
        ("gzip of two members", InputCompression::Gzip, [gzip(first), gzip(second)].concat()),
        ("zstd", InputCompression::Zstd, zstd::encode_all(&text[..], 1).unwrap()),
        (
            "zstd of two frames",
            InputCompression::Zstd,
            [zstd::encode_all(first, 1).unwrap(), zstd::encode_all(second, 1).unwrap()].concat(),
        ),
        ("zip", InputCompression::Zip, zip_of(noise, CompressionMethod::Deflated)),
        ("stored zip", InputCompression::Zip, zip_of(noise, CompressionMethod::Stored)),
        ("zstd zip", InputCompression::Zip, zip_of(noise, CompressionMethod::Zstd)),
    ];
    let wanted = read(&text, Options::default()).unwrap().1;
    assert_eq!(wanted.len(), 3000);
    let folder = tempfile::tempdir().unwrap();
    for (name, compression, bytes) in cases {
        let digest = sha256(&bytes);
        let options = || Options { hash: true, ..Options::default() };
        let path = folder.path().join("input");
        std::fs::write(&path, &bytes).unwrap();
        let file = Source::open(&[Input::File(path)], options()).unwrap();
        assert_eq!(file.progress().1, Some(bytes.len() as u64), "{name}");
        let pipe =
            Source::from_reader("standard input", Dripping(Cursor::new(bytes.clone())), options()).unwrap();
        for mut source in [file, pipe] {
            assert_eq!(rows_of(&mut source).unwrap(), wanted, "{name}");
            let read = source.inputs_read();
            assert_eq!(read.len(), 1, "{name}");
            assert_eq!((read[0].compression, read[0].bytes), (compression, bytes.len() as u64), "{name}");
            assert_eq!(read[0].sha256.as_ref(), Some(&digest), "{name}");
            assert_eq!(source.progress().0, bytes.len() as u64, "{name}");
        }
    }
}

fn sha256(bytes: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn damaged_data_gives_the_rows_before_it_and_an_error() {
    let text = table(3000);
    let mut bad_checksum = gzip(&text);
    let at = bad_checksum.len() - 6;
    bad_checksum[at] ^= 1;
    let gz = gzip(&text);
    let zst = zstd::encode_all(&text[..], 1).unwrap();
    let mut bad_zip = zip_of(&[("a.csv", &text)], CompressionMethod::Stored);
    bad_zip[200_000] = b'7';
    let cases = [
        ("truncated gzip", gz[..gz.len() - 100].to_vec(), "gzip"),
        ("gzip with a bad checksum", bad_checksum, "gzip"),
        ("truncated zstd", zst[..zst.len() - 20].to_vec(), "zstd"),
        ("zip with a bad checksum", bad_zip, "zip"),
    ];
    for (name, bytes, compression) in cases {
        let mut source =
            Source::from_reader("standard input", Cursor::new(bytes), Options::default()).unwrap();
        let mut delivered = 0;
        let error = loop {
            match source.next_block(Vec::new()) {
                Ok(Some(block)) => delivered += block.bytes.len(),
                Ok(None) => panic!("{name}: no error"),
                Err(error) => break error,
            }
        };
        assert!(delivered > 60_000, "{name}: {delivered} bytes came before the error");
        assert!(matches!(error, SourceError::Corrupt { .. }), "{name}: {error:?}");
        let message = error.to_string();
        let start = format!(
            "standard input is corrupt or truncated: its {compression} data cannot be read from line"
        );
        assert!(message.starts_with(&start), "{name}: {message}");
        assert!(matches!(source.next_block(Vec::new()), Ok(None)), "{name}: nothing follows an error");
    }
}

#[test]
fn zips_without_exactly_one_file_are_refused() {
    let message = |bytes: Vec<u8>| {
        Source::from_reader("standard input", Cursor::new(bytes), Options::default())
            .err()
            .unwrap()
            .to_string()
    };
    let method = CompressionMethod::Deflated;
    insta::assert_snapshot!(
        message(zip_of(&[("a.csv", b"x"), ("b.csv", b"y")], method)),
        @"standard input: the zip archive contains 2 files (a.csv, b.csv): unpack the one to read, e.g. `unzip -p ARCHIVE a.csv`"
    );
    for (name, is) in
        [("[Content_Types].xml", "an Office document, such as .xlsx"), ("mimetype", "an OpenDocument file")]
    {
        let document = message(zip_of(&[(name, b"x"), ("content.xml", b"y")], method));
        let words = format!(
            "standard input is {is}, which sudobench does not read directly: convert it first, for example with `python3 -c"
        );
        assert!(
            document.starts_with(&words) && document.contains("read_excel(sys.argv[1], dtype=str)"),
            "{document}"
        );
    }
    let refused = message(zip_of(&[("b c's.csv", b"x"), ("d.csv", b"y")], method));
    assert!(refused.ends_with(r"`unzip -p ARCHIVE 'b c'\''s.csv'`"), "{refused}");
    insta::assert_snapshot!(message(zip_of(&[], method)), @"standard input: the zip archive contains no file");
    let whole = zip_of(&[("a.csv", &table(10))], method);
    let mut encrypted = whole.clone();
    let directory = encrypted.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap();
    encrypted[directory + 8] |= 1;
    insta::assert_snapshot!(
        message(encrypted),
        @"standard input: the zip archive is encrypted: unpack it first"
    );
    assert!(
        message(whole[..whole.len() / 2].to_vec()).contains("its zip data cannot be read from line 1 on")
    );
}

#[test]
fn an_empty_file_in_a_compressed_one_is_empty() {
    let error =
        Source::from_reader("standard input", Cursor::new(gzip(b"")), Options::default()).err().unwrap();
    assert_eq!(error.to_string(), "standard input is empty");
}

#[test]
fn only_zeros_may_follow_gzip_data() {
    let text = table(10);
    let wanted = read(&text, Options::default()).unwrap().1;
    let (member, zeros) = (gzip(&text), [0; 600]);
    let (one, two) = text.split_at(300);
    let [one, two] = [gzip(one), gzip(two)];
    let flipped = [&[two[0] ^ 1], &two[1..]].concat();
    // Each case has a name, the stored bytes, and the byte at which they become invalid; `None` if they are valid.
    let cases = [
        ("zeros", [&member[..], &zeros].concat(), None),
        ("members", [&one[..], &two].concat(), None),
        ("garbage", [&member[..], b"garbage"].concat(), Some(member.len())),
        ("one byte", [&member[..], b"\x1d"].concat(), Some(member.len())),
        ("zeros and a member", [&member[..], &zeros, &member].concat(), Some(member.len() + 600)),
        ("members and a byte", [&one[..], &two, b"7"].concat(), Some(one.len() + two.len())),
        ("a member with a flipped bit", [&one[..], &flipped].concat(), Some(one.len())),
        ("a member behind zeros", [&one[..], &[0; 7], &two].concat(), Some(one.len() + 7)),
    ];
    for (name, bytes, at) in cases {
        let whole = Source::from_reader("the test", Cursor::new(bytes.clone()), Options::default()).unwrap();
        let dripping =
            Source::from_reader("the test", Dripping(Cursor::new(bytes)), Options::default()).unwrap();
        for source in [whole, dripping] {
            let (rows, error) = rows_and_error(source);
            assert!(wanted.starts_with(&rows) && !rows.is_empty(), "{name}");
            match (at, error) {
                (None, None) => assert_eq!(rows, wanted, "{name}"),
                (Some(at), Some(SourceError::Corrupt { source, .. })) => assert_eq!(
                    source.to_string(),
                    format!(
                        "byte {at} is neither padding nor the start of a gzip member that directly follows the previous one"
                    ),
                    "{name}"
                ),
                (_, other) => panic!("{name}: {other:?}"),
            }
        }
    }
    let cut = [&member[..], &member[..20]].concat();
    let mut source = Source::from_reader("the test", Cursor::new(cut), Options::default()).unwrap();
    assert!(
        matches!(rows_of(&mut source), Err(SourceError::Corrupt { .. })),
        "a member that is cut is an error"
    );
}

#[test]
fn a_row_that_ends_with_a_carriage_return_before_damage_is_complete() {
    for last in ["2", "\"2\""] {
        let mut bytes = gzip(format!("puzzle,n\r{P},1\r{P},{last}\r").as_bytes());
        let at = bytes.len() - 6;
        bytes[at] ^= 1;
        let mut source = Source::from_reader("the test", Cursor::new(bytes), Options::default()).unwrap();
        let (mut rows, mut parsed) = (0, ParsedBlock::default());
        let error = loop {
            match source.next_block(Vec::new()) {
                Ok(Some(mut block)) => {
                    source.layout().parse(&mut block, &mut parsed);
                    rows += parsed.puzzles.len();
                }
                Ok(None) => panic!("no error"),
                Err(error) => break error,
            }
        };
        assert_eq!(rows, 2);
        assert!(error.to_string().contains("from line 4 on"), "{error}");
    }
}

#[test]
fn a_window_that_takes_too_much_memory_is_refused() {
    let text = table(10);
    let encode = |window: u32| {
        let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
        encoder.window_log(window).unwrap();
        encoder.write_all(&text).unwrap();
        encoder.finish().unwrap()
    };
    let open = |bytes: Vec<u8>| Source::from_reader("big.zst", Cursor::new(bytes), Options::default());
    assert_eq!(rows_of(&mut open(encode(27)).unwrap()).unwrap().len(), 10);
    insta::assert_snapshot!(
        open(encode(31)).err().unwrap(),
        @"big.zst needs a zstd window of 2048 MiB, but at most 128 MiB are supported: compress it again without --long, e.g. `zstd -dc --long=31 OLD.zst | zstd -o NEW.zst`"
    );
    let mut later = open([encode(20), encode(31)].concat()).unwrap();
    let error = rows_of(&mut later).unwrap_err().to_string();
    assert!(error.starts_with("big.zst needs a zstd window of a larger size, but"), "{error}");
}

#[test]
fn a_tar_archive_is_refused_compressed_or_not() {
    let mut tar = vec![0; 512];
    tar[..8].copy_from_slice(b"easy.csv");
    tar[257..263].copy_from_slice(b"ustar\0");
    tar.extend_from_slice(&table(10));
    for bytes in [
        tar.clone(),
        gzip(&tar),
        zstd::encode_all(&tar[..], 1).unwrap(),
        zip_of(&[("a.tar", &tar)], CompressionMethod::Deflated),
    ] {
        let error = Source::from_reader("a.tgz", Cursor::new(bytes), Options::default()).err().unwrap();
        assert_eq!(
            error.to_string(),
            "a.tgz is a tar archive, which sudobench does not read directly: convert it first, for example with `tar -xOf FILE | sudobench solve`"
        );
    }
}

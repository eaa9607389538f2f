//! Merged shards of Parquet files are equal to the output of a run without shards.

use std::fs;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;

use serde_json::json;
use sudobench_rows::Digest;

use super::sharded::{PUZZLE, Sharded};

/// Returns a Parquet file with this number of row groups. Each has 8192 rows: outputs keep row groups of this size, but not smaller ones.
fn table(groups: usize) -> Vec<u8> {
    sudobench_tables::add_formats();
    const GROUP_ROWS: usize = 8192;
    let rows = groups * GROUP_ROWS;
    let id: ArrayRef = Arc::new(Int64Array::from_iter_values(0..rows as i64));
    let puzzle = |row: usize| if row % 5 == 4 { None } else { Some(PUZZLE) };
    let puzzle: ArrayRef = Arc::new((0..rows).map(puzzle).collect::<StringArray>());
    let batch = RecordBatch::try_from_iter_with_nullable([("id", id, true), ("puzzle", puzzle, true)]);
    let batch = batch.unwrap();
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(GROUP_ROWS)).build();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap()
}

#[test]
fn row_groups_are_copied_unchanged() {
    for cuts in [&[][..], &[8192, 16_384], &[0, 16_384], &[24_576, 24_576]] {
        Sharded::new(&table(3), "in.parquet", cuts, "parquet").assert_whole();
    }
    Sharded::new(&table(0), "in.parquet", &[0], "parquet").assert_whole();
}

#[test]
fn arrow_files_become_one() {
    for cuts in [&[][..], &[8192, 16_384], &[0, 16_384], &[24_576, 24_576]] {
        Sharded::new(&table(3), "in.parquet", cuts, "arrow").assert_whole();
    }
    Sharded::new(&table(0), "in.parquet", &[0], "arrow").assert_whole();
}

#[test]
fn a_changed_table_is_never_merged() {
    let sharded = Sharded::new(&table(3), "in.parquet", &[8192, 16_384], "parquet");
    let part = sharded.part(2);
    let sound = fs::read(&part).unwrap();
    let footer =
        sound.len() - 8 - u32::from_le_bytes(sound[sound.len() - 8..][..4].try_into().unwrap()) as usize;
    for at in
        [0, 4, footer / 2, footer - 1, footer, footer + 40, sound.len() - 9, sound.len() - 8, sound.len() - 1]
    {
        let mut changed = sound.clone();
        changed[at] ^= 1;
        fs::write(&part, &changed).unwrap();
        let refused = sharded.merge().unwrap_err();
        assert!(refused.contains("part-2.parquet"), "{at}: {refused}");
        assert!(!sharded.at("merged").exists());
    }
    fs::write(&part, &sound).unwrap();
    sharded.assert_whole();
}

#[test]
fn tables_of_other_columns_are_refused() {
    for end in ["parquet", "arrow"] {
        let sharded = Sharded::new(&table(2), "in.parquet", &[8192], end);
        let other = Sharded::of_csv(3, &[1], end);
        fs::copy(other.part(2), sharded.part(2)).unwrap();
        let bytes = fs::read(sharded.part(2)).unwrap();
        sharded.tell(2, |record| record["output"] = json!(Digest::from_bytes(&bytes)));
        let refused = sharded.read().unwrap_err();
        assert_eq!(refused, format!("part-2.{end} has other columns or other metadata than part-1.{end}"));
    }
}

//! Whether records were made at one vector level.

use crate::record::BenchRecord;

/// A record whose variants ran at another vector level than those of the first record. A difference in time, and of
/// a batch solver in its counters, may then be the level's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherLevel {
    /// Which record it is; the first is 0.
    pub record: usize,
    /// The first record's level.
    pub first: String,
    /// This record's level.
    pub now: String,
}

/// The records at another level than the first. Nothing is said of records that do not tell theirs.
pub fn other_levels(records: &[BenchRecord]) -> Vec<OtherLevel> {
    let Some(first) = records.first().and_then(|record| record.simd_level.clone()) else { return Vec::new() };
    let differs = |(record, other): (usize, &BenchRecord)| {
        let now = other.simd_level.clone().filter(|now| *now != first)?;
        Some(OtherLevel { record, first: first.clone(), now })
    };
    records.iter().enumerate().filter_map(differs).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::fixtures;

    #[test]
    fn another_level_is_told_where_both_records_know_theirs() {
        let at = |level: Option<&str>| BenchRecord {
            simd_level: level.map(str::to_owned),
            ..fixtures::bench_record()
        };
        let told = OtherLevel { record: 3, first: "avx2".to_owned(), now: "avx512".to_owned() };
        assert_eq!(other_levels(&[at(Some("avx2")), at(Some("avx2")), at(None), at(Some("avx512"))]), [told]);
        assert_eq!(other_levels(&[at(None), at(Some("avx512"))]), []);
        assert_eq!(other_levels(&[]), []);
    }
}

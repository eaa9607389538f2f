//! Warnings for readers of a comparison, for example if the records were made under different conditions.

use crate::record::BenchRecord;

/// A warning about the conditions under which a record was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caveat {
    /// Position of the record; the first is 0.
    pub record: usize,
    /// The kind of warning.
    pub kind: CaveatKind,
}

/// The kind of warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CaveatKind {
    /// The solvers ran at a different SIMD level than in the first record. This may explain a difference in time and, for a batch solver,
    /// in counters too.
    Level(Difference),
    /// The record is from another machine or build profile than the first record. The list has the differences.
    Machine(Vec<Difference>),
    /// The run was interrupted; the text describes its progress.
    Interrupted(String),
}

/// A condition that differs between two records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Name of the condition.
    pub what: &'static str,
    /// Value of the condition in the first record.
    pub before: String,
    /// Value of the condition in the other record.
    pub now: String,
}

/// Returns the caveats of all records. Records that do not state their SIMD level have no caveat about it.
pub fn caveats(records: &[BenchRecord]) -> Vec<Caveat> {
    let Some(first) = records.first() else { return Vec::new() };
    let of = |(record, other): (usize, &BenchRecord)| {
        let machine = Some(machine_differences(first, other)).filter(|differences| !differences.is_empty());
        let level = level_difference(first, other).map(CaveatKind::Level);
        let interrupted = other.interruption().map(CaveatKind::Interrupted);
        let kinds = machine.map(CaveatKind::Machine).into_iter().chain(interrupted).chain(level);
        kinds.map(|kind| Caveat { record, kind }).collect::<Vec<_>>()
    };
    records.iter().enumerate().flat_map(of).collect()
}

/// Returns the difference of the SIMD levels of two records. `None` if the levels are equal, or if a record does not state its level.
pub(crate) fn level_difference(first: &BenchRecord, other: &BenchRecord) -> Option<Difference> {
    let (before, now) = first.simd_level.clone().zip(other.simd_level.clone())?;
    (before != now).then_some(Difference { what: "SIMD level", before, now })
}

/// Returns the differences between two records in properties of the machine and the build that affect times.
pub(crate) fn machine_differences(first: &BenchRecord, other: &BenchRecord) -> Vec<Difference> {
    let conditions = |record: &BenchRecord| {
        let (machine, build) = (&record.machine, &record.build);
        [
            ("processor", machine.cpu.clone()),
            ("cores", machine.cores.to_string()),
            ("architecture", machine.architecture.clone()),
            // The version of the kernel is left out: a machine with an updated kernel is still the same machine.
            ("system", machine.os.split(", kernel ").next().unwrap_or_default().to_owned()),
            ("profile", build.profile.clone()),
        ]
    };
    let both = conditions(first).into_iter().zip(conditions(other));
    let differing = both.filter(|((_, before), (_, now))| before != now);
    differing.map(|((what, before), (_, now))| Difference { what, before, now }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::fixtures;

    #[test]
    fn another_level_is_a_caveat_if_both_records_state_theirs() {
        let at = |level: Option<&str>| BenchRecord {
            simd_level: level.map(str::to_owned),
            ..fixtures::bench_record()
        };
        let kind = CaveatKind::Level(Difference {
            what: "SIMD level",
            before: "avx2".to_owned(),
            now: "avx512".to_owned(),
        });
        let told = Caveat { record: 3, kind };
        assert_eq!(caveats(&[at(Some("avx2")), at(Some("avx2")), at(None), at(Some("avx512"))]), [told]);
        assert_eq!(caveats(&[at(None), at(Some("avx512"))]), []);
        assert_eq!(caveats(&[]), []);
    }

    #[test]
    fn an_interrupted_record_is_a_caveat_at_any_position() {
        let interrupted = BenchRecord { interrupted: true, ..fixtures::bench_record() };
        let found = caveats(&[interrupted.clone(), fixtures::bench_record(), interrupted]);
        assert_eq!(found.iter().map(|caveat| caveat.record).collect::<Vec<_>>(), [0, 2]);
    }

    #[test]
    fn each_property_that_affects_times_makes_another_machine() {
        let first = fixtures::bench_record();
        let differing = |change: &dyn Fn(&mut BenchRecord)| -> Vec<&'static str> {
            let mut other = first.clone();
            change(&mut other);
            machine_differences(&first, &other).into_iter().map(|difference| difference.what).collect()
        };
        assert_eq!(differing(&|other| other.machine.cpu.push('2')), ["processor"]);
        assert_eq!(differing(&|other| other.machine.cores += 1), ["cores"]);
        assert_eq!(differing(&|other| other.machine.architecture.push('2')), ["architecture"]);
        assert_eq!(differing(&|other| other.machine.os.insert(0, 'X')), ["system"]);
        assert_eq!(differing(&|other| other.build.profile = "debug".to_owned()), ["profile"]);
        assert_eq!(differing(&|other| other.machine.os.push_str(", kernel 9")), [""; 0]);
    }
}

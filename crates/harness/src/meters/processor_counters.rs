//! The finding of `doctor` about the counters of the processor.

use std::io;

use super::counters::try_counters;
use crate::record::Finding;
use crate::record::registry::{FIGURES, Readings};

/// Finds out which counters of the processor `bench` and `gate` can read. If none can be read, the finding has advice. Measurements then
/// work as usual, but without these counts.
pub fn processor_counters() -> Finding {
    let paranoid = std::fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").ok();
    counters(try_counters(), paranoid.as_deref().map(str::trim))
}

/// Makes the finding from the result of reading the counters. `paranoid` is the kernel's setting `perf_event_paranoid`.
fn counters(found: io::Result<Readings>, paranoid: Option<&str>) -> Finding {
    let (value, advice) = match found {
        Ok(counts) if !counts.is_empty() => {
            let labels = FIGURES.iter().filter(|figure| counts.contains_key(figure.key));
            (labels.map(|figure| figure.label).collect::<Vec<_>>().join(", "), "")
        }
        Err(error) if cfg!(target_os = "linux") && error.kind() == io::ErrorKind::Unsupported => (
            "none: the system call is blocked".to_owned(),
            "allow the system call perf_event_open, or count instructions with `gate --instructions callgrind`",
        ),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => (
            format!("no permission (perf_event_paranoid is {})", paranoid.unwrap_or("unknown")),
            "allow them with `sysctl kernel.perf_event_paranoid=2`; in a container, also allow the system call perf_event_open",
        ),
        Err(error) if cfg!(not(target_os = "linux")) => {
            (format!("none: {error}"), "measure on Linux to see cycles and instructions")
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => ("none".to_owned(), NO_COUNTERS),
        Ok(_) => ("none: they stay at 0".to_owned(), NO_COUNTERS),
        Err(error) => (format!("none: {error}"), NO_COUNTERS),
    };
    Finding { name: "processor counters".to_owned(), value, advice: advice.to_owned() }
}

/// Advice if the processor seems to have no counters, or if it is unknown why they can't be read.
const NO_COUNTERS: &str = "the processor has none, or the virtual machine hides them: use another machine, or count instructions with `gate --instructions callgrind`";

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_counters_are_named_or_the_reason_is_given() {
        let error = |kind: io::ErrorKind| Err(io::Error::from(kind));
        let counts = ["instructions", "cycles", "branch_misses"].map(|key| (key.into(), 1.0));
        let cases = [
            (Ok(counts.into()), None),
            (error(io::ErrorKind::PermissionDenied), Some("4")),
            (error(io::ErrorKind::PermissionDenied), None),
            (error(io::ErrorKind::NotFound), Some("2")),
            (Ok(Readings::new()), Some("2")),
        ];
        let findings = cases.map(|(found, paranoid)| counters(found, paranoid));
        let shown = findings.map(|found| format!("{}: {} ({})", found.name, found.value, found.advice));
        insta::assert_snapshot!(shown.join("\n"));
        let here = processor_counters();
        assert!(!here.value.is_empty());
        assert_eq!(here.advice.is_empty(), here.value.starts_with("cycles"), "{here:?}");
    }
}

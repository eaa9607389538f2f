//! Findings about sources of noise on this machine, as far as the system reports them.

use std::path::Path;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::figures::counted;

/// A property of the machine that may disturb measurements.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Name of the finding, such as `governor`.
    pub name: String,
    /// The value that was found.
    pub value: String,
    /// Why the value disturbs measurements and what helps; empty if it does not disturb them.
    pub advice: String,
}

impl Finding {
    /// Returns whether the value disturbs measurements.
    pub fn is_noisy(&self) -> bool {
        !self.advice.is_empty()
    }
}

/// Looks for known causes of noise in measurements. Properties that the system does not report are left out.
pub fn look_for_noise() -> Vec<Finding> {
    let mut findings =
        findings_under(Path::new("/"), std::thread::available_parallelism().map_or(1, usize::from));
    findings.push(timer_resolution());
    findings
}

/// Returns the findings from the files in `proc` and `sys` under `root`. Only Linux has these files.
fn findings_under(root: &Path, cores: usize) -> Vec<Finding> {
    let read = |path: &str| Some(std::fs::read_to_string(root.join(path)).ok()?.trim().to_owned());
    let cpu_info = read("proc/cpuinfo").unwrap_or_default();
    [
        read("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").map(|value| governor(&value)),
        read("sys/devices/system/cpu/intel_pstate/no_turbo").map(|value| turbo(value == "0")),
        read("sys/devices/system/cpu/cpufreq/boost").map(|value| turbo(value == "1")),
        read("proc/loadavg").and_then(|value| load(&value, cores)),
        read("sys/devices/system/cpu/smt/active").map(|value| shared_cores(value == "1")),
        virtual_machine(&cpu_info),
        read("proc/stat").and_then(|value| stolen_time(&value)),
        read("sys/fs/cgroup/cpu.max").and_then(|value| core_limit(&value)),
        read("sys/devices/system/clocksource/clocksource0/current_clocksource")
            .map(|value| clock_source(&value)),
        read("proc/sys/kernel/randomize_va_space").map(|value| address_layout(&value)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Makes a finding. `noisy` says whether the value disturbs measurements; if it does not, the finding has no advice.
fn finding(name: &str, value: impl Into<String>, noisy: bool, advice: &str) -> Finding {
    let advice = if noisy { advice } else { "" };
    Finding { name: name.to_owned(), value: value.into(), advice: advice.to_owned() }
}

fn governor(value: &str) -> Finding {
    let advice = "the clock speed depends on the load: `cpupower frequency-set -g performance` keeps it high";
    finding("governor", value, value != "performance", advice)
}

fn turbo(on: bool) -> Finding {
    let advice = "the clock speed depends on heat and on other cores: switch off turbo to compare runs at different times";
    finding("turbo", if on { "on" } else { "off" }, on, advice)
}

/// Returns the load from the first field of `/proc/loadavg`: the number of tasks that ran, waited for a core or waited for a disk, as the
/// average over the last minute.
fn load(value: &str, cores: usize) -> Option<Finding> {
    let average: f64 = value.split_whitespace().next()?.parse().ok()?;
    let advice = "other processes compete for the cores: wait for them, or compare builds with `gate`, which runs them in turn";
    Some(finding(
        "load",
        format!("{average} on {}", counted(cores as u64, "core")),
        average > 0.25 * cores as f64,
        advice,
    ))
}

fn shared_cores(on: bool) -> Finding {
    let advice = "two hardware threads share a core: keep the other thread idle, or switch off SMT";
    finding("shared cores (SMT)", if on { "active" } else { "none" }, on, advice)
}

/// Reads the processor flags of `/proc/cpuinfo`, which contain `hypervisor` in a virtual machine.
fn virtual_machine(cpu_info: &str) -> Option<Finding> {
    let flags = cpu_info.lines().find(|line| line.starts_with("flags"))?;
    let guest = flags.split_whitespace().any(|flag| flag == "hypervisor");
    let advice = "other virtual machines on the host are not visible: trust only ratios of interleaved runs";
    Some(finding("virtual machine", if guest { "yes" } else { "no" }, guest, advice))
}

/// Returns the share of the time since boot that the host gave to other machines, from the first line of `/proc/stat`.
fn stolen_time(stat: &str) -> Option<Finding> {
    let line = stat.lines().find(|line| line.starts_with("cpu "))?;
    let ticks: Vec<f64> =
        line.split_whitespace().skip(1).take(8).filter_map(|tick| tick.parse().ok()).collect();
    let share = ticks.get(7)? / ticks.iter().sum::<f64>().max(1.0) * 100.0;
    let advice = "the host takes CPU time away at times: use another machine";
    Some(finding("stolen time since boot", format!("{share:.2}%"), share > 0.1, advice))
}

/// Returns the limit of cores from `cpu.max` of the control group. The file has the quota (or `max`) and the period.
fn core_limit(value: &str) -> Option<Finding> {
    let mut parts = value.split_whitespace();
    let (quota, period) = (parts.next()?, parts.next()?.parse::<f64>().ok()?);
    let cores = quota.parse::<f64>().map(|quota| quota / period);
    let advice = "the control group stops the process when its CPU quota is used up: raise the limit";
    let shown = cores.as_ref().map_or("none".to_owned(), f64::to_string);
    Some(finding("core limit", shown, cores.is_ok(), advice))
}

fn clock_source(value: &str) -> Finding {
    let fast = matches!(value, "tsc" | "kvm-clock" | "arch_sys_counter" | "hyperv_clocksource_tsc_page");
    let advice = "reading this clock costs a system call: latencies of easy puzzles are too long, so use the throughput instead";
    finding("clock source", value, !fast, advice)
}

/// Returns the finding about the randomization of addresses. The memory layout of a process changes its speed by a few percent. If the
/// kernel randomizes addresses, each process has a different layout, and the differences average out. A fixed layout may always favour the
/// same program.
fn address_layout(value: &str) -> Finding {
    let shown = if value == "0" { "fixed" } else { "randomized" };
    finding(
        "address layout",
        shown,
        value == "0",
        "a fixed memory layout can favour one binary: let the kernel randomize addresses",
    )
}

/// Measures the smallest step of the clock that measures latencies.
fn timer_resolution() -> Finding {
    let step = |_| {
        let start = Instant::now();
        (0..1_000_000).map(|_| start.elapsed().as_nanos()).find(|&elapsed| elapsed > 0)
    };
    let smallest = (0..100).filter_map(step).min().unwrap_or(0);
    let advice = "latencies of easy puzzles are only a few ticks of this clock: use the throughput instead";
    finding("timer resolution", format!("{smallest} ns"), smallest > 100, advice)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        root
    }

    #[test]
    fn findings_on_a_noisy_machine_have_advice() {
        let root = tree(&[
            ("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n"),
            ("sys/devices/system/cpu/intel_pstate/no_turbo", "0\n"),
            ("proc/loadavg", "3.10 2.0 1.0 2/345 1234\n"),
            ("sys/devices/system/cpu/smt/active", "1\n"),
            ("proc/cpuinfo", "flags\t\t: fpu hypervisor\n"),
            ("proc/stat", "cpu  100 0 0 890 0 0 0 10 0 0\n"),
            ("sys/fs/cgroup/cpu.max", "150000 100000\n"),
            ("sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n"),
            ("proc/sys/kernel/randomize_va_space", "0\n"),
        ]);
        let findings = findings_under(root.path(), 4);
        assert!(findings.iter().all(Finding::is_noisy), "{findings:#?}");
        let shown: Vec<_> = findings.iter().map(|found| format!("{}: {}", found.name, found.value)).collect();
        insta::assert_snapshot!(shown.join("\n"));
    }

    #[test]
    fn a_quiet_or_unknown_machine_has_no_noise() {
        let root = tree(&[
            ("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance"),
            ("sys/devices/system/cpu/cpufreq/boost", "0"),
            ("proc/loadavg", "0.10 2.0 1.0 2/345 1234"),
            ("sys/devices/system/cpu/smt/active", "0"),
            ("proc/cpuinfo", "flags\t\t: fpu sse"),
            ("proc/stat", "cpu  100 0 0 900 0 0 0 0 0 0"),
            ("sys/fs/cgroup/cpu.max", "max 100000"),
            ("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc"),
            ("proc/sys/kernel/randomize_va_space", "2"),
        ]);
        let findings = findings_under(root.path(), 4);
        assert_eq!(findings.len(), 9);
        assert!(!findings.iter().any(Finding::is_noisy), "{findings:#?}");
        assert_eq!(findings_under(tree(&[]).path(), 4), []);
    }

    #[test]
    fn the_timer_has_a_resolution() {
        assert!(timer_resolution().value.ends_with(" ns"));
    }
}

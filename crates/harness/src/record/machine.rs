//! The machine on which a measurement ran, and the build of the program that measured.

use serde::{Deserialize, Serialize};

/// Description of the machine, for readers of a measurement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// The processor's name as the system reports it.
    pub cpu: String,
    /// Number of logical cores that this process may use.
    pub cores: usize,
    /// Main memory in bytes.
    pub memory_bytes: u64,
    /// Operating system, with its release and its kernel.
    pub os: String,
    /// Instruction set, such as `x86_64`.
    pub architecture: String,
    /// The processor's vector extensions that solvers can use, such as `avx2`, from the oldest to the newest.
    pub vector_extensions: Vec<String>,
}

impl Machine {
    /// Returns the description of this machine.
    pub fn detect() -> Machine {
        let system = sysinfo::System::new_with_specifics(
            sysinfo::RefreshKind::nothing()
                .with_cpu(sysinfo::CpuRefreshKind::nothing())
                .with_memory(sysinfo::MemoryRefreshKind::nothing().with_ram()),
        );
        let cpu =
            system.iter().flat_map(sysinfo::System::cpus).map(|cpu| cpu.brand().trim().to_owned()).next();
        let kernel = sysinfo::System::kernel_version().unwrap_or_default();
        let release = sysinfo::System::long_os_version().unwrap_or_else(|_| std::env::consts::OS.to_owned());
        Machine {
            cpu: cpu.unwrap_or_default(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory_bytes: system.iter().map(sysinfo::System::total_memory).sum(),
            os: format!("{release}, kernel {kernel}"),
            architecture: std::env::consts::ARCH.to_owned(),
            vector_extensions: vector_extensions().into_iter().map(str::to_owned).collect(),
        }
    }
}

/// Returns the vector extensions of this processor that solvers can use.
#[cfg(target_arch = "x86_64")]
fn vector_extensions() -> Vec<&'static str> {
    let found = [
        ("sse2", true),
        ("avx2", std::arch::is_x86_feature_detected!("avx2")),
        ("avx512f", std::arch::is_x86_feature_detected!("avx512f")),
        ("avx512vbmi", std::arch::is_x86_feature_detected!("avx512vbmi")),
    ];
    found.into_iter().filter(|(_, present)| *present).map(|(name, _)| name).collect()
}

#[cfg(target_arch = "aarch64")]
fn vector_extensions() -> Vec<&'static str> {
    vec!["neon"]
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn vector_extensions() -> Vec<&'static str> {
    Vec::new()
}

/// The build of a program: its sources, compiler and settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Build {
    /// The version of sudobench.
    pub version: String,
    /// The commit, with `-dirty` for uncommitted changes; empty outside a checkout.
    pub commit: String,
    /// The compiler.
    pub rustc: String,
    /// The target triple.
    pub target: String,
    /// `release` or `debug`.
    pub profile: String,
    /// Flags that Cargo passed to the compiler from `RUSTFLAGS` or from its configuration.
    pub rustflags: String,
}

impl Build {
    /// Returns the build of this program.
    pub fn current() -> Build {
        Build {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: env!("SUDOBENCH_COMMIT").to_owned(),
            rustc: env!("SUDOBENCH_RUSTC").to_owned(),
            target: env!("SUDOBENCH_TARGET").to_owned(),
            profile: env!("SUDOBENCH_PROFILE").to_owned(),
            rustflags: env!("SUDOBENCH_RUSTFLAGS").to_owned(),
        }
    }
}

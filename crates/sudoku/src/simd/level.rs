//! SIMD levels. The widest level of the CPU is used, unless the user or the caller chooses another one.

use std::fmt;
use std::str::FromStr;

#[cfg(target_arch = "x86_64")]
use super::{Avx2, Avx512};
use super::{Baseline, Kernel, Simd};

/// A SIMD level that the solvers are compiled for.
///
/// ```
/// use sudobench_sudoku::simd::Level;
///
/// assert!(Level::supported().eq(Level::ALL.iter().copied().filter(|level| level.is_supported())));
/// assert_eq!(Level::supported().last(), Some(Level::widest()));
/// assert_eq!(Level::widest().checked(), Ok(Level::widest()));
/// assert_eq!("avx2".parse(), Ok(Level::Avx2));
/// assert_eq!(Level::Avx2.to_string(), Level::Avx2.name());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Level {
    /// The instructions that every CPU of the target has: SSE2 on x86-64, NEON on little-endian aarch64, plain integers elsewhere.
    /// The solver `bitslice` solves 128 puzzles at once.
    Baseline,
    /// AVX2: `bitslice` solves 256 puzzles at once.
    Avx2,
    /// AVX-512 (F, BW, DQ, VL): `bitslice` solves 512 puzzles at once.
    Avx512,
}

/// Reasons why a level cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LevelError {
    /// The text is not the name of a level.
    #[error("unknown SIMD level `{0}`: choose avx512, avx2, baseline or auto")]
    Unknown(String),
    /// This CPU lacks the instructions of the first level. The second level is the widest that this CPU has.
    #[error("this CPU has no {0}: choose {1} or auto")]
    Unsupported(Level, Level),
}

/// The environment variable that names a level: `avx512`, `avx2`, `baseline` or `auto`.
pub const VARIABLE: &str = "SUDOBENCH_SIMD";

impl Level {
    /// All levels, narrowest first.
    pub const ALL: &[Level] = &[Level::Baseline, Level::Avx2, Level::Avx512];

    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            Level::Baseline => "baseline",
            Level::Avx2 => "avx2",
            Level::Avx512 => "avx512",
        }
    }

    /// Returns whether this CPU has the instructions.
    pub fn is_supported(self) -> bool {
        match self {
            Level::Baseline => true,
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => Avx2::detect().is_some(),
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => Avx512::detect().is_some(),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// Returns an iterator over the levels that this CPU has, narrowest first.
    pub fn supported() -> impl Iterator<Item = Level> {
        Level::ALL.iter().copied().filter(|level| level.is_supported())
    }

    /// Returns the widest level that this CPU has.
    pub fn widest() -> Level {
        Level::supported().last().unwrap_or(Level::Baseline)
    }

    /// Returns the level itself if the CPU has it.
    ///
    /// # Errors
    /// [`LevelError::Unsupported`] if the CPU lacks it.
    pub fn checked(self) -> Result<Level, LevelError> {
        if self.is_supported() { Ok(self) } else { Err(LevelError::Unsupported(self, Level::widest())) }
    }

    /// Parses the name of a level. `auto` stands for the widest level that this CPU has.
    ///
    /// # Errors
    /// [`LevelError`] if the name is unknown or the CPU lacks the level.
    ///
    /// ```
    /// use sudobench_sudoku::simd::Level;
    /// assert_eq!(Level::from_name("auto"), Ok(Level::widest()));
    /// assert!(Level::from_name("mmx").is_err());
    /// ```
    pub fn from_name(name: &str) -> Result<Level, LevelError> {
        match name {
            "auto" => Ok(Level::widest()),
            _ => name.parse::<Level>()?.checked(),
        }
    }

    /// Returns the level that the environment variable [`VARIABLE`] names. If the variable is unset or empty, returns the widest level that
    /// this CPU has. Nothing else in this package reads the environment.
    ///
    /// # Errors
    /// [`LevelError`] if the variable names an unknown level or a level that the CPU lacks.
    ///
    /// ```
    /// use sudobench_sudoku::{simd::Level, solver::Auto};
    /// let solver = Auto::new(Level::from_environment()?)?;
    /// # Ok::<(), sudobench_sudoku::simd::LevelError>(())
    /// ```
    pub fn from_environment() -> Result<Level, LevelError> {
        match std::env::var_os(VARIABLE) {
            Some(name) if !name.is_empty() => Level::from_name(&name.to_string_lossy()),
            _ => Ok(Level::widest()),
        }
    }
}

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(name: &str) -> Result<Level, LevelError> {
        let found = Level::ALL.iter().copied().find(|level| level.name() == name);
        found.ok_or_else(|| LevelError::Unknown(name.to_owned()))
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Builds a value for a vector width that is chosen at run time. The code is written once for all widths.
pub(crate) trait Build {
    /// The result: the same type for every width.
    type Output;

    /// Builds the result for the width of `simd`.
    fn build<S: Simd<N>, const N: usize>(self, simd: S) -> Self::Output;
}

/// Builds the result of a kernel: runs the kernel at the chosen width.
impl<K: Kernel> Build for K {
    type Output = K::Output;

    fn build<S: Simd<N>, const N: usize>(self, simd: S) -> K::Output {
        simd.call(self)
    }
}

/// Calls the builder with the token of this level. A token is a value that proves that the CPU has the instructions.
///
/// # Errors
/// [`LevelError::Unsupported`] if the CPU lacks the level.
pub(crate) fn build_at<B: Build>(level: Level, what: B) -> Result<B::Output, LevelError> {
    level.checked().map(|level| build_at_most(level, what))
}

/// Calls the builder with the token of this level. If the CPU lacks the level, uses the widest of the narrower levels that the CPU has.
pub(crate) fn build_at_most<B: Build>(level: Level, what: B) -> B::Output {
    #[cfg(target_arch = "x86_64")]
    if level >= Level::Avx512
        && let Some(simd) = Avx512::detect()
    {
        return what.build(simd);
    } else if level >= Level::Avx2
        && let Some(simd) = Avx2::detect()
    {
        return what.build(simd);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = level;
    what.build(Baseline)
}

/// Calls the builder with the token of the widest level of this CPU.
pub(crate) fn build_widest<B: Build>(what: B) -> B::Output {
    build_at_most(Level::Avx512, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed_and_others_refused() {
        for &level in Level::ALL {
            assert_eq!(level.to_string().parse(), Ok(level));
        }
        assert_eq!(Level::from_name("auto"), Ok(Level::widest()));
        assert_eq!(Level::from_name("sse9"), Err(LevelError::Unknown("sse9".to_owned())));
    }

    #[test]
    fn a_level_that_the_cpu_lacks_is_an_error() {
        for &level in Level::ALL {
            assert_eq!(level.checked().is_ok(), level.is_supported());
        }
        assert!(Level::Baseline.is_supported());
        let message = LevelError::Unsupported(Level::Avx512, Level::Avx2).to_string();
        assert_eq!(message, "this CPU has no avx512: choose avx2 or auto");
    }
}

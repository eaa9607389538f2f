//! The module `sudobench._sudobench`. It is a thin layer below the Python code in `python/sudobench`. The Python code contains the
//! signatures and the documentation.
//!
//! Long work releases the interpreter lock (`interruptible.rs`). Errors become Python exceptions, in which options are named as keyword
//! arguments (`errors.rs`).
#![forbid(unsafe_code)]

mod alarm;
mod augment;
mod candidates;
mod dedupe;
mod errors;
mod export;
mod extract;
mod file;
mod forms;
mod found;
mod generate;
mod grids;
mod input;
mod interruptible;
mod kept;
mod memory;
mod one;
mod options;
mod overlap;
mod program;
mod progress;
mod rows;
mod score;
mod split;
mod stratify;
mod tables;

use pyo3::prelude::*;

#[pymodule]
mod _sudobench {
    /// The version of the package.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "Python requires this name")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    use super::{
        augment::{augment_pairs, check_augment},
        candidates::candidates,
        dedupe::classes,
        errors::NotGenerated,
        export::results_to_arrow,
        extract::extracted,
        file::run_job,
        forms::{transform_boards, transform_table, transformations},
        found::find,
        found::hint,
        found::step_svg,
        found::technique_names,
        generate::{generate, generate_table},
        grids::are_solutions,
        input::Rows,
        memory::Memory,
        one::solve_one,
        overlap::overlaps,
        program::main,
        rows::{columns_of, words_to_arrow},
        score::{accuracies, pass_at, score, score_report},
        split::test_sides,
        stratify::stratify,
        tables::{SolvedTable, add_columns},
    };

    #[pymodule_init]
    fn init(_module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        sudobench_tables::add_formats();
        Ok(())
    }
}

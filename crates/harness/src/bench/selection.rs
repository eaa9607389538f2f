//! The choice of built-in solvers. A variant is an entry in the registry of built-in solvers.

use std::fmt;

use regex_lite::Regex;
use sudobench_sudoku::puzzle::Puzzle;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver::{self, Question, Status, Variant};

use super::{Dataset, Fault};
use crate::record::PuzzleName;

/// The name that stands for every solver that is not hidden.
const ALL: &str = "all";

/// The name for a selection without any solver.
const NONE: &str = "none";

/// Limit of nodes for a tried puzzle. The solver `bitmask` needs about 10 ms for this many nodes, and `bool-table` about 40 ms
/// (docs/notes/measuring.md). If even one of a few puzzles takes more nodes, a large dataset may take minutes.
const TOO_MANY_NODES: u64 = 1_000_000;

/// Maximum number of puzzles of each dataset that are solved to find out whether a variant is too slow.
const TRIED: usize = 16;

/// The selection of variants by their names. The patterns then filter the selected variants.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Names of solvers. An empty list or the name `all` means every solver that is not hidden. `none` means no solver.
    pub names: Vec<String>,
    /// Pattern of the names that are kept.
    pub include: Option<Regex>,
    /// Pattern of the names that are left out.
    pub exclude: Option<Regex>,
}

impl Selection {
    /// Returns the chosen solvers, each once. If no name or the name `all` was typed, the solvers are in the order of the registry,
    /// followed by the hidden solvers that were named. Otherwise the solvers are in the order of the names.
    ///
    /// # Errors
    ///
    /// [`Fault`] if a name is unknown, or `none` is combined with others.
    pub fn variants(&self) -> Result<Vec<&'static Variant>, Fault> {
        if self.names.iter().any(|name| name == NONE) {
            return match self.names.len() {
                1 => Ok(Vec::new()),
                _ => Err(Fault(format!(
                    "--solvers {}: `{NONE}` cannot be combined with other names",
                    self.names.join(",")
                ))),
            };
        }
        let mut chosen: Vec<&'static Variant> = Vec::new();
        for name in self.names.iter().filter(|name| *name != ALL) {
            let variant = variant_named(name)?;
            if !chosen.iter().any(|other| other.name == variant.name) {
                chosen.push(variant);
            }
        }
        if self.names.is_empty() || self.names.iter().any(|name| name == ALL) {
            let named = std::mem::take(&mut chosen);
            chosen = solver::listed().collect();
            chosen.extend(named.into_iter().filter(|variant| variant.hidden));
        }
        let included = |name| self.include.as_ref().is_none_or(|pattern| pattern.is_match(name));
        let excluded = |name| self.exclude.as_ref().is_some_and(|pattern| pattern.is_match(name));
        chosen.retain(|variant| included(variant.name) && !excluded(variant.name));
        Ok(chosen)
    }
}

/// Returns the variant with this name.
///
/// # Errors
/// [`Fault`] if no variant has this name.
pub fn variant_named(name: &str) -> Result<&'static Variant, Fault> {
    let known = || solver::listed().map(|variant| variant.name).collect::<Vec<_>>().join(", ");
    solver::find(name).ok_or_else(|| Fault(format!("there is no solver `{name}`; choose from {}", known())))
}

/// A puzzle for which a variant needs too many nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooHard {
    /// The variant.
    pub solver: &'static str,
    /// The puzzle.
    pub puzzle: PuzzleName,
    /// The dataset's name.
    pub dataset: String,
}

impl fmt::Display for TooHard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TooHard { solver, puzzle, dataset } = self;
        write!(f, "puzzle {puzzle} of {dataset} takes {solver} more than {TOO_MANY_NODES} nodes")
    }
}

/// Tries a few puzzles of each dataset. Returns the first puzzle for which `variant` needs too many nodes. Unless `question` has a time
/// limit, the result doesn't depend on a clock.
///
/// # Errors
/// [`Fault`] if the variant cannot be built.
pub fn too_hard(
    variant: &Variant,
    level: Level,
    datasets: &[Dataset],
    question: &Question,
) -> Result<Option<TooHard>, Fault> {
    let mut solver = variant.build(level).map_err(|error| Fault(error.to_string()))?;
    let question = Question { max_nodes: Some(TOO_MANY_NODES), ..question.clone() };
    for dataset in datasets {
        // If puzzles have several forms, only the first form of each puzzle is tried.
        let puzzles = dataset.puzzles().iter().enumerate();
        let mut tried = puzzles.step_by(dataset.isomorphs().unwrap_or(1)).take(TRIED);
        let mut too_hard = |puzzle: &Puzzle| solver.solve(puzzle, &question).status == Status::Aborted;
        if let Some((at, _)) = tried.find(|(_, puzzle)| too_hard(puzzle)) {
            let (puzzle, dataset) = (dataset.puzzle_name(at), dataset.name().to_owned());
            return Ok(Some(TooHard { solver: variant.name, puzzle, dataset }));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::puzzle;
    use super::*;
    #[test]
    fn names_keep_their_order_and_patterns_filter() {
        let all = Selection::default().variants().unwrap();
        assert_eq!(all.len(), solver::listed().count());
        let names = vec!["null".to_owned(), "null".to_owned()];
        let twice = Selection { names, ..Selection::default() };
        assert_eq!(twice.variants().unwrap().len(), 1);
        let without = Selection { exclude: Some(Regex::new("^nu").unwrap()), ..twice };
        assert!(without.variants().unwrap().is_empty());
        let unknown = Selection { names: vec!["magic".to_owned()], ..Selection::default() };
        assert!(unknown.variants().unwrap_err().to_string().starts_with("there is no solver `magic`"));
    }

    #[test]
    fn all_means_all_listed_solvers_and_none_means_no_solver() {
        let names = |names: &[&str]| {
            let names = names.iter().map(|&name| name.to_owned()).collect();
            let chosen = Selection { names, ..Selection::default() }.variants().unwrap();
            chosen.into_iter().map(|variant| variant.name).collect::<Vec<_>>()
        };
        assert_eq!(names(&["all"]), names(&[]));
        assert_eq!(names(&["null", "mrv", "all"]), [names(&[]), vec!["null"]].concat());
        assert!(names(&["none"]).is_empty());
        let both = vec!["none".to_owned(), "mrv".to_owned()];
        let fault = Selection { names: both, ..Selection::default() }.variants().unwrap_err();
        assert_eq!(fault.to_string(), "--solvers none,mrv: `none` cannot be combined with other names");
    }

    #[test]
    fn a_puzzle_that_takes_too_many_nodes_is_named() {
        let naive = solver::find("bitmask").unwrap();
        let found = |puzzles| {
            let dataset = Dataset::in_order("d", puzzles);
            too_hard(naive, Level::widest(), &[dataset], &Question::unique()).unwrap()
        };
        assert_eq!(found(vec![puzzle(); 3]), None);
        // A row-major search tries the digits of the first row in ascending order. The first row of this puzzle's solution is almost the
        // last that the search tries.
        let hard: Puzzle =
            "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"
                .parse()
                .unwrap();
        let message = "puzzle 2 of d takes bitmask more than 1000000 nodes";
        assert_eq!(found(vec![puzzle(), hard]).unwrap().to_string(), message);
        let beyond = [vec![puzzle(); TRIED], vec![hard]].concat();
        assert_eq!(found(beyond), None, "only the first puzzles of each dataset are tried");
    }

    #[test]
    fn one_form_of_each_puzzle_is_tried() {
        let hard: Puzzle =
            "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"
                .parse()
                .unwrap();
        let isomorphs = std::num::NonZeroUsize::new(2).unwrap();
        let found = |easy| {
            let puzzles = [vec![puzzle(); easy], vec![hard]].concat();
            let forms = Dataset::in_order("d", puzzles).into_forms(isomorphs, 2).unwrap();
            let naive = solver::find("bitmask").unwrap();
            too_hard(naive, Level::widest(), &[forms], &Question::unique()).unwrap()
        };
        let message = "puzzle 16, form 1 of d takes bitmask more than 1000000 nodes";
        assert_eq!(found(TRIED - 1).unwrap().to_string(), message);
        assert_eq!(found(TRIED), None);
    }
}

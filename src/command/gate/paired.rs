//! Gate B: two binaries in turn.

use std::path::{Path, PathBuf};

use crate::bench::{BlockRatio, Blocks, Fault, Passes, Rival, ServedPair};
use crate::cli::GateArgs;
use crate::gate::{BlockPlan, BlockSource, Check, Verdict};
use sudobench_sudoku::random::Random;
use sudobench_sudoku::simd::Level;

/// Runs blocks until every pair that both binaries have is decided.
pub(super) fn check(typed: &GateArgs, level: Level, base: &Path) -> anyhow::Result<Vec<Check>> {
    let head = typed.head.clone().map_or_else(std::env::current_exe, Ok)?;
    let (of_base, of_head) = (arguments(typed, false), arguments(typed, true));
    let mut start = || {
        let base: Box<dyn Passes> = Box::new(Rival::start(base, &of_base, level)?);
        let head: Box<dyn Passes> = Box::new(Rival::start(&head, &of_head, level)?);
        Ok((base, head))
    };
    let mut blocks = Blocks { start: &mut start, leg: typed.leg, random: Random::new(typed.seed) };
    let served = blocks.pairs()?;
    let plan = BlockPlan {
        min_blocks: typed.min_blocks.get(),
        max_blocks: typed.max_blocks.get(),
        time_percent: typed.limits.time_percent,
        seed: typed.seed,
    };
    // Positions are those among the head's pairs, so the blocks' ratios need no translation.
    let common: Vec<usize> = (0..served.len()).filter(|&at| served[at].1).collect();
    let names: Vec<(String, String)> =
        common.iter().map(|&at| (served[at].0.solver.clone(), served[at].0.dataset.clone())).collect();
    let mut source = Common { blocks: &mut blocks, common: &common, quiet: typed.output.quiet, done: 0 };
    let mut checks = plan.decide(&names, &mut source)?;
    checks.extend(served.iter().filter(|(_, known)| !known).map(|(pair, _)| new_pair(pair)));
    Ok(checks)
}

/// The words that make a binary serve the gate's pairs. A base that lacks a solver of the head must still
/// start, so it is asked for all that it has, unless solvers were named.
fn arguments(typed: &GateArgs, is_head: bool) -> Vec<String> {
    let mut words = vec!["serve".to_owned()];
    words.extend(typed.datasets.iter().map(|path: &PathBuf| path.display().to_string()));
    let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
    option("--sample", typed.sample.to_string());
    option("--seed", typed.seed.to_string());
    option("--max-solutions", typed.max_solutions.to_string());
    option("--max-nodes", typed.max_nodes.to_string());
    option("--max-time", format!("{}ns", typed.max_time.as_nanos()));
    let selection = &typed.selection;
    let by_name = selection.solvers.iter().map(|name| regex_lite::escape(name)).collect::<Vec<_>>();
    match (is_head, by_name.is_empty()) {
        (_, true) => (),
        (true, false) => option("--solvers", selection.solvers.join(",")),
        // By pattern, an unknown name is no error.
        (false, false) => option("--include", format!("^({})$", by_name.join("|"))),
    }
    if let Some(pattern) = selection.include.as_ref().filter(|_| is_head || by_name.is_empty()) {
        option("--include", pattern.to_string());
    }
    if let Some(pattern) = &selection.exclude {
        option("--exclude", pattern.to_string());
    }
    words
}

fn new_pair(pair: &ServedPair) -> Check {
    Check {
        gate: "paired".to_owned(),
        solver: pair.solver.clone(),
        dataset: pair.dataset.clone(),
        verdict: Verdict::Pass,
        reason: "new: the base binary does not have it".to_owned(),
        figures: None,
    }
}

/// Blocks of the common pairs, by their positions among these.
struct Common<'c, 'b> {
    blocks: &'c mut Blocks<'b>,
    common: &'c [usize],
    quiet: bool,
    done: usize,
}

impl BlockSource for Common<'_, '_> {
    type Fault = Fault;

    fn block(&mut self, wanted: &[usize]) -> Result<Vec<BlockRatio>, Fault> {
        let of_head: Vec<usize> = wanted.iter().map(|&at| self.common[at]).collect();
        let ratios = self.blocks.run(&of_head)?;
        self.done += 1;
        if !self.quiet && self.done.is_multiple_of(10) {
            anstream::eprintln!("sudobench: {} blocks, {} pairs in the last", self.done, wanted.len());
        }
        let position = |of_head: usize| self.common.iter().position(|&at| at == of_head);
        Ok(ratios.into_iter().filter_map(|(at, ratio)| Some((position(at)?, ratio))).collect())
    }
}

//! Runs trials of two builds until every figure is decided.

use std::time::{Duration, Instant};

use sudobench_sudoku::random::Random;

use crate::command::progress::Progress;
use sudobench_harness::bench::{HeadPairs, Ratios, ServedPair, Sides, Trials};
use sudobench_harness::figures::counted;
use sudobench_harness::gate::{Check, Compared, Series, TrialPlan, Unmeasured};
use sudobench_harness::record::registry::{Figure, FoundBy, Limit};

/// How long a pair of a binary warms up, where nothing else was typed: in each process, and anew in every trial.
pub(super) const BINARY_WARM_UP: Duration = Duration::from_millis(250);

/// The same of an engine, which has its start-up in it and does it once.
pub(super) const ENGINE_WARM_UP: Duration = Duration::from_secs(10);

/// How trials are run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trialling {
    /// How many, and the seed of their order.
    pub(super) plan: TrialPlan,
    /// The time of each of the four legs of a trial.
    pub(super) leg: Duration,
}

/// What came of trials.
pub(super) struct Trialled {
    /// A check for each pair that both sides have, and for each figure.
    pub(super) checks: Vec<Check>,
    /// The pairs that the head has alone.
    pub(super) new: Vec<ServedPair>,
}

/// Runs trials until every figure of every pair that both sides have is decided. Each figure may rise by so many percent.
///
/// # Errors
/// Where a side cannot be started.
pub(super) fn run_trials(
    sides: &dyn Sides,
    trialling: Trialling,
    figures: &[(&'static Figure, f64)],
    progress: &mut Progress,
) -> anyhow::Result<Trialled> {
    let Trialling { plan, leg } = trialling;
    let mut trials = Trials { sides, leg, random: Random::new(plan.seed) };
    let HeadPairs { common, new } = trials.pairs()?;
    // The figures of a pair stand together: the pair of a position is that over their number.
    let compared = common.iter().flat_map(|pair| {
        figures.iter().map(|&(figure, percent)| Compared {
            solver: pair.solver.clone(),
            dataset: pair.dataset.clone(),
            figure,
            percent,
        })
    });
    let mut series = Series::new(plan, &compared.collect::<Vec<_>>());
    let start = Instant::now();
    while !series.wanted().is_empty() {
        let wanted = series.wanted().to_vec();
        let mut pairs: Vec<usize> = wanted.iter().map(|at| at / figures.len()).collect();
        pairs.dedup();
        let (done, due) = series.progress();
        let words = format!("gate B: trial {} of {}", done + 1, counted(pairs.len() as u64, "pair"));
        progress.tell((done, due), left(start, done, due), &words);
        let found = trials.run(&pairs)?;
        let ratio = |at: usize| {
            let ratios = found.iter().find(|(pair, _)| *pair == at / figures.len())?.1.clone();
            let ratio = ratios
                .map_err(Unmeasured::broken)
                .and_then(|ratios| ratio_of(&ratios, figures[at % figures.len()].0));
            Some((at, ratio))
        };
        series.take(wanted.into_iter().filter_map(ratio).collect::<Vec<_>>());
    }
    Ok(Trialled { checks: series.checks(), new })
}

/// The ratio of a figure, or why there is none.
fn ratio_of(ratios: &Ratios, figure: &Figure) -> Result<f64, Unmeasured> {
    let unknown = match figure.limit {
        Some(Limit::Rise { found_by: FoundBy::Trials { unknown, .. }, .. }) => unknown,
        _ => "trials don't measure it",
    };
    ratios.of(figure).ok_or_else(|| Unmeasured::missing(unknown))
}

/// What the trials until the next verdicts take, if they take as long as those before.
fn left(start: Instant, done: usize, due: usize) -> Option<Duration> {
    let each = start.elapsed().checked_div(u32::try_from(done).ok()?)?;
    Some(each * u32::try_from(due.saturating_sub(done)).ok()?)
}

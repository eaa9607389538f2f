//! A latency histogram drawn with characters.

use std::fmt::Write as _;

use hdrhistogram::Histogram;
use sudobench_rows::Budget;

use super::count;
use super::units::round_time;

/// Width of the longest bar in characters, if the line is long enough.
const BAR_WIDTH: usize = 40;
/// Width of the label and the spaces next to a bar, without the count.
const BESIDE_BAR: usize = 20;
/// First digits of the edges of bins, for each power of ten.
const STEPS: [u64; 3] = [1, 2, 5];

/// One row of the drawing: latencies from `low` to below `high`, in nanoseconds.
struct Bin {
    low: u64,
    high: u64,
    puzzles: u64,
}

/// Draws times on a logarithmic axis (steps 1-2-5), with one row for each bin and a line at each budget. `budgets` must be sorted, the
/// shortest first.
///
/// The lengths of bars are proportional to the counts; a bin with any puzzle has at least a thin bar. Bars are shorter if `width` is small.
/// The text is empty if nothing was timed.
pub(super) fn draw_histogram(histogram: &Histogram<u64>, budgets: &[Budget], width: usize) -> String {
    let mut text = String::new();
    let bins = bins(histogram);
    let most = bins.iter().map(|bin| bin.puzzles).max().unwrap_or(0);
    let room = width.saturating_sub(BESIDE_BAR + count(most).len());
    let mut budgets = budgets.iter().peekable();
    let lowest = bins.first().map_or(0, |bin| bin.low);
    while let Some(budget) = budgets.next_if(|budget| budget.limit_ns() <= lowest) {
        write_mark(&mut text, budget);
    }
    for bin in &bins {
        let range = format!("{:>6} - {:<6}", round_time(bin.low as f64), round_time(bin.high as f64));
        let bar = bar(bin.puzzles, most, room.clamp(1, BAR_WIDTH));
        let _ = writeln!(text, "  {range} |{bar} {}", count(bin.puzzles));
        while let Some(budget) = budgets.next_if(|budget| budget.limit_ns() <= bin.high) {
            write_mark(&mut text, budget);
        }
    }
    if !bins.is_empty() {
        budgets.for_each(|budget| write_mark(&mut text, budget));
    }
    text
}

fn write_mark(text: &mut String, budget: &Budget) {
    let _ = writeln!(text, "  {:->15} +-- budget {}", "", budget.label());
}

fn bar(puzzles: u64, most: u64, width: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = if most == 0 { 0.0 } else { puzzles as f64 / most as f64 * width as f64 * 8.0 };
    let eighths = if puzzles > 0 { eighths.max(1.0) } else { eighths } as usize;
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

/// Returns the bins from the fastest puzzle to the slowest.
fn bins(histogram: &Histogram<u64>) -> Vec<Bin> {
    if histogram.is_empty() {
        return Vec::new();
    }
    let edges = (0..14u32).flat_map(|power| STEPS.map(|step| step * 10u64.pow(power))).collect::<Vec<_>>();
    let mut bins: Vec<Bin> =
        edges.windows(2).map(|pair| Bin { low: pair[0], high: pair[1], puzzles: 0 }).collect();
    for recorded in histogram.iter_recorded() {
        // Each bucket of the histogram belongs to the bin that contains the lowest value of the bucket. A time of 0 belongs to the first
        // bin.
        let value = histogram.lowest_equivalent(recorded.value_iterated_to()).max(1);
        let bin = bins.partition_point(|bin| bin.high <= value).min(bins.len() - 1);
        bins[bin].puzzles += recorded.count_at_value();
    }
    let first = bins.iter().position(|bin| bin.puzzles > 0).unwrap_or(0);
    let last = bins.iter().rposition(|bin| bin.puzzles > 0).unwrap_or(0);
    bins.drain(last + 1..);
    bins.drain(..first);
    bins
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudobench_rows::{Budgets, Latency};

    fn drawn(budgets: &str, latencies: &[(u64, usize)]) -> String {
        let budgets = budgets.parse::<Budgets>().unwrap().list;
        let mut latency = Latency::new(&budgets);
        for &(ns, times) in latencies {
            (0..times).for_each(|_| latency.record(ns, true));
        }
        draw_histogram(latency.histogram(), &budgets, 80)
    }

    #[test]
    fn bars_and_budgets_are_at_their_places() {
        let many = [(0, 1), (1_500, 400), (2_000, 100), (90_000, 50), (2_000_000, 3)];
        insta::assert_snapshot!(drawn("1us,50us,80ms", &many));
    }

    #[test]
    fn without_times_nothing_is_drawn() {
        assert_eq!(drawn("80ms", &[]), "");
    }
}

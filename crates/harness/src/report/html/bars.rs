//! A bar chart of the speed of the solvers on each dataset of a record.
//!
//! ```text
//! easy        auto          ████████████████████ 12.9 M/s
//!             tdoku         █ 658 K/s
//! ```
//!
//! Each dataset has its own scale, because speeds on two datasets can differ by a factor of a hundred. Bars begin at zero.

use maud::{Markup, PreEscaped, html};

use super::STYLE;
use super::plot::{short, text};
use crate::figures::rate;
use crate::record::{BenchRecord, DatasetRecord, Kind, Measurement, PairRecord};
use crate::report::escape;

/// Lengths in units of the drawing. One unit is one pixel if the drawing is not scaled.
const WIDTH: f64 = 760.0;
const NAMES: f64 = 170.0;
const BAR: f64 = 430.0;
const ROW: f64 = 19.0;
const HEADING: f64 = 30.0;
const THICKNESS: f64 = 13.0;

/// Maximum number of characters of a solver's name; longer names are cut.
const LONGEST_NAME: usize = 24;

/// Draws the speed of the solvers as a self-contained SVG file. Returns `None` if the record is one of `judge` or has no measurement.
pub fn speed_svg(record: &BenchRecord) -> Option<String> {
    let chart = chart(record, true)?;
    Some(escape::visible_lines(&chart.into_string()).into_owned())
}

/// Draws the chart for a page. The chart uses the style sheet of the page.
pub(super) fn speed_chart(record: &BenchRecord) -> Option<Markup> {
    let chart = chart(record, false)?;
    Some(html! { figure { h3 { "puzzles per second" } (chart) } })
}

fn caption(record: &BenchRecord) -> String {
    let threads = record.pairs.first().map_or(1, |pair| pair.threads);
    let threads = if threads == 1 { "one thread".to_owned() } else { format!("{threads} threads") };
    let is_engine = |pair: &&PairRecord| pair.kind == Kind::Engine && pair.measurement.is_some();
    let engines = || record.pairs.iter().filter(is_engine);
    let is_library = |pair: &PairRecord| pair.protocol() == Some("library");
    let note = match (engines().all(is_library), engines().any(is_library)) {
        (true, _) => "",
        (false, true) => " Engines, except libraries: start-up and pipes included.",
        (false, false) => " Engines: start-up and pipes included.",
    };
    format!("Median with its 95% interval, {threads}; more is better. Each set has its own scale.{note}")
}

/// Draws the chart. If the chart stands alone in a file, it contains the style sheet of the report's pages, so that it uses the reader's
/// light or dark scheme.
fn chart(record: &BenchRecord, stands_alone: bool) -> Option<Markup> {
    if record.is_judged() {
        return None;
    }
    let mut bottom = 0.0;
    let mut groups: Vec<(f64, &str, Vec<Bar>)> = Vec::new();
    for dataset in &record.datasets {
        let bars = bars(record, dataset);
        if !bars.is_empty() {
            let height = HEADING + ROW * bars.len() as f64;
            groups.push((bottom, &dataset.name, bars));
            bottom += height;
        }
    }
    if groups.is_empty() {
        return None;
    }
    let height = bottom + HEADING;
    Some(html! {
        svg xmlns=[stands_alone.then_some("http://www.w3.org/2000/svg")] viewBox={ "0 0 " (WIDTH) " " (height) } role="img"
            aria-label={ "Puzzles per second by solver and set. " (caption(record)) } {
            @if stands_alone { style { (PreEscaped(STYLE)) } }
            @for (top, name, bars) in &groups {
                (text("set", (0.0, top + 22.0), "start", name))
                @for (row, bar) in bars.iter().enumerate() {
                    (bar.draw(top + HEADING + ROW * row as f64))
                }
            }
            (text("tick", (0.0, height - 8.0), "start", &caption(record)))
        }
    })
}

struct Bar {
    name: String,
    /// Length as a share of the longest bar of the dataset.
    share: f64,
    /// The 95% interval of the length, if there is one.
    interval: Option<[f64; 2]>,
    /// The speed, as a number with its unit.
    label: String,
}

impl Bar {
    fn draw(&self, top: f64) -> Markup {
        let length = (BAR * self.share).max(1.0);
        let class = if self.share == 1.0 { "bar best" } else { "bar" };
        let middle = short(top + THICKNESS / 2.0);
        let ends = self.interval.map(|ends| ends.map(|share| NAMES + BAR * share));
        // The label is to the right of both the bar and the interval.
        let right = ends.map_or(NAMES + length, |[_, high]| high.max(NAMES + length));
        html! {
            (text("name", (NAMES - 10.0, top + 11.5), "end", &self.name))
            rect class=(class) x=(short(NAMES)) y=(short(top)) width=(short(length)) height=(short(THICKNESS)) rx="2" {}
            @if let Some([low, high]) = ends {
                line class="whisker" x1=(short(low)) x2=(short(high)) y1=(middle) y2=(middle) {}
            }
            (text("tick", (right + 8.0, top + 11.5), "start", &self.label))
        }
    }
}

/// Returns the bars of a dataset, fastest first. If the solvers have different kinds of answers, each name includes the kind.
fn bars(record: &BenchRecord, dataset: &DatasetRecord) -> Vec<Bar> {
    let mut solvers: Vec<(&PairRecord, &Measurement)> = record.measured(&dataset.name).collect();
    let speed = |measurement: &Measurement| measurement.throughput.median;
    solvers.sort_by(|a, b| speed(b.1).total_cmp(&speed(a.1)));
    let Some(&(first, best)) = solvers.first() else { return Vec::new() };
    let fastest = speed(best);
    let is_mixed = solvers.iter().any(|(pair, _)| pair.answers() != first.answers());
    let bar = |&(pair, measurement): &(&PairRecord, &Measurement)| {
        let mut name: String = pair.solver.chars().take(LONGEST_NAME).collect();
        if is_mixed {
            name = format!("{name} ({})", pair.answers().name());
        }
        let interval =
            measurement.throughput_interval().map(|bounds| [bounds.low / fastest, bounds.high / fastest]);
        Bar { name, share: speed(measurement) / fastest, interval, label: rate(speed(measurement)) }
    };
    solvers.iter().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{EngineRecord, fixtures};

    #[test]
    fn each_set_has_its_own_scale() {
        let record = fixtures::bench_record();
        let svg = speed_svg(&record).unwrap();
        let document: Vec<&str> = svg.split('<').collect();
        let bars = document.iter().filter(|tag| tag.starts_with("rect ")).count();
        assert_eq!(bars, record.pairs.iter().filter(|pair| pair.measurement.is_some()).count());
        let best = document.iter().filter(|tag| tag.contains("bar best") && tag.contains("430.0")).count();
        assert_eq!(best, record.datasets.len());
    }

    #[test]
    fn the_caption_says_which_engines_are_timed_with_start_up_and_pipes() {
        let mut record = fixtures::bench_record();
        let template = record.pairs[0].measurement.clone().unwrap();
        let engine = fixtures::judge_record().pairs.remove(0).measurement.unwrap().engine.unwrap();
        let mut said = |protocols: &[&str]| {
            for (pair, protocol) in record.pairs.iter_mut().zip(protocols) {
                let protocol = Some((*protocol).to_owned());
                let engine = EngineRecord { protocol, ..engine.clone() };
                pair.kind = Kind::Engine;
                pair.measurement = Some(Measurement { engine: Some(engine), ..template.clone() });
            }
            caption(&record)
        };
        assert!(!said(&[]).contains("Engines"));
        assert!(!said(&["library"]).contains("Engines"));
        assert!(
            said(&["library", "lines"]).contains(" Engines, except libraries: start-up and pipes included.")
        );
        assert!(said(&["files", "lines"]).contains(" Engines: start-up and pipes included."));
    }

    #[test]
    fn a_record_without_measurements_has_no_chart() {
        let mut record = fixtures::bench_record();
        for pair in &mut record.pairs {
            pair.measurement = None;
        }
        assert!(speed_svg(&record).is_none());
    }
}

//! Plots a figure over a sequence of places on the horizontal axis, such as the runs of a history. Each value has a mark at its place.
//! Vertical lines show where the figure changed.

use maud::{Markup, html};

use super::plot::{Axis, BOTTOM, HEIGHT, Plot, Series, TOP, colour, dash, joined, line, mark, short, text};
use crate::statistics::extent;

/// Maximum number of places on the horizontal axis whose names are shown.
const NAMED_PLACES: usize = 8;

/// Number of rows for the labels of changes. Neighbouring labels are in different rows, so they overlap less.
const LABEL_ROWS: usize = 3;

/// Largest number of grid lines on an axis.
const MOST_TICKS: usize = 20;

/// Minimum range of an axis, as a share of the largest value. If the range were smaller, noise would look like a change.
const LEAST_SPAN: f64 = 0.05;

/// A value at one place of the horizontal axis. For example, each place is a run of a history.
#[derive(Clone, Debug)]
pub(super) struct TrendPoint {
    pub(super) place: usize,
    pub(super) value: f64,
    pub(super) interval: Option<(f64, f64)>,
    /// Description that is shown when the mouse pointer is over the point.
    pub(super) label: String,
}

/// A line of a plot. Its points are comparable values of one figure.
#[derive(Clone, Debug)]
pub(super) struct TrendLine {
    pub(super) name: String,
    pub(super) points: Vec<TrendPoint>,
}

/// How the marks of a line are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Join {
    /// A horizontal line at each value, and a vertical line to the next value, half a place before the next mark. Used for counts.
    Steps,
    /// Straight lines join the marks.
    Straight,
    /// The marks are not joined.
    Apart,
}

#[derive(Clone, Debug)]
pub(super) struct TrendPlot {
    pub(super) title: String,
    pub(super) description: String,
    /// Label of the horizontal axis.
    pub(super) across: String,
    /// Label of the vertical axis. `shown` formats its numbers.
    pub(super) label: &'static str,
    pub(super) shown: fn(f64) -> String,
    /// The largest possible value of the figure.
    pub(super) most: f64,
    pub(super) join: Join,
    pub(super) names: Vec<String>,
    pub(super) lines: Vec<TrendLine>,
    /// The first run after each change, as an index into `names`.
    pub(super) changes: Vec<usize>,
}

impl TrendPlot {
    /// Renders the plot as a figure. If there is only one line, the figure has no legend.
    pub(super) fn html(&self) -> Markup {
        let frame = self.frame();
        let drawing = html! {
            (frame.axes())
            (self.change_lines(&frame))
            @for (style, line) in self.lines.iter().enumerate() { (self.line(&frame, style, line)) }
        };
        frame.figure(&drawing, self.lines.len() > 1)
    }

    /// Returns an empty plot with the axes, and with the names of the lines for the legend.
    fn frame(&self) -> Plot {
        let last = self.names.len().saturating_sub(1);
        let step = self.names.len().div_ceil(NAMED_PLACES).max(1);
        let ticks =
            self.names.iter().enumerate().step_by(step).map(|(place, name)| (place as f64, name.clone()));
        let points = self.lines.iter().flat_map(|line| &line.points);
        let values = points.flat_map(|point| {
            let (low, high) = point.interval.unwrap_or((point.value, point.value));
            [low, point.value, high]
        });
        let series = self.lines.iter().enumerate();
        let series =
            series.map(|(style, line)| Series { name: line.name.clone(), style, points: Vec::new() });
        Plot {
            title: self.title.clone(),
            description: self.description.clone(),
            // There is some space before the first place and after the last place.
            x: Axis { label: self.across.clone(), min: -0.5, max: last as f64 + 0.5, ticks: ticks.collect() },
            y: linear_axis(self.label, values, self.join == Join::Steps, self.most, self.shown),
            series: series.collect(),
            budgets: Vec::new(),
            cloud: false,
        }
    }

    fn change_lines(&self, frame: &Plot) -> Markup {
        html! {
            @for (at, &changed) in self.changes.iter().enumerate() {
                // The line is between two places, because the change happened between them.
                @let x = frame.x_of(changed as f64 - 0.5);
                (line("change", (x, TOP), (x, HEIGHT - BOTTOM)))
                (text("change-label", (x + 4.0, TOP + 12.0 + 14.0 * (at % LABEL_ROWS) as f64), "start", &self.names[changed]))
            }
        }
    }

    fn line(&self, frame: &Plot, style: usize, line: &TrendLine) -> Markup {
        let on_page = |place: usize, value: f64| (frame.x_of(place as f64), frame.y_of(value));
        let mut places: Vec<(f64, f64)> = Vec::new();
        for point in &line.points {
            let (x, y) = on_page(point.place, point.value);
            if self.join == Join::Steps
                && let Some(&(_, before)) = places.last()
            {
                places.push((frame.x_of(point.place as f64 - 0.5), before));
                places.push((frame.x_of(point.place as f64 - 0.5), y));
            }
            places.push((x, y));
        }
        let last = line.points.last().map(|point| (frame.y_of(point.value), (self.shown)(point.value)));
        html! {
            @if self.join != Join::Apart {
                polyline.curve points=(joined(&places)) stroke=(colour(style)) stroke-dasharray=(dash(style)) {
                    title { (line.name) }
                }
            }
            @for point in &line.points {
                g {
                    title { (point.label) }
                    @if let Some((low, high)) = point.interval {
                        @let ((x, bottom), (_, top)) = (on_page(point.place, low), on_page(point.place, high));
                        line.curve stroke=(colour(style)) x1=(short(x)) y1=(short(bottom)) x2=(short(x)) y2=(short(top)) {}
                    }
                    (mark(on_page(point.place, point.value), style, 3.5, 1.0))
                }
            }
            @if let Some((y, label)) = last {
                (frame.end_label(y, style, &label))
            }
        }
    }
}

/// Makes an axis from slightly below the smallest value to slightly above the largest value, but not above `limit`, with lines at round
/// values. For counts, the lines are at whole numbers.
fn linear_axis(
    label: &str,
    values: impl Iterator<Item = f64>,
    is_count: bool,
    limit: f64,
    shown: fn(f64) -> String,
) -> Axis {
    // Values that are not finite are ignored: a product of ratios from a file may be infinite.
    let (least, most) = extent(values.filter(|value| value.is_finite())).unwrap_or((0.0, 1.0));
    let span =
        (most - least).max(most.abs() * LEAST_SPAN).max(if is_count { 4.0 } else { f64::MIN_POSITIVE });
    let middle = (least + most) / 2.0;
    // Figures are never below 0.
    let (min, max) = ((middle - 0.6 * span).max(0.0), (middle + 0.6 * span).min(limit));
    let power = 10_f64.powf(((max - min) / 4.0).log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    let step = step.into_iter().find(|step| (max - min) / step <= 6.0).unwrap_or(power);
    let step = if is_count { step.max(1.0) } else { step };
    let first = (min / step).ceil();
    let ticks =
        (0..).map(|at| (first + f64::from(at)) * step).take_while(|value| *value <= max).take(MOST_TICKS);
    Axis {
        label: label.to_owned(),
        min,
        max,
        ticks: ticks.map(|value| (value, short_tick(&shown(value)))).collect(),
    }
}

/// Formats a round number for an axis: `40 ms`, not `40.0 ms`, and `40%`, not `40.00%`.
fn short_tick(shown: &str) -> String {
    shown.replace(".00 ", " ").replace(".0 ", " ").replace(".00%", "%")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{count, duration_ns};

    #[test]
    fn axes_have_round_numbers_and_contain_all_values() {
        let axis = |values: &[f64], is_count, shown| {
            linear_axis("", values.iter().copied(), is_count, f64::INFINITY, shown)
        };
        let names =
            |axis: &Axis| axis.ticks.iter().map(|(_, name)| name.clone()).collect::<Vec<_>>().join(" ");
        let whole = |value: f64| count(value.round() as u64);
        let counts = axis(&[51.0, 60.0], true, whole);
        assert_eq!(names(&counts), "52 54 56 58 60");
        assert!(counts.min < 51.0 && 60.0 < counts.max);
        assert_eq!(names(&axis(&[7.0, 7.0], true, whole)), "5 6 7 8 9");
        assert_eq!(names(&axis(&[0.0], true, whole)), "0 1 2");
        assert_eq!(names(&axis(&[1e3, 1.2e3], false, duration_ns)), "1 us 1.05 us 1.10 us 1.15 us 1.20 us");
        let percent = |share: f64| format!("{:.2}%", 100.0 * share);
        let shares = linear_axis("", [0.5, 1.0].into_iter(), false, 1.0, percent);
        assert_eq!((names(&shares).as_str(), shares.max), ("50% 60% 70% 80% 90% 100%", 1.0));
        for odd in [&[][..], &[f64::INFINITY], &[f64::MAX, f64::MAX], &[f64::NAN, 1.0], &[1e-300, 1e300]] {
            assert!(axis(odd, false, duration_ns).ticks.len() <= MOST_TICKS);
            assert!(axis(odd, true, whole).ticks.len() <= MOST_TICKS);
        }
    }
}

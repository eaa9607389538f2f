//! Plots as SVG: curves and scatter plots on linear or logarithmic axes.

use maud::{Markup, html};

use crate::report::units::round_time;
use crate::statistics::extent;

/// Number of colours in the style sheet. If there are more series, a colour is used again with another dash.
const COLOURS: usize = 8;

/// Dash patterns, so that readers can distinguish the series without seeing their colours.
const DASHES: [&str; 4] = ["", "8 4", "2 3", "10 3 2 3"];

/// The outer sizes and the margins around the axes. A scatter plot is about square and has no labels to its right.
pub(super) const HEIGHT: f64 = 400.0;
const CURVE_WIDTH: f64 = 860.0;
const CLOUD_WIDTH: f64 = 460.0;
const LEFT: f64 = 72.0;
const CURVE_RIGHT: f64 = 130.0;
const CLOUD_RIGHT: f64 = 24.0;
pub(super) const TOP: f64 = 14.0;
pub(super) const BOTTOM: f64 = 52.0;

/// The smallest vertical distance between the labels at the ends of curves.
const LABEL_STEP: f64 = 15.0;

#[derive(Clone, Debug)]
pub(super) struct Axis {
    pub(super) label: String,
    /// Both ends of the axis, in units of the axis. For a logarithmic axis, the ends are logarithms.
    pub(super) min: f64,
    pub(super) max: f64,
    /// Positions of grid lines, with their labels.
    pub(super) ticks: Vec<(f64, String)>,
}

/// The points of one solver. In a trend plot, a series has no points: it is the name and the style of one line, for the legend.
#[derive(Clone, Debug)]
pub(super) struct Series {
    pub(super) name: String,
    /// Number that determines the colour, the dash and the mark.
    pub(super) style: usize,
    pub(super) points: Vec<(f64, f64)>,
}

#[derive(Clone, Debug)]
pub(super) struct Plot {
    pub(super) title: String,
    /// Description of the plot. It is shown below the plot, and read by screen readers.
    pub(super) description: String,
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) series: Vec<Series>,
    /// Horizontal lines with a label.
    pub(super) budgets: Vec<(f64, String)>,
    /// Whether the plot is a scatter plot, with points and the diagonal instead of curves.
    pub(super) cloud: bool,
}

impl Axis {
    /// Makes a logarithmic axis of times in nanoseconds, with a line at each power of ten. Positions are logarithms to base ten.
    pub(super) fn from_times(label: &str, times_ns: impl Iterator<Item = f64>) -> Axis {
        let (least, most) = extent(times_ns.map(log_time)).unwrap_or((0.0, 1.0));
        let (min, max) = (least.floor(), most.ceil());
        let max = if max > min { max } else { min + 1.0 };
        let tick = |power: i32| (f64::from(power), round_time(10_f64.powi(power)));
        let ticks = (min as i32..=max as i32).map(tick).collect();
        Axis { label: label.to_owned(), min, max, ticks }
    }

    /// Returns the position of a value as a share of the axis.
    fn share(&self, value: f64) -> f64 {
        ((value - self.min) / (self.max - self.min)).clamp(0.0, 1.0)
    }
}

/// Returns the position of a time on an axis of times.
pub(super) fn log_time(ns: f64) -> f64 {
    ns.max(1.0).log10()
}

pub(super) fn colour(style: usize) -> String {
    format!("var(--s{})", style % COLOURS)
}

pub(super) fn dash(style: usize) -> &'static str {
    // Consecutive styles differ in colour and dash, and the first four styles with the same colour differ in dash.
    DASHES[(style + style / COLOURS) % DASHES.len()]
}

/// Returns the number to add to a style to get an unused style with the same colour and mark but another dash. `styles` is the number of
/// styles in use.
pub(super) fn repetition(styles: usize) -> usize {
    // Adding `COLOURS` to a style keeps the colour and moves to the next dash. After `DASHES.len()` additions, or a multiple of this
    // number, the dash is the same as at first. In this case, `COLOURS` is added once more.
    let uses = styles.div_ceil(COLOURS);
    COLOURS * if uses.is_multiple_of(DASHES.len()) { uses + 1 } else { uses }
}

impl Plot {
    fn width(&self) -> f64 {
        if self.cloud { CLOUD_WIDTH } else { CURVE_WIDTH }
    }

    fn right(&self) -> f64 {
        self.width() - if self.cloud { CLOUD_RIGHT } else { CURVE_RIGHT }
    }

    pub(super) fn x_of(&self, value: f64) -> f64 {
        LEFT + self.x.share(value) * (self.right() - LEFT)
    }

    pub(super) fn y_of(&self, value: f64) -> f64 {
        TOP + (1.0 - self.y.share(value)) * (HEIGHT - TOP - BOTTOM)
    }

    pub(super) fn html(&self) -> Markup {
        let drawing = html! {
            (self.axes())
            (self.budget_lines())
            @for series in &self.series {
                @if self.cloud { (self.points(series)) } @else { (self.curve(series)) }
            }
            @if !self.cloud { (self.end_labels()) }
        };
        self.figure(&drawing, true)
    }

    /// Renders the figure of a drawing: title, drawing, legend, description.
    pub(super) fn figure(&self, drawing: &Markup, has_legend: bool) -> Markup {
        let Plot { title, description, .. } = self;
        html! {
            figure {
                h3 { (title) }
                svg viewBox={ "0 0 " (self.width()) " " (HEIGHT) } role="img" aria-label={ (title) ". " (description) } {
                    (drawing)
                }
                @if has_legend { (self.legend()) }
                figcaption { (description) }
            }
        }
    }

    pub(super) fn axes(&self) -> Markup {
        let (right, bottom) = (self.right(), HEIGHT - BOTTOM);
        let middle = (TOP + bottom) / 2.0;
        html! {
            @for (value, name) in &self.x.ticks {
                @let x = self.x_of(*value);
                (line("grid", (x, TOP), (x, bottom)))
                (text("tick", (x, bottom + 18.0), "middle", name))
            }
            @for (value, name) in &self.y.ticks {
                @let y = self.y_of(*value);
                (line("grid", (LEFT, y), (right, y)))
                (text("tick", (LEFT - 8.0, y + 4.0), "end", name))
            }
            (text("axis", ((LEFT + right) / 2.0, HEIGHT - 10.0), "middle", &self.x.label))
            text.axis transform={ "translate(14 " (short(middle)) ") rotate(-90)" } text-anchor="middle" {
                (self.y.label)
            }
            @if self.cloud { (line("grid", (LEFT, bottom), (right, TOP))) }
        }
    }

    fn budget_lines(&self) -> Markup {
        html! {
            @for (value, label) in &self.budgets {
                @let y = self.y_of(*value);
                (line("budget", (LEFT, y), (self.right(), y)))
                (text("budget-label", (LEFT + 6.0, y - 4.0), "start", label))
            }
        }
    }

    fn curve(&self, series: &Series) -> Markup {
        let style = series.style;
        let places: Vec<(f64, f64)> =
            series.points.iter().map(|&(x, y)| (self.x_of(x), self.y_of(y))).collect();
        html! {
            polyline.curve points=(joined(&places)) stroke=(colour(style)) stroke-dasharray=(dash(style)) {
                title { (series.name) }
            }
            // A few marks distinguish curves that cross.
            @for &place in places.iter().step_by((places.len() / 5).max(1)) {
                (mark(place, style, 4.5, 1.0))
            }
        }
    }

    fn points(&self, series: &Series) -> Markup {
        html! {
            @for &(x, y) in &series.points { (mark((self.x_of(x), self.y_of(y)), series.style, 2.5, 0.55)) }
        }
    }

    /// Draws the names at the right ends of the curves, moved apart if they would overlap.
    fn end_labels(&self) -> Markup {
        let end = |series: &Series| series.points.last().map(|&(_, y)| self.y_of(y));
        let mut labels: Vec<(f64, &Series)> =
            self.series.iter().filter_map(|series| Some((end(series)?, series))).collect();
        labels.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut lowest = TOP - LABEL_STEP;
        let spare = |left: usize| HEIGHT - BOTTOM - LABEL_STEP * left as f64;
        let count = labels.len();
        for (at, (y, _)) in labels.iter_mut().enumerate() {
            lowest = y.max(lowest + LABEL_STEP).min(spare(count - 1 - at).max(lowest + LABEL_STEP));
            *y = lowest;
        }
        html! {
            @for (y, series) in labels {
                (self.end_label(y, series.style, &series.name))
            }
        }
    }

    pub(super) fn end_label(&self, y: f64, style: usize, label: &str) -> Markup {
        html! {
            text x=(short(self.right() + 8.0)) y=(short(y + 4.0)) style={ "fill:" (colour(style)) } { (label) }
        }
    }

    fn legend(&self) -> Markup {
        html! {
            ul.legend {
                @for Series { name, style, .. } in &self.series {
                    li {
                        svg viewBox="0 0 44 12" aria-hidden="true" {
                            @if !self.cloud {
                                line.curve x1="0" y1="6" x2="44" y2="6" stroke=(colour(*style))
                                    stroke-dasharray=(dash(*style)) {}
                            }
                            (mark((22.0, 6.0), *style, 4.5, 1.0))
                        }
                        (name)
                    }
                }
            }
        }
    }
}

/// Formats a length, rounded to a tenth of a unit.
pub(super) fn short(length: f64) -> String {
    format!("{length:.1}")
}

/// Formats points for an SVG attribute.
pub(super) fn joined(places: &[(f64, f64)]) -> String {
    let places: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    places.join(" ")
}

pub(super) fn line(class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) -> Markup {
    html! { line class=(class) x1=(short(x1)) y1=(short(y1)) x2=(short(x2)) y2=(short(y2)) {} }
}

pub(super) fn text(class: &str, (x, y): (f64, f64), anchor: &str, text: &str) -> Markup {
    html! { text class=(class) x=(short(x)) y=(short(y)) text-anchor=(anchor) { (text) } }
}

/// Draws a mark, whose shape depends on the style: circle, square, triangle, diamond.
pub(super) fn mark((x, y): (f64, f64), style: usize, size: f64, opacity: f64) -> Markup {
    let corners = match style % 4 {
        0 => {
            return html! {
                circle.mark fill=(colour(style)) fill-opacity=(opacity) cx=(short(x)) cy=(short(y)) r=(size) {}
            };
        }
        1 => [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
        2 => [(0.0, -1.1), (1.1, 0.9), (-1.1, 0.9), (0.0, -1.1)],
        _ => [(0.0, -1.2), (1.2, 0.0), (0.0, 1.2), (-1.2, 0.0)],
    };
    let places = corners.map(|(dx, dy)| (x + dx * size, y + dy * size));
    html! { polygon.mark fill=(colour(style)) fill-opacity=(opacity) points=(joined(&places)) {} }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_axis_has_whole_powers_of_ten() {
        let axis = Axis::from_times("time", [150.0, 2_500_000.0].into_iter());
        let names: Vec<&str> = axis.ticks.iter().map(|(_, name)| name.as_str()).collect();
        assert_eq!(names, ["100 ns", "1 us", "10 us", "100 us", "1 ms", "10 ms"]);
        assert_eq!((axis.share(axis.min), axis.share(axis.max)), (0.0, 1.0));
        assert_eq!(Axis::from_times("none", std::iter::empty()).ticks.len(), 2);
        assert_eq!(Axis::from_times("one", [1e9].into_iter()).ticks[0].1, "1 s");
    }

    #[test]
    fn styles_differ_without_colour() {
        let looks: Vec<_> = (0..8).map(|style| (dash(style), style % 4)).collect();
        assert!((1..4).all(|other| looks[other] != looks[0]));
        let repeated: Vec<_> = [0, 8, 16].map(|style| (colour(style), dash(style))).to_vec();
        assert!(repeated[0] != repeated[1] && repeated[1] != repeated[2]);
        for styles in 1..=100 {
            let other = styles - 1 + repetition(styles);
            assert_eq!((colour(other), other % 4), (colour(styles - 1), (styles - 1) % 4));
            assert_ne!(dash(other), dash(styles - 1));
        }
    }
}

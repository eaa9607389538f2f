//! Plots as SVG: curves and clouds on axes that are linear or logarithmic.

use std::fmt::Write as _;

use super::super::xml::escape;

/// Colours of the style sheet; series beyond them repeat a colour with another dash.
const COLOURS: usize = 8;

/// Dashes, by which series are told apart without colour.
const DASHES: [&str; 4] = ["", "8 4", "2 3", "10 3 2 3"];

/// The outer size and the margins around the axes. A cloud is about square and has no labels to its right.
const HEIGHT: f64 = 400.0;
const CURVE_WIDTH: f64 = 860.0;
const CLOUD_WIDTH: f64 = 460.0;
const LEFT: f64 = 72.0;
const CURVE_RIGHT: f64 = 130.0;
const CLOUD_RIGHT: f64 = 24.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 52.0;

/// The least distance between the labels at the curves' ends.
const LABEL_STEP: f64 = 15.0;

/// One axis.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    pub(super) label: String,
    /// In units of the axis: of a logarithmic one, the logarithm was taken before.
    pub(super) min: f64,
    pub(super) max: f64,
    /// Where a line and a label stand.
    pub(super) ticks: Vec<(f64, String)>,
}

/// The points of one solver.
#[derive(Clone, Debug)]
pub(super) struct Series {
    pub(super) name: String,
    /// Decides colour, dash and mark; the same for a solver in all plots of a page.
    pub(super) style: usize,
    pub(super) points: Vec<(f64, f64)>,
}

/// A plot.
#[derive(Clone, Debug)]
pub(super) struct Plot {
    pub(super) title: String,
    /// What it shows, in a sentence: below the plot, and for those who cannot see it.
    pub(super) description: String,
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) series: Vec<Series>,
    /// Horizontal lines with a label.
    pub(super) budgets: Vec<(f64, String)>,
    /// Points instead of curves, and the line on which both axes are equal.
    pub(super) cloud: bool,
}

impl Axis {
    /// An axis of times in nanoseconds, logarithmic, with a line at each power of ten. Positions are logarithms
    /// to base ten.
    pub(super) fn of_times(label: &str, times_ns: impl Iterator<Item = f64>) -> Axis {
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for log in times_ns.map(log_time) {
            (least, most) = (least.min(log), most.max(log));
        }
        let (min, max) = if least <= most { (least.floor(), most.ceil()) } else { (0.0, 1.0) };
        let max = if max > min { max } else { min + 1.0 };
        let name = |power: i32| {
            let (unit, below) = match power {
                ..3 => ("ns", 0),
                3..6 => ("us", 3),
                6..9 => ("ms", 6),
                _ => ("s", 9),
            };
            format!("{} {unit}", 10_u64.pow((power - below).max(0).unsigned_abs()))
        };
        let ticks = (min as i32..=max as i32).map(|power| (f64::from(power), name(power))).collect();
        Axis { label: label.to_owned(), min, max, ticks }
    }

    /// The share of the axis at which a value stands.
    fn share(&self, value: f64) -> f64 {
        ((value - self.min) / (self.max - self.min)).clamp(0.0, 1.0)
    }
}

/// The position of a time on an axis of times.
pub(super) fn log_time(ns: f64) -> f64 {
    ns.max(1.0).log10()
}

fn colour(style: usize) -> String {
    format!("var(--s{})", style % COLOURS)
}

fn dash(style: usize) -> &'static str {
    // Neighbours differ in both, and so do a colour's repetitions.
    DASHES[(style + style / COLOURS) % DASHES.len()]
}

impl Plot {
    fn width(&self) -> f64 {
        if self.cloud { CLOUD_WIDTH } else { CURVE_WIDTH }
    }

    /// Where the axes end.
    fn right(&self) -> f64 {
        self.width() - if self.cloud { CLOUD_RIGHT } else { CURVE_RIGHT }
    }

    fn x_of(&self, value: f64) -> f64 {
        LEFT + self.x.share(value) * (self.right() - LEFT)
    }

    fn y_of(&self, value: f64) -> f64 {
        TOP + (1.0 - self.y.share(value)) * (HEIGHT - TOP - BOTTOM)
    }

    /// The figure: title, drawing, legend, description.
    pub(super) fn html(&self) -> String {
        let mut svg = String::new();
        self.draw_axes(&mut svg);
        self.draw_budgets(&mut svg);
        for series in &self.series {
            if self.cloud { self.draw_cloud(&mut svg, series) } else { self.draw_curve(&mut svg, series) }
        }
        if !self.cloud {
            self.draw_end_labels(&mut svg);
        }
        let (title, description) = (escape(&self.title), escape(&self.description));
        format!(
            "<figure><h3>{title}</h3>\n<svg viewBox=\"0 0 {} {HEIGHT}\" role=\"img\" \
             aria-label=\"{title}. {description}\">\n{svg}</svg>\n{}<figcaption>{description}</figcaption></figure>\n",
            self.width(),
            self.legend()
        )
    }

    fn draw_axes(&self, svg: &mut String) {
        let (right, bottom) = (self.right(), HEIGHT - BOTTOM);
        for (value, name) in &self.x.ticks {
            let x = self.x_of(*value);
            line(svg, "grid", (x, TOP), (x, bottom));
            text(svg, "tick", (x, bottom + 18.0), "middle", name);
        }
        for (value, name) in &self.y.ticks {
            let y = self.y_of(*value);
            line(svg, "grid", (LEFT, y), (right, y));
            text(svg, "tick", (LEFT - 8.0, y + 4.0), "end", name);
        }
        text(svg, "axis", ((LEFT + right) / 2.0, HEIGHT - 10.0), "middle", &self.x.label);
        let middle = (TOP + bottom) / 2.0;
        let _ = writeln!(
            svg,
            "<text class=\"axis\" transform=\"translate(14 {middle:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            escape(&self.y.label)
        );
        if self.cloud {
            line(svg, "grid", (LEFT, bottom), (right, TOP));
        }
    }

    fn draw_budgets(&self, svg: &mut String) {
        for (value, label) in &self.budgets {
            let y = self.y_of(*value);
            line(svg, "budget", (LEFT, y), (self.right(), y));
            text(svg, "budget-label", (LEFT + 6.0, y - 4.0), "start", label);
        }
    }

    fn draw_curve(&self, svg: &mut String, series: &Series) {
        let points: Vec<String> = (series.points.iter())
            .map(|&(x, y)| format!("{:.1},{:.1}", self.x_of(x), self.y_of(y)))
            .collect();
        let _ = writeln!(
            svg,
            "<polyline class=\"curve\" points=\"{}\" stroke=\"{}\" stroke-dasharray=\"{}\"><title>{}</title></polyline>",
            points.join(" "),
            colour(series.style),
            dash(series.style),
            escape(&series.name)
        );
        // A few marks on the way tell curves apart where they cross.
        for &(x, y) in series.points.iter().step_by((series.points.len() / 5).max(1)) {
            mark(svg, (self.x_of(x), self.y_of(y)), series.style, 4.5, 1.0);
        }
    }

    fn draw_cloud(&self, svg: &mut String, series: &Series) {
        for &(x, y) in &series.points {
            mark(svg, (self.x_of(x), self.y_of(y)), series.style, 2.5, 0.55);
        }
    }

    /// The names at the right ends of the curves, moved apart where they would overlap.
    fn draw_end_labels(&self, svg: &mut String) {
        let end = |series: &Series| series.points.last().map(|&(_, y)| self.y_of(y));
        let mut labels: Vec<(f64, &Series)> =
            self.series.iter().filter_map(|series| Some((end(series)?, series))).collect();
        labels.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut lowest = TOP - LABEL_STEP;
        let spare = |left: usize| HEIGHT - BOTTOM - LABEL_STEP * left as f64;
        let count = labels.len();
        for (at, (y, series)) in labels.into_iter().enumerate() {
            lowest = y.max(lowest + LABEL_STEP).min(spare(count - 1 - at).max(lowest + LABEL_STEP));
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" style=\"fill:{}\">{}</text>",
                self.right() + 8.0,
                lowest + 4.0,
                colour(series.style),
                escape(&series.name)
            );
        }
    }

    fn legend(&self) -> String {
        let mut items = String::new();
        for series in &self.series {
            let mut sample = String::new();
            if !self.cloud {
                let _ = write!(
                    sample,
                    "<line x1=\"0\" y1=\"6\" x2=\"44\" y2=\"6\" class=\"curve\" stroke=\"{}\" stroke-dasharray=\"{}\"/>",
                    colour(series.style),
                    dash(series.style)
                );
            }
            mark(&mut sample, (22.0, 6.0), series.style, 4.5, 1.0);
            let _ = write!(
                items,
                "<li><svg viewBox=\"0 0 44 12\" aria-hidden=\"true\">{}</svg>{}</li>",
                sample.trim_end(),
                escape(&series.name)
            );
        }
        format!("<ul class=\"legend\">{items}</ul>\n")
    }
}

fn line(svg: &mut String, class: &str, from: (f64, f64), to: (f64, f64)) {
    let ((x1, y1), (x2, y2)) = (from, to);
    let _ = writeln!(
        svg,
        "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
    );
}

fn text(svg: &mut String, class: &str, (x, y): (f64, f64), anchor: &str, words: &str) {
    let words = escape(words);
    let _ = writeln!(
        svg,
        "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{words}</text>"
    );
}

/// A mark whose shape goes with the style: circle, square, triangle, diamond.
fn mark(svg: &mut String, (x, y): (f64, f64), style: usize, size: f64, opacity: f64) {
    let fill = colour(style);
    let look = format!("class=\"mark\" fill=\"{fill}\" fill-opacity=\"{opacity}\"");
    let polygon = |points: [(f64, f64); 4]| {
        let points = points.map(|(dx, dy)| format!("{:.1},{:.1}", x + dx * size, y + dy * size));
        format!("<polygon {look} points=\"{}\"/>", points.join(" "))
    };
    let shape = match style % 4 {
        0 => format!("<circle {look} cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{size}\"/>"),
        1 => polygon([(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
        2 => polygon([(0.0, -1.1), (1.1, 0.9), (-1.1, 0.9), (0.0, -1.1)]),
        _ => polygon([(0.0, -1.2), (1.2, 0.0), (0.0, 1.2), (-1.2, 0.0)]),
    };
    let _ = writeln!(svg, "{shape}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_axis_has_whole_powers_of_ten() {
        let axis = Axis::of_times("time", [150.0, 2_500_000.0].into_iter());
        let names: Vec<&str> = axis.ticks.iter().map(|(_, name)| name.as_str()).collect();
        assert_eq!(names, ["100 ns", "1 us", "10 us", "100 us", "1 ms", "10 ms"]);
        assert_eq!((axis.share(axis.min), axis.share(axis.max)), (0.0, 1.0));
        assert_eq!(Axis::of_times("none", std::iter::empty()).ticks.len(), 2);
        assert_eq!(Axis::of_times("one", [1e9].into_iter()).ticks[0].1, "1 s");
    }

    #[test]
    fn styles_are_told_apart_without_colour() {
        let looks: Vec<_> = (0..8).map(|style| (dash(style), style % 4)).collect();
        assert!((1..4).all(|other| looks[other] != looks[0]));
        let repeated: Vec<_> = [0, 8, 16].map(|style| (colour(style), dash(style))).to_vec();
        assert!(repeated[0] != repeated[1] && repeated[1] != repeated[2]);
    }
}

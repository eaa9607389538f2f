//! Counts the work of a search, and stops the search at its limits.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::Question;

/// Number of placements between two checks of the clock and the cancel flag. The slowest variant takes about a microsecond for a placement,
/// so a deadline is noticed well within a millisecond.
const NODES_BETWEEN_CHECKS: u64 = 256;

/// The counters of one search, and its limits.
///
/// A search calls [`Meter::place`] for every placement: each digit, or alternative of another kind, that the search tries. The meter
/// returns whether the search may continue.
///
/// ```
/// use sudobench_sudoku::{Question, solver::Meter};
///
/// let question = Question { max_nodes: Some(2), ..Question::unique() };
/// let mut meter = Meter::start(&question);
/// assert!(meter.place());
/// meter.guess();
/// assert!(meter.place() && !meter.stopped());
/// assert!(!meter.place() && meter.stopped());
/// assert_eq!((meter.nodes(), meter.guesses()), (2, 1));
/// // The question has neither a deadline nor a cancel flag, but the meter has already stopped.
/// assert!(meter.is_overdue());
///
/// // The second alternative of a decision makes it a guess.
/// let question = Question::unique();
/// let (mut meter, mut tried) = (Meter::start(&question), 0);
/// assert!(meter.place_alternative(&mut tried) && meter.guesses() == 0);
/// assert!(meter.place_alternative(&mut tried) && meter.guesses() == 1);
/// ```
#[derive(Debug)]
pub struct Meter<'l> {
    nodes: u64,
    guesses: u64,
    /// Number of nodes at which `place` checks the limits again.
    next_check: u64,
    max_nodes: u64,
    deadline: Option<Instant>,
    cancel: Option<&'l AtomicBool>,
    stopped: bool,
}

impl<'l> Meter<'l> {
    /// Starts the counters, and the clock if `question` has a time limit.
    pub fn start(question: &'l Question) -> Meter<'l> {
        let mut meter = Meter {
            max_nodes: question.max_nodes.unwrap_or(u64::MAX),
            deadline: question.max_time.and_then(|time| Instant::now().checked_add(time)),
            cancel: question.cancel.as_deref(),
            ..Meter::unlimited()
        };
        meter.plan_next_check();
        meter
    }

    /// Returns counters without limits.
    pub(super) fn unlimited() -> Meter<'l> {
        Meter {
            nodes: 0,
            guesses: 0,
            next_check: u64::MAX,
            max_nodes: u64::MAX,
            deadline: None,
            cancel: None,
            stopped: false,
        }
    }

    /// Counts one placement. Returns false if the number of nodes has reached its limit, the time is up or the cancel flag is true. If this
    /// method returns false, the placement is not counted, and the search must end. The clock and the cancel flag are not checked at each
    /// placement: see [`Meter::is_overdue`] for checking them immediately.
    #[inline]
    #[must_use]
    pub fn place(&mut self) -> bool {
        if self.nodes >= self.next_check && !self.may_go_on() {
            return false;
        }
        self.nodes += 1;
        true
    }

    /// Counts one placement and returns the same as [`Meter::place`]. For searches that don't know in advance whether a decision has
    /// a second alternative: the second placement of a decision counts the decision as a guess. `tried` is the number of alternatives
    /// placed so far for this decision; the caller sets it to 0, and this function increases it.
    #[inline]
    #[must_use]
    pub fn place_alternative(&mut self, tried: &mut u8) -> bool {
        let may_go_on = self.place();
        *tried += u8::from(may_go_on);
        self.guesses += u64::from(may_go_on && *tried == 2);
        may_go_on
    }

    /// Counts one decision with more than one open alternative.
    #[inline]
    pub fn guess(&mut self) {
        self.guesses += 1;
    }

    /// Returns the number of nodes, that is, of placements so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the number of guesses so far: decisions with more than one open alternative.
    pub fn guesses(&self) -> u64 {
        self.guesses
    }

    /// Returns whether a limit or the cancel flag has stopped the search.
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// Checks the clock and the cancel flag now, for work that may run long without a placement. Returns true if the
    /// search was stopped and must end.
    #[must_use]
    pub fn is_overdue(&mut self) -> bool {
        self.stopped |= self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed));
        self.stopped
    }

    #[cold]
    fn may_go_on(&mut self) -> bool {
        self.stopped |= self.nodes >= self.max_nodes;
        if !self.is_overdue() {
            self.plan_next_check();
        }
        !self.stopped
    }

    fn plan_next_check(&mut self) {
        let watched = self.deadline.is_some() || self.cancel.is_some();
        let next = if watched { self.nodes + NODES_BETWEEN_CHECKS } else { u64::MAX };
        self.next_check = next.min(self.max_nodes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::time::Duration;

    /// Places up to `most` digits. Returns the number of placements, and whether the meter stopped the search.
    fn placed(question: &Question, most: u64) -> (u64, bool) {
        let mut meter = Meter::start(question);
        while meter.nodes() < most && meter.place() {}
        (meter.nodes(), meter.stopped())
    }

    #[test]
    fn a_node_limit_is_exact() {
        for max in [0, 1, 255, 256, 257, 1000] {
            for max_time in [None, Some(Duration::from_secs(3600))] {
                let question = Question { max_nodes: Some(max), max_time, ..Question::unique() };
                assert_eq!(placed(&question, 5000), (max, true));
            }
        }
        assert_eq!(placed(&Question::unique(), 5000), (5000, false));
    }

    #[test]
    fn the_second_alternative_of_a_decision_makes_it_a_guess() {
        let question = Question { max_nodes: Some(3), ..Question::unique() };
        let mut meter = Meter::start(&question);
        let (mut forced, mut open) = (0, 0);
        assert!(meter.place_alternative(&mut forced) && meter.place_alternative(&mut open));
        assert_eq!(meter.guesses(), 0);
        assert!(meter.place_alternative(&mut open));
        assert_eq!((meter.nodes(), meter.guesses()), (3, 1));
        assert!(!meter.place_alternative(&mut forced));
        assert_eq!((meter.nodes(), meter.guesses()), (3, 1));
    }

    #[test]
    fn a_passed_deadline_and_a_cancel_flag_stop_at_the_next_check() {
        let late = Question { max_time: Some(Duration::ZERO), ..Question::unique() };
        assert_eq!(placed(&late, 5000), (NODES_BETWEEN_CHECKS, true));
        let cancelled = Question { cancel: Some(Arc::new(AtomicBool::new(true))), ..Question::unique() };
        assert_eq!(placed(&cancelled, 5000), (NODES_BETWEEN_CHECKS, true));
        for (question, overdue) in [(late, true), (cancelled, true), (Question::unique(), false)] {
            let mut meter = Meter::start(&question);
            assert_eq!((meter.is_overdue(), meter.stopped()), (overdue, overdue));
        }
    }
}

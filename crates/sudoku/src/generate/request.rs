//! Requests for puzzles, and the reasons why some are impossible.
//!
//! Requests that are known to be impossible are refused before any work. For other requests, the number of
//! attempts for each puzzle is limited: see [`Request::attempts`].

use std::ops::RangeInclusive;

use super::hardest::Hardest;
use super::{Method, Pattern, PatternFault, StepRequest, Symmetry, controlled_bias};
use crate::puzzle::{CELLS, Cells, FEWEST_CLUES, Puzzle};
use crate::random::Random;
use crate::rate::Difficulty;
use crate::solver::{Outcome, Status};
use crate::techniques::{Technique, Walker, rating_text};

/// Largest number of clues of any known minimal puzzle.
pub const MOST_MINIMAL_CLUES: usize = 40;

/// Largest number of clues of a puzzle with several solutions: two grids differ in at least four cells.
pub const MOST_AMBIGUOUS_CLUES: usize = CELLS - 4;

/// Largest number of clues of an unsolvable puzzle without a plain contradiction. With more clues, there are at most four blanks, which can
/// always be filled. This was found by trying all positions of four blanks and all digits that their rows, columns and boxes can lack.
pub const MOST_UNSOLVABLE_CLUES: usize = CELLS - 5;

/// Largest number of solutions that can be requested. There is a limit because solutions are counted one by one.
pub const MOST_SOLUTIONS: u64 = 1_000_000;

/// `DEEP_RATING`: the rating, in tenths, from which the method tridagon finds puzzles sooner than the method climb. `TRIDAGON_CLUES`: the
/// number of clues below which the method tridagon finds hardly any puzzles.
const DEEP_RATING: u8 = 85;
const TRIDAGON_CLUES: usize = 24;

/// The lowest rating of a puzzle with a blank, in tenths. Such a puzzle needs at least one step.
const LOWEST_RATING: u8 = Technique::HiddenSingle.lowest_rating();

/// A lower limit for the mean number of guesses of a puzzle.
#[derive(Clone, Copy, Debug)]
pub struct FewestGuesses {
    /// The smallest mean number of guesses, in thousandths: see [`Rater::guesses`](crate::rate::Rater::guesses).
    pub thousandths: u64,
    /// Returns the forms of a puzzle over which its guesses are averaged.
    pub forms: fn(&Puzzle) -> Vec<Puzzle>,
}

/// A request for puzzles. The default request starts with full grids, and removes clues until no more can be removed.
///
/// ```
/// use sudobench_sudoku::generate::{Request, Symmetry};
///
/// let request = Request { clues: Some(24..=28), symmetry: Symmetry::Rotational, ..Request::default() };
/// assert!(request.plan().is_ok());
///
/// let refused = Request { clues: Some(0..=16), ..Request::default() }.plan().unwrap_err();
/// assert!(refused.to_string().starts_with("no puzzle with fewer than 17 clues has exactly one solution"));
/// ```
#[derive(Clone, Debug)]
pub struct Request {
    /// Number of clues. The meaning of `None` depends on the other fields:
    ///
    /// - If there is a pattern, and minimal puzzles are not requested, all cells of the pattern hold clues.
    /// - Otherwise, if several solutions are requested, clues are removed until there are enough solutions.
    /// - Otherwise, clues are removed until no more can be removed.
    pub clues: Option<RangeInclusive<usize>>,
    /// Whether puzzles must have no redundant clue.
    pub minimal: bool,
    /// Symmetry of the cells with clues.
    pub symmetry: Symmetry,
    /// The cells that may hold clues. If neither a number of clues nor minimal puzzles are requested, all these cells
    /// hold clues.
    pub pattern: Option<Pattern>,
    /// Number of solutions. `0..=0` requests unsolvable puzzles without a plain contradiction: no two equal clues are in one row, column or
    /// box, each blank has a candidate, and each digit has a place in each row, column and box.
    pub solutions: RangeInclusive<u64>,
    /// Allowed difficulties. If empty, any difficulty is allowed.
    pub difficulties: Vec<Difficulty>,
    /// The smallest allowed mean number of guesses; `None` if any number is allowed.
    pub guesses: Option<FewestGuesses>,
    /// The requirements on the steps to the solution; `None` if any steps are allowed.
    pub steps: Option<StepRequest>,
    /// Method that makes the puzzles.
    pub method: Method,
    /// The solver whose number of nodes the search maximises, if any.
    pub hardest: Option<Hardest>,
    /// Maximum number of attempts for a puzzle.
    pub attempts: u64,
}

impl Default for Request {
    fn default() -> Request {
        Request {
            clues: None,
            minimal: false,
            symmetry: Symmetry::None,
            pattern: None,
            solutions: 1..=1,
            difficulties: Vec::new(),
            guesses: None,
            steps: None,
            method: Method::TopDown,
            hardest: None,
            attempts: 100_000,
        }
    }
}

/// Formats a range of ratings, which are given in tenths, as a text such as `4.5 to 4.8`.
fn range_text(ratings: RangeInclusive<u8>) -> String {
    match (*ratings.start(), *ratings.end()) {
        (least, most) if least == most => rating_text(least),
        (0, most) => format!("up to {}", rating_text(most)),
        (least, u8::MAX) => format!("{} and more", rating_text(least)),
        (least, most) => format!("{} to {}", rating_text(least), rating_text(most)),
    }
}

/// Reasons why a request is refused: it is invalid, no known puzzle meets it, or its method can't make such a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// A range of clues that is empty or ends above 81.
    #[error("{0} to {1} clues: write the smaller number first; the larger one can be at most 81")]
    Clues(usize, usize),
    /// A range of numbers of solutions that is empty, goes from 0 to a larger number, or ends above [`MOST_SOLUTIONS`].
    #[error("{0} to {1} solutions: write the smaller number first; both must be from 1 to {MOST_SOLUTIONS}")]
    Solutions(u64, u64),
    /// A range of ratings that is empty or below all ratings.
    #[error("no puzzle is rated {} to {}: write the smaller rating first; the larger one must be at least 1.0", rating_text(*.0), rating_text(*.1))]
    Ratings(u8, u8),
    /// A range of ratings that no technique has, because it lies between two ratings.
    #[error("no technique is rated {}", range_text(*.0..=*.1))]
    NoTechnique(u8, u8),
    /// A rating that puzzles of the requested difficulties don't have.
    #[error("puzzles of difficulty {difficulty} are rated up to {}, but the request needs a rating of {} or more", rating_text(*.most), rating_text(*.least))]
    DifficultyRatings {
        /// The hardest of the requested difficulties.
        difficulty: Difficulty,
        /// The highest rating of puzzles of this difficulty, in tenths.
        most: u8,
        /// The lowest rating that fits the request, in tenths.
        least: u8,
    },
    /// A required technique is rated higher than each technique that the request accepts as the hardest.
    #[error("{technique} is rated {}, but the requested hardest techniques are rated up to {}", range_text(.technique.ratings()), rating_text(*.most))]
    HarderThanHardest {
        /// The technique.
        technique: Technique,
        /// The highest rating, in tenths, of the techniques that may be the hardest.
        most: u8,
    },
    /// A technique whose ratings contradict the request: its lowest rating is too high or, if it must be the hardest technique, its highest
    /// rating is too low.
    #[error("{technique} is rated {}, and the request is for puzzles rated {}", range_text(.technique.ratings()), range_text(*.least..=*.most))]
    TechniqueRatings {
        /// The technique.
        technique: Technique,
        /// The lowest rating that fits the request, in tenths.
        least: u8,
        /// The highest rating that fits the request, in tenths.
        most: u8,
    },
    /// A technique that is never the next step of a puzzle with a solution: an easier technique always finds a step.
    #[error("{0} is never the next step: whenever it applies, an easier technique finds a step")]
    NeverNext(Technique),
    /// No attempts.
    #[error("the request allows 0 attempts, but at least one is needed")]
    NoAttempts,
    /// Fewer clues than any puzzle with one solution has.
    #[error(
        "no puzzle with fewer than {FEWEST_CLUES} clues has exactly one solution (McGuire, Tugemann and Civario, 2012); the request \
         allows at most {0} clues"
    )]
    TooFewClues(usize),
    /// Fewer clues than any puzzle with one solution has, in a request for unsolvable puzzles.
    #[error(
        "unsolvable puzzles are made from puzzles with one solution, which have {FEWEST_CLUES} clues or more; the request allows at most \
         {0} clues"
    )]
    TooFewForUnsolvable(usize),
    /// More clues than any known minimal puzzle has.
    #[error(
        "no minimal puzzle with more than {MOST_MINIMAL_CLUES} clues is known, but the request asks for at least {0} clues; leave out the \
         option `minimal` and use the method top-down, or request fewer clues"
    )]
    TooManyForMinimal(usize),
    /// More clues than controlled bias searches for.
    #[error(
        "controlled-bias makes puzzles of up to {most} clues, because puzzles with more are too rare, but the request asks for at least \
         {least} clues"
    )]
    TooManyForMethod {
        /// The largest number of clues that the method makes.
        most: usize,
        /// The smallest requested number of clues.
        least: usize,
    },
    /// Too many clues for two solutions.
    #[error(
        "with {0} clues or more a puzzle has at most one solution, because two grids differ in at least four cells; request \
         {MOST_AMBIGUOUS_CLUES} or fewer"
    )]
    TooManyForSeveral(usize),
    /// Too many clues for an unsolvable puzzle without a plain contradiction, such as two equal clues in one row.
    #[error(
        "a puzzle with {0} clues or more always has a solution, unless two equal clues are in one row, column or box, a blank has no candidate, or a digit has \
         no place; request {MOST_UNSOLVABLE_CLUES} or fewer"
    )]
    TooManyForUnsolvable(usize),
    /// More clues than the pattern has cells.
    #[error("the pattern has {cells} cells for clues, but the request asks for at least {clues} clues")]
    PatternTooSmall {
        /// Number of cells of the pattern.
        cells: usize,
        /// The smallest requested number of clues.
        clues: usize,
    },
    /// No puzzle with clues only in the cells of the pattern has exactly one solution.
    #[error(
        "no puzzle with clues only in the cells of the pattern has exactly one solution: {0}; unsolvable puzzles with this pattern are \
         impossible too, because they are made from puzzles with exactly one solution"
    )]
    Pattern(#[from] PatternFault),
    /// The pattern has fewer than [`FEWEST_CLUES`] cells, too few for a puzzle with exactly one solution. It is also impossible for an
    /// unsolvable puzzle, which is made from a puzzle with exactly one solution.
    #[error(
        "the pattern has {0} cells for clues, and no puzzle with fewer than {FEWEST_CLUES} clues has exactly one solution (McGuire, Tugemann and \
         Civario, 2012); unsolvable puzzles with this pattern are impossible too, because they are made from puzzles with exactly one solution"
    )]
    PatternTooFewCells(usize),
    /// The pattern doesn't have the symmetry.
    #[error(
        "the pattern lacks the symmetry {symmetry}: it has {} and not {}", Cells::from_iter([*has]), Cells::from_iter([*lacks])
    )]
    Asymmetric {
        /// The symmetry.
        symmetry: Symmetry,
        /// A cell of the pattern, from 0.
        has: usize,
        /// The symmetric counterpart of this cell, from 0, which is not in the pattern.
        lacks: usize,
    },
    /// No symmetric set of cells has any of the requested numbers of clues. Numbers below [`FEWEST_CLUES`] don't count, unless several
    /// solutions are requested.
    #[error(
        "no puzzle with the symmetry {symmetry} has {}: its clues come in groups of {sizes}{}",
        format_range(clues),
        if *in_pattern { ", and only in cells of the pattern" } else { "" }
    )]
    Unreachable {
        /// The symmetry.
        symmetry: Symmetry,
        /// The requested numbers of clues.
        clues: RangeInclusive<usize>,
        /// Sizes of the groups of cells, for messages. In each group, either all cells hold clues or none.
        sizes: String,
        /// Whether there is a pattern.
        in_pattern: bool,
    },
    /// Two parts of the request that can't be combined.
    #[error("{0} and {1} cannot be combined: {2}")]
    NotCombinable(&'static str, &'static str, &'static str),
}

fn format_range(clues: &RangeInclusive<usize>) -> String {
    match (*clues.start(), *clues.end()) {
        (start, end) if start == end => format!("{start} clues"),
        (start, end) => format!("{start} to {end} clues"),
    }
}

/// A validated request.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(super) request: Request,
    /// Sets of allowed cells. In each set, either all cells hold clues or none does.
    pub(super) orbits: Vec<Cells>,
    /// All allowed cells.
    pub(super) cells: Cells,
    /// The requested numbers of clues that are possible. One of them is drawn for each attempt. Empty if no number of clues is requested,
    /// or if only minimal puzzles are made.
    targets: Vec<usize>,
}

impl Request {
    /// Validates the request.
    ///
    /// # Errors
    /// [`RequestError`] if the request is invalid, if no known puzzle meets it, or if the requested method can't make such a puzzle.
    pub fn plan(self) -> Result<Plan, RequestError> {
        self.check_ranges()?;
        self.check_together()?;
        let clues = self.clues.clone().unwrap_or(0..=CELLS);
        let (least, most) = (*clues.start(), *clues.end());
        let solutions = &self.solutions;
        if *solutions == (1..=1) && most < FEWEST_CLUES {
            return Err(RequestError::TooFewClues(most));
        }
        if *solutions.end() == 0 && most < FEWEST_CLUES {
            return Err(RequestError::TooFewForUnsolvable(most));
        }
        let filled = self.pattern.filter(|_| self.fills_pattern()).map(Pattern::cells);
        let given = filled.map_or(least, Cells::len);
        if *solutions.start() > 1 && given > MOST_AMBIGUOUS_CLUES {
            return Err(RequestError::TooManyForSeveral(given));
        }
        if *solutions.end() == 0 && given > MOST_UNSOLVABLE_CLUES {
            return Err(RequestError::TooManyForUnsolvable(given));
        }
        if self.makes_minimal() && least > MOST_MINIMAL_CLUES {
            return Err(RequestError::TooManyForMinimal(least));
        }
        let biased_most = controlled_bias::MOST_CLUES;
        if self.method == Method::ControlledBias && least > biased_most {
            return Err(RequestError::TooManyForMethod { most: biased_most, least });
        }
        self.check_pattern(least)?;
        let cells = self.pattern.map_or(Cells::ALL, Pattern::cells);
        let orbits: Vec<Cells> =
            self.symmetry.orbits().into_iter().filter(|orbit| orbit.without(cells).is_empty()).collect();
        let sums = sums(&orbits);
        let fewest = if *solutions.end() < 2 { FEWEST_CLUES } else { 0 };
        let targets: Vec<usize> =
            (least.max(fewest)..=most).filter(|&clues| sums >> clues & 1 == 1).collect();
        if targets.is_empty() {
            let mut sizes: Vec<usize> = orbits.iter().map(|orbit| orbit.len()).collect();
            sizes.sort_unstable();
            sizes.dedup();
            let sizes = sizes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ");
            let (symmetry, in_pattern) = (self.symmetry, self.pattern.is_some());
            return Err(RequestError::Unreachable { symmetry, clues, sizes, in_pattern });
        }
        let targets = if self.clues.is_some() && !self.makes_minimal() { targets } else { Vec::new() };
        Ok(Plan { request: self, orbits, cells, targets })
    }

    /// Returns whether only minimal puzzles are made, because they are requested or because the method makes no others.
    fn makes_minimal(&self) -> bool {
        self.minimal || matches!(self.method, Method::Climb | Method::Tridagon)
    }

    /// Returns whether there is a pattern and all its cells hold clues.
    pub(super) fn fills_pattern(&self) -> bool {
        self.pattern.is_some() && self.clues.is_none() && !self.minimal
    }

    fn check_ranges(&self) -> Result<(), RequestError> {
        if let Some(clues) = &self.clues
            && (clues.is_empty() || *clues.end() > CELLS)
        {
            return Err(RequestError::Clues(*clues.start(), *clues.end()));
        }
        let (least, most) = (*self.solutions.start(), *self.solutions.end());
        let is_unsolvable = (least, most) == (0, 0);
        if !is_unsolvable && (least == 0 || least > most || most > MOST_SOLUTIONS) {
            return Err(RequestError::Solutions(least, most));
        }
        self.steps.as_ref().map_or(Ok(()), |steps| check_steps(steps, &self.difficulties))?;
        if self.attempts == 0 { Err(RequestError::NoAttempts) } else { Ok(()) }
    }

    fn check_together(&self) -> Result<(), RequestError> {
        let solutions = match (*self.solutions.start(), *self.solutions.end()) {
            (1, 1) => None,
            (0, 0) => Some("no solution"),
            _ => Some("several solutions"),
        };
        let is_symmetric = self.symmetry != Symmetry::None;
        let wishes = [
            (self.minimal, "minimal puzzles"),
            (!self.difficulties.is_empty(), "a difficulty"),
            (self.guesses.is_some(), "a number of guesses"),
            (self.steps.is_some(), "techniques or a rating"),
            (is_symmetric, "a symmetry"),
            (self.pattern.is_some(), "a pattern"),
            (self.clues.is_some(), "a number of clues"),
            (solutions.is_some(), solutions.unwrap_or_default()),
            (self.method != Method::TopDown, "a method"),
        ];
        let first = |names: &[&str]| {
            wishes.iter().find(|(is_wished, name)| *is_wished && names.contains(name)).map(|(_, name)| *name)
        };
        let apart = |wish, other: Option<&'static str>, why| match other {
            Some(other) => Err(RequestError::NotCombinable(wish, other, why)),
            None => Ok(()),
        };
        if let Some(solutions) = solutions {
            let why = "the second is only defined for puzzles with exactly one solution";
            let only_for_one =
                ["minimal puzzles", "a difficulty", "a number of guesses", "techniques or a rating"];
            apart(solutions, first(&only_for_one), why)?;
        }
        if self.hardest.is_some() {
            let names: Vec<_> =
                wishes.iter().map(|(_, name)| *name).filter(|name| *name != "minimal puzzles").collect();
            let why = "the search for hard puzzles can move to any minimal puzzle, so its result might not meet the other condition";
            apart("the hardest puzzles", first(&names), why)?;
        }
        if self.method != Method::TopDown {
            let names = ["a symmetry", "a pattern", "no solution", "several solutions"];
            apart(self.method.name(), first(&names), "only the method top-down supports it")?;
            let any_number = if self.makes_minimal() { None } else { first(&["a number of clues"]) };
            apart(
                self.method.name(),
                any_number,
                "this method makes only minimal puzzles: add minimal, or use the method top-down",
            )?;
        }
        Ok(())
    }

    fn check_pattern(&self, least: usize) -> Result<(), RequestError> {
        let Some(pattern) = self.pattern else { return Ok(()) };
        let cells = pattern.cells();
        if cells.len() < least {
            return Err(RequestError::PatternTooSmall { cells: cells.len(), clues: least });
        }
        if let Some((has, lacks)) = self.symmetry.lack(cells) {
            return Err(RequestError::Asymmetric { symmetry: self.symmetry, has, lacks });
        }
        if *self.solutions.end() < 2 {
            if cells.len() < FEWEST_CLUES {
                return Err(RequestError::PatternTooFewCells(cells.len()));
            }
            if let Some(fault) = pattern.fault() {
                return Err(fault.into());
            }
        }
        Ok(())
    }
}

/// Returns the sizes that unions of these disjoint sets can have, as a mask: bit `n` stands for `n` cells.
fn sums(orbits: &[Cells]) -> u128 {
    orbits.iter().fold(1, |sums: u128, orbit| sums | sums << orbit.len())
}

impl Plan {
    /// Returns the request.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// Returns the number of puzzles to make together. For expensive puzzles the number is small, because unfinished puzzles are lost when
    /// a run is stopped.
    pub fn numbers_at_once(&self) -> u64 {
        match &self.request {
            Request { hardest: Some(_), .. } => 1,
            Request { method: Method::ControlledBias, .. } => 1,
            Request { pattern: Some(_), .. } | Request { method: Method::Climb, .. } => 8,
            _ if self.is_plain() => 8_192,
            _ => 64,
        }
    }

    /// Returns whether a puzzle meets the request, as far as its clues and the outcome of a solver can show: the numbers of solutions and
    /// clues, the symmetry, and that all clues are in the pattern. The solver must have searched for one more solution than the request
    /// allows.
    pub fn accepts(&self, puzzle: &Puzzle, outcome: &Outcome) -> bool {
        let Request { solutions, symmetry, .. } = &self.request;
        let clues = puzzle.clue_cells();
        outcome.status != Status::Aborted
            && solutions.contains(&outcome.count)
            && self.clues_missed(clues.len()) == 0
            && symmetry.fits(clues)
            && clues.without(self.cells).is_empty()
    }

    /// Returns whether the puzzles come directly from the method's generator and need no check, because all of them meet the request.
    pub(super) fn is_plain(&self) -> bool {
        let Request {
            clues,
            minimal: _,
            symmetry,
            pattern,
            solutions,
            difficulties,
            guesses,
            steps,
            method,
            hardest,
            attempts: _,
        } = &self.request;
        *method != Method::Tridagon
            && clues.is_none()
            && *symmetry == Symmetry::None
            && pattern.is_none()
            && *solutions == (1..=1)
            && difficulties.is_empty()
            && guesses.is_none()
            && steps.is_none()
            && hardest.is_none()
    }

    /// Returns the method that is recommended instead of top-down when the requested puzzles turn out to be rare. Returns `None` if the
    /// recommended method can't make these puzzles, or if the requested method is not top-down: users choose bottom-up and controlled-bias
    /// for the distribution of the puzzles.
    pub(super) fn better_method(&self) -> Option<Method> {
        let Request { clues, difficulties, steps, method, .. } = &self.request;
        let is_hard = |technique: &Technique| technique.lowest_rating() >= DEEP_RATING;
        let is_deep = difficulties.iter().min() == Some(&Difficulty::Depth2)
            || steps.as_ref().is_some_and(|StepRequest { techniques, hardest, ratings }| {
                *ratings.start() >= DEEP_RATING
                    || techniques.iter().any(is_hard)
                    || (!hardest.is_empty() && hardest.iter().all(is_hard))
            });
        let has_tridagons = clues.as_ref().is_none_or(|clues| *clues.end() >= TRIDAGON_CLUES);
        let better = if is_deep && has_tridagons { Method::Tridagon } else { Method::Climb };
        let changed = Request { method: better, ..self.request.clone() };
        (*method == Method::TopDown && changed.plan().is_ok()).then_some(better)
    }

    /// Returns the walker that follows the steps of puzzles. The walker ends before a step that is harder than the request allows.
    pub(super) fn walker(&self) -> Walker {
        let hardest = self.request.steps.as_ref().map_or(u8::MAX, |steps| *steps.ratings.end());
        Walker::default().up_to(hardest)
    }

    pub(super) const MOST_ATTEMPTS_AT_ONCE: usize = 1_024;

    /// Returns the number of attempts that a round divides among the missing puzzles. If this number is smaller than the number of missing
    /// puzzles, the round makes one attempt for each of them. The result is 1 if attempts take long (with a pattern or a controlled bias),
    /// or if each attempt continues from the previous attempt (a climb).
    pub(super) fn attempts_at_once(&self) -> usize {
        match self.request {
            Request { pattern: Some(_), .. }
            | Request { method: Method::ControlledBias | Method::Climb, .. } => 1,
            _ => Plan::MOST_ATTEMPTS_AT_ONCE,
        }
    }

    /// Draws the number of clues that the puzzle of an attempt should get; 0 if there are no targets.
    pub(super) fn draw_target(&self, random: &mut Random) -> usize {
        self.targets.get(random.below(self.targets.len())).copied().unwrap_or(0)
    }

    /// Returns how far this number of clues is from the requested range.
    pub(super) fn clues_missed(&self, clues: usize) -> usize {
        let missed = |wanted: &RangeInclusive<usize>| {
            wanted.start().saturating_sub(clues).max(clues.saturating_sub(*wanted.end()))
        };
        self.request.clues.as_ref().map_or(0, missed)
    }
}

/// Returns an error if the ratings of the techniques show that no puzzle can have the requested steps and difficulties.
fn check_steps(steps: &StepRequest, difficulties: &[Difficulty]) -> Result<(), RequestError> {
    let (least, most) = (*steps.ratings.start(), *steps.ratings.end());
    if steps.ratings.is_empty() || most < LOWEST_RATING {
        return Err(RequestError::Ratings(least, most));
    }
    let is_out =
        |technique: &Technique| technique.lowest_rating() > most || *technique.ratings().end() < least;
    if Technique::ALL.iter().all(is_out) {
        return Err(RequestError::NoTechnique(least, most));
    }
    if let Some(&technique) = steps.hardest.first()
        && steps.hardest.iter().all(is_out)
    {
        return Err(RequestError::TechniqueRatings { technique, least, most });
    }
    let is_needed = |technique| {
        let is_only_choice = |hardest: &Technique| *hardest == technique || is_out(hardest);
        steps.techniques.contains(&technique)
            || !steps.hardest.is_empty() && steps.hardest.iter().all(is_only_choice)
    };
    if is_needed(Technique::DirectClaiming) {
        return Err(RequestError::NeverNext(Technique::DirectClaiming));
    }
    // No step of a puzzle is rated higher than its hardest step.
    let highest = steps.hardest.iter().map(|technique| *technique.ratings().end()).max().unwrap_or(u8::MAX);
    for &technique in &steps.techniques {
        let rating = technique.lowest_rating();
        if rating > most {
            return Err(RequestError::TechniqueRatings { technique, least, most });
        }
        if rating > highest {
            return Err(RequestError::HarderThanHardest { technique, most: highest });
        }
    }
    let hardest = steps.hardest.iter().map(|technique| technique.lowest_rating()).min();
    let needed = steps.techniques.iter().map(|technique| technique.lowest_rating()).chain(hardest);
    let least = needed.fold(least, u8::max);
    match difficulties.iter().max().map(|&difficulty| (difficulty, highest_rating(difficulty))) {
        Some((difficulty, Some(most))) if most < least => {
            Err(RequestError::DifficultyRatings { difficulty, most, least })
        }
        _ => Ok(()),
    }
}

/// Returns the highest rating of puzzles of this difficulty, in tenths; `None` if no limit is known. For the first three difficulties, this
/// is the rating of the hardest technique of the difficulty: Sudoku Explainer has all techniques of the difficulty, and applies a harder
/// technique only if none of them finds anything.
fn highest_rating(difficulty: Difficulty) -> Option<u8> {
    let hardest = match difficulty {
        Difficulty::Singles => Technique::NakedSingle,
        Difficulty::Locked => Technique::Claiming,
        Difficulty::Pairs => Technique::HiddenPair,
        Difficulty::Depth1 | Difficulty::Depth2 | Difficulty::Depth3 => return None,
    };
    Some(*hardest.ratings().end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(request: Request) -> String {
        request.plan().unwrap_err().to_string()
    }

    fn clues(clues: RangeInclusive<usize>) -> Request {
        Request { clues: Some(clues), ..Request::default() }
    }

    #[test]
    fn impossible_numbers_of_clues_are_refused() {
        assert!(clues(10..=17).plan().is_ok());
        assert!(refused(clues(16..=16)).contains("McGuire, Tugemann and Civario, 2012"));
        assert!(refused(Request { minimal: true, ..clues(41..=81) }).contains("more than 40 clues is known"));
        let climb = Request { method: Method::Climb, ..clues(41..=41) };
        assert!(refused(climb).contains("more than 40 clues is known"));
        assert!(Request { minimal: true, ..clues(40..=41) }.plan().is_ok());
        assert!(
            refused(Request { solutions: 2..=2, ..clues(78..=80) }).contains("differ in at least four cells")
        );
        assert!(Request { solutions: 2..=2, ..clues(5..=9) }.plan().is_ok());
        assert!(
            refused(Request { solutions: 0..=0, ..clues(5..=9) }).starts_with("unsolvable puzzles are made")
        );
        #[allow(clippy::reversed_empty_ranges, reason = "somebody may write it")]
        let reversed = clues(30..=22);
        assert!(refused(reversed).starts_with("30 to 22 clues"));
        assert!(refused(clues(80..=82)).starts_with("80 to 82 clues"));
        let quarter = Request { symmetry: Symmetry::Rotational90, ..clues(26..=27) };
        assert_eq!(
            refused(quarter),
            "no puzzle with the symmetry rotational90 has 26 to 27 clues: its clues come in groups of 1 or 4"
        );
    }

    #[test]
    fn drawn_numbers_can_be_reached() {
        let plan = Request { symmetry: Symmetry::Full, ..clues(10..=30) }.plan().unwrap();
        // With full symmetry, cells get or lose clues in groups of 8, 4 or 1, so some numbers of clues can't be reached.
        assert_eq!(plan.targets, [17, 20, 21, 24, 25, 28, 29]);
        let mut random = Random::new(1);
        assert!((0..100).all(|_| plan.targets.contains(&plan.draw_target(&mut random))));
        assert_eq!(Request::default().plan().unwrap().draw_target(&mut random), 0);
    }

    #[test]
    fn techniques_that_are_not_rated_as_requested_are_refused() {
        let refused = |techniques: &[Technique], hardest: &[Technique], ratings: RangeInclusive<u8>| {
            let steps = StepRequest { techniques: techniques.to_vec(), hardest: hardest.to_vec(), ratings };
            Request { steps: Some(steps), ..Request::default() }.plan().err().map(|error| error.to_string())
        };
        let any = 0..=u8::MAX;
        let (x_wing, swordfish, chain) = (Technique::XWing, Technique::Swordfish, Technique::ForcingChain);
        for (techniques, hardest, ratings, expected) in [
            (
                vec![swordfish],
                vec![],
                0..=37,
                "Swordfish is rated 3.8, and the request is for puzzles rated up to 3.7",
            ),
            (
                vec![],
                vec![swordfish],
                20..=37,
                "Swordfish is rated 3.8, and the request is for puzzles rated 2.0 to 3.7",
            ),
            (
                vec![],
                vec![x_wing],
                50..=u8::MAX,
                "X-Wing is rated 3.2, and the request is for puzzles rated 5.0 and more",
            ),
            (
                vec![swordfish],
                vec![x_wing],
                any.clone(),
                "Swordfish is rated 3.8, but the requested hardest techniques are rated up to 3.2",
            ),
            (
                vec![Technique::DirectClaiming],
                vec![],
                any.clone(),
                "Direct Claiming is never the next step: whenever it applies, an easier technique finds a step",
            ),
            (
                vec![],
                vec![Technique::DirectClaiming, x_wing, Technique::DirectClaiming],
                0..=20,
                "Direct Claiming is never the next step: whenever it applies, an easier technique finds a step",
            ),
            (
                vec![chain],
                vec![],
                0..=50,
                "Forcing Chain is rated 7.0 and more, and the request is for puzzles rated up to 5.0",
            ),
        ] {
            assert_eq!(refused(&techniques, &hardest, ratings).as_deref(), Some(expected));
        }
        assert_eq!(refused(&[swordfish], &[], 0..=38), None);
        assert_eq!(refused(&[x_wing], &[swordfish, x_wing], 35..=u8::MAX), None);
        assert_eq!(refused(&[swordfish], &[chain], any), None);
    }

    #[test]
    fn impossible_patterns_are_refused() {
        let pattern = |text: String| Some(text.parse::<Pattern>().unwrap());
        let of = |text: String| Request { pattern: pattern(text), ..Request::default() };
        assert!(
            refused(of(format!("{}{}", "x".repeat(16), ".".repeat(65)))).starts_with("the pattern has 16")
        );
        let words = refused(of(format!("{}{}", "x".repeat(63), ".".repeat(18))));
        assert!(words.contains("rows 8 and 9 of one band"), "{words}");
        // A pattern with two rows without clues is allowed if several solutions are requested.
        assert!(
            Request { solutions: 2..=9, ..of(format!("{}{}", "x".repeat(63), ".".repeat(18))) }
                .plan()
                .is_ok()
        );
        let most = format!(".{}", "x".repeat(80));
        let asymmetric = Request { symmetry: Symmetry::Rotational, ..of(most.clone()) };
        assert_eq!(
            refused(asymmetric),
            "the pattern lacks the symmetry rotational: it has r9c9 and not r1c1"
        );
        let short = Request { clues: Some(81..=81), ..of(most) };
        assert_eq!(
            refused(short),
            "the pattern has 80 cells for clues, but the request asks for at least 81 clues"
        );
    }

    #[test]
    fn options_that_cannot_be_combined_are_refused() {
        let several = Request { solutions: 2..=3, minimal: true, ..Request::default() };
        assert!(refused(several).starts_with("several solutions and minimal puzzles cannot be combined"));
        let none =
            Request { solutions: 0..=0, difficulties: vec![Difficulty::Singles], ..Request::default() };
        assert!(refused(none).starts_with("no solution and a difficulty cannot be combined"));
        for method in [Method::BottomUp, Method::ControlledBias] {
            let biased = Request { method, ..clues(20..=30) };
            assert!(refused(biased.clone()).contains("this method makes only minimal puzzles"));
            assert!(Request { minimal: true, ..biased.clone() }.plan().is_ok());
            let symmetric = Request { symmetry: Symmetry::Full, clues: None, ..biased };
            assert!(refused(symmetric).starts_with(&format!("{method} and a symmetry cannot be combined")));
        }
        let many = Request { method: Method::ControlledBias, minimal: true, ..clues(35..=36) };
        assert!(refused(many).starts_with("controlled-bias makes puzzles of up to 34 clues"));
        for solutions in [0..=2, 0..=1, 1..=2_000_000] {
            assert!(refused(Request { solutions, ..Request::default() }).contains("from 1 to 1000000"));
        }
        assert!(refused(Request { attempts: 0, ..Request::default() }).contains("at least one is needed"));
    }
}

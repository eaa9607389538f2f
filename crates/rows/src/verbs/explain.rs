//! `explain`: writes a row for each step towards the solution of a puzzle.

use std::borrow::Cow;
use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sudobench_sudoku::Puzzle;
use sudobench_sudoku::simd::{Level, LevelError};
use sudobench_sudoku::techniques::{Step, Technique, Walker, rating_text, tenths};

use super::{RowVerb, Verb, number};
use crate::answers::AnsweredRow;
use crate::as_text;
use crate::columns::{self, Column, Holds};
use crate::expand::{Expand, Finder, Found};
use crate::facts::{Need, PuzzlesOfBlock};

/// The board before the step of an output row.
const BOARD: Column = columns::found_puzzle("board", "the board before the step, 81 characters");

fn step<'r>(row: &AnsweredRow<'r>) -> Option<&'r Step> {
    Some(&row.found?.step()?.step)
}

/// Returns a text as the value of a column; `None` if it is empty.
fn text<'r>(text: String) -> Option<Cow<'r, str>> {
    (!text.is_empty()).then_some(Cow::Owned(text))
}

/// The columns, in the order in which `--columns all` writes them.
const COLUMNS: [Column; 15] = [
    Column { about: "number of the step, from 1", ..columns::FOUND_NUMBER },
    Column {
        name: "technique",
        about: "technique, such as Naked Pair, Guess or Backtrack",
        needs: &[],
        holds: Holds::Words(&Technique::STEP_NAMES, |row| Some(step(row)?.technique as usize)),
    },
    Column {
        name: "rating",
        about: "rating by Sudoku Explainer 1.2.1, such as 3.0; empty for Guess, Backtrack",
        needs: &[],
        holds: Holds::Decimal(1, |row| {
            let step = step(row).filter(|step| !step.technique.is_of_search())?;
            Some(tenths(step.rating).into())
        }),
    },
    Column {
        name: "step",
        about: "the step as text, such as `Naked Pair: 3,7 in r4c15 => r4c2<>3`",
        needs: &[],
        holds: Holds::Text(|row| Some(Cow::Owned(step(row)?.to_string()))),
    },
    Column {
        name: "units",
        about: "boxes, rows and columns of the step, such as b1/r2",
        needs: &[],
        holds: Holds::Text(|row| Some(Cow::Owned(step(row)?.units_text()?))),
    },
    Column {
        name: "cells",
        about: "cells of the step's pattern, such as r4c15",
        needs: &[],
        holds: Holds::Text(|row| text(step(row)?.cells_text())),
    },
    Column {
        name: "digits",
        about: "digits of the step's pattern, such as 37",
        needs: &[],
        holds: Holds::Text(|row| text(step(row)?.digits_text())),
    },
    Column {
        name: "chain",
        about: "nodes of the step's chains, in order, such as `r1c2=5 -> r1c8<>5`",
        needs: &[],
        holds: Holds::Text(|row| Some(Cow::Owned(step(row)?.chain_text()?))),
    },
    Column {
        name: "placement",
        about: "cell that the step fills and its digit, such as r4c1=9",
        needs: &[],
        holds: Holds::Text(|row| Some(Cow::Owned(step(row)?.placement_text()?))),
    },
    Column {
        name: "eliminations",
        about: "candidates that the step eliminates, such as r4c2<>3",
        needs: &[],
        holds: Holds::Text(|row| Some(Cow::Owned(step(row)?.eliminations_text()?))),
    },
    Column {
        name: "changes",
        about: "changed cells with their candidates before and after, such as `r1c6:2468>8 r1c9:248>24`",
        needs: &[],
        holds: Holds::Text(|row| Some(Cow::Owned(row.found?.step()?.changes_text()))),
    },
    BOARD,
    Column {
        about: "yes if the steps solve the puzzle, otherwise no; empty if malformed",
        ..columns::FOUND_COMPLETE
    },
    columns::PROVED_STATUS,
    columns::NOTE,
];

/// Explains how puzzles are solved.
pub const EXPLAIN: Verb = Verb {
    name: "explain",
    summary: "Explain which techniques solve each puzzle, one step per row",
    columns: &COLUMNS,
    default: &[COLUMNS[0], COLUMNS[1], COLUMNS[2], COLUMNS[3]],
    grid: BOARD,
    notes: &[
        "Steps:
  The steps and their order are as in Sudoku Explainer 1.2.1: each time, the first technique that finds something is applied. The input row is \
repeated for each step. Only puzzles with exactly one solution are explained; a row without a step is written once, and its columns about the step are empty. In a \
terminal, a puzzle that is an argument is drawn, and its steps are listed below, unless you use options such as -o, --output-format, --columns or --only.",
        "Where the steps end:
  docs/techniques explains the techniques that are known. If a puzzle needs another technique, its rows end before that step and have `no` in the \
column complete. For one row per puzzle, with its rating, use `sudobench rate --columns se,techniques`.",
        "Search:
  With --search, the steps continue if no technique is found. Guess: the first cell with the fewest candidates gets its smallest candidate. Backtrack: \
a cell has no candidate, or a unit no place for a digit, so the board before the last guess comes back without the guessed candidate. In both cases, the column \
changes has all cells that change.",
    ],
    examples: &[
        "sudobench explain puzzles.csv -o steps.csv",
        "sudobench explain puzzles.csv --columns all -o steps.parquet",
        "sudobench explain puzzles.txt --only rating=2.6.. --columns step",
        "sudobench explain puzzles.csv --columns technique,placement,changes -o traces.jsonl",
        "sudobench explain puzzles.csv --max-se 2.3 --search --columns step,changes -o searched.jsonl",
        "sudobench explain puzzles.txt --skip 4 --limit 1 --export-html steps.html",
    ],
    ..Verb::BASE
};

/// The options of `explain`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args), command(next_help_heading = "Steps"))]
pub struct ExplainOptions {
    /// Highest rating of a step, such as 2.3; without --search, the steps end if no technique up to this rating is found
    #[serde(
        deserialize_with = "as_text::rating",
        serialize_with = "as_rating",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(feature = "clap", arg(long, value_name = "RATING", value_parser = crate::values::rating))]
    pub max_se: Option<u8>,
    /// Guess if no technique is found, and backtrack after a contradiction, so that the steps of each puzzle end with the solution
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "clap", arg(long))]
    pub search: bool,
}

/// Writes a rating as users write it, such as 2.6.
fn as_rating<S: serde::Serializer>(rating: &Option<u8>, serializer: S) -> Result<S::Ok, S::Error> {
    rating.map(rating_text).serialize(serializer)
}

impl RowVerb for ExplainOptions {
    fn expansion(&self) -> Option<Arc<dyn Expand>> {
        Some(Arc::new(self.clone()))
    }
}

impl Expand for ExplainOptions {
    fn stored(&self) -> Value {
        json!({ EXPLAIN.name: self })
    }

    fn name(&self) -> &'static str {
        "steps"
    }

    /// Returns a number of steps that few puzzles exceed. It decides how many rows a block has.
    fn most(&self) -> NonZeroU64 {
        number(if self.search { 3000 } else { 300 })
    }

    fn is_limited(&self) -> bool {
        false
    }

    fn needs(&self) -> &'static [Need] {
        &[Need::Outcome]
    }

    fn finder(&self, _: Level, cancel: &Arc<AtomicBool>) -> Result<Option<Box<dyn Finder>>, LevelError> {
        let walker = Walker::default().up_to(self.max_se.unwrap_or(u8::MAX)).cancel(Arc::clone(cancel));
        Ok(Some(Box::new(StepFinder { walker, searches: self.search })))
    }
}

struct StepFinder {
    walker: Walker,
    /// Whether to guess if no technique finds a step.
    searches: bool,
}

impl StepFinder {
    /// Returns the steps. `None` if the run is cancelled.
    fn explain(&self, puzzle: &Puzzle) -> Option<Found> {
        if self.searches {
            return Some(Found::Steps { steps: self.walker.search(puzzle)?, is_complete: true });
        }
        let (walk, steps) = self.walker.walk_with_steps(puzzle)?;
        Some(Found::Steps { steps, is_complete: !walk.is_unfinished })
    }
}

impl Finder for StepFinder {
    fn find(&mut self, block: &PuzzlesOfBlock, found: &mut Vec<Found>) {
        let of = |at: usize| match block.unique_solution(at) {
            Some(_) => self.explain(&block.puzzles[at]),
            None => Some(Found::Steps { steps: Vec::new(), is_complete: false }),
        };
        found.extend((0..block.puzzles.len()).map_while(of));
    }
}

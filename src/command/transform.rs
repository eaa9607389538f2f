//! `sudobench transform`: puzzles in, for every row one or more out in which all boards have another form.

use sudobench_batch::{Transform, Verb, columns, verb};
use sudobench_sudoku::Question;
use sudobench_sudoku::simd::Level;
use sudobench_sudoku::solver;

use super::rows::{Ran, RowsConfig};
use super::{Exit, UsageError, interrupt, say};
use crate::cli::{BoardChoice, FormChoice, FormsArgs, TransformArgs};
use crate::report::{count, rate};

/// Writes the forms that were asked for, and says how that went.
///
/// # Errors
/// Whatever keeps the run from its end: usage, input, output.
pub(super) fn run(typed: TransformArgs, level: Level) -> anyhow::Result<Exit> {
    let TransformArgs { rows, forms } = typed;
    let interrupt = interrupt::flags()?;
    let transform = transform_of(&forms)?;
    let rows = RowsConfig::new(
        rows,
        Verb { grid: columns::BOARDS[forms.board as usize], ..verb::TRANSFORM },
        false,
    )?;
    if forms.board == BoardChoice::Solution && rows.has_columns() {
        let words = "--board belongs to the output formats lines, npy, boj2580 and boj2239; the others hold all boards";
        return Err(UsageError(words.to_owned()).into());
    }
    let source = rows.open(&interrupt)?;
    let variant = solver::default_variant();
    let Some(Ran { finished, exit }) = rows.run_and_tell(source, &interrupt, |run| {
        run.transform(transform).solver(variant, level).question(Question::unique())
    })?
    else {
        return Ok(Exit::Fine);
    };
    let tally = &finished.measures.tally;
    // Of rows that are left out nobody counts which had puzzles.
    if !rows.quiet && transform.forms() > 1 && tally.left_out == 0 {
        let forms = tally.puzzles().saturating_mul(transform.forms()).saturating_add(finished.forms);
        let each = count(transform.forms());
        let per_second = rate(forms as f64 / finished.wall.as_secs_f64().max(1e-9));
        say::show(format_args!(
            "  {:<11} {:>13}  {each} of each puzzle: {per_second}\n",
            "forms",
            count(forms)
        ));
    }
    rows.print_left_out_expanded(&finished);
    exit
}

/// What was typed, as what becomes of each puzzle.
fn transform_of(typed: &FormsArgs) -> Result<Transform, UsageError> {
    match (typed.random, typed.apply, typed.to) {
        (Some(forms), ..) => Ok(Transform::Random { forms, seed: typed.seed }),
        (_, Some(transformation), _) => Ok(Transform::Apply(transformation)),
        (.., Some(FormChoice::Canonical)) => Ok(Transform::Canonical),
        (None, None, None) => {
            Err(UsageError("say which forms: --random N, --apply NOTATION or --to canonical".to_owned()))
        }
    }
}

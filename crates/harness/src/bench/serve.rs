//! Serves passes on request: the served binary runs the passes, and another process (the gate) requests them. They exchange
//! [control lines](crate::process):
//!
//! ```text
//! served -> {"type":"ready","protocol":2,"pairs":[{"solver":"mrv","dataset":"hard.txt","puzzles":500,"sample":500,"pass_ns":4000000}]}
//! gate   -> {"type":"leg","pair":0,"puzzles":500,"passes":8}
//! served -> {"type":"leg","pass_ns":3900000}       or {"type":"leg","pass_ns":0,"error":"..."}
//! ```

use std::io::{BufRead, Write};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sudobench_sudoku::solver::Outcome;

use super::pair::Pair;
use super::passes::{Leg, Request, ServedPair};
use super::warm_up::{sample, warm_up_all};
use super::wrong::{Failure, check_repeated};
use super::{Contestant, Dataset, Fault, Plan};
use crate::process::{PROTOCOL, line_of};

/// Environment variable with the maximum number of puzzles per dataset for solvers that solve one puzzle at a time. There is no option for
/// this number, because older binaries refuse options that they don't know.
pub const SINGLE_SAMPLE: &str = "SUDOBENCH_SINGLE_SAMPLE";

/// The first message: the pairs that can be requested.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename = "ready")]
pub struct Ready {
    /// The version of the protocol that the served binary speaks.
    pub protocol: u32,
    /// The pairs: every solver on every dataset.
    pub pairs: Vec<ServedPair>,
}

/// The answer to a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename = "leg")]
pub struct Reply {
    /// Median processor time of the passes, or median wall time if the processor time is unknown.
    #[serde(default)]
    pub pass_ns: u64,
    /// Median number of instructions of the passes. Absent if they are not counted, for example because the kernel or an older binary
    /// can't.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub instructions: Option<u64>,
    /// Reason why there is no result.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<String>,
}

/// Warms up, lists the pairs, and answers requests until the input ends.
///
/// # Errors
///
/// If `input` cannot be read, or `output` cannot be written.
pub fn serve(
    contestants: &mut [Box<dyn Contestant>],
    datasets: &[Dataset],
    plan: &Plan,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> std::io::Result<()> {
    let pairs = warm_up_all(contestants, datasets, plan, &mut |_| true);
    let described =
        pairs.iter().enumerate().map(|(at, pair)| describe(contestants, datasets, plan, at, pair));
    send(output, &Ready { protocol: PROTOCOL, pairs: described.collect() })?;
    let mut line = String::new();
    while input.read_line(&mut line)? > 0 {
        let asked = serde_json::from_str(&line).map_err(|error| Fault(format!("not a request: {error}")));
        let answered = asked.and_then(|request| run_passes(contestants, datasets, plan, &pairs, request, 0));
        send(
            output,
            &match answered {
                Ok(Leg { time_ns, instructions, .. }) => {
                    let instructions = Some(instructions).filter(|&count| count > 0);
                    Reply { pass_ns: time_ns, instructions, error: None }
                }
                Err(fault) => Reply { pass_ns: 0, instructions: None, error: Some(fault.to_string()) },
            },
        )?;
        line.clear();
    }
    Ok(())
}

pub(super) fn send(output: &mut dyn Write, message: &impl Serialize) -> std::io::Result<()> {
    output.write_all(&line_of(message)?)?;
    output.flush()
}

pub(super) fn describe(
    contestants: &[Box<dyn Contestant>],
    datasets: &[Dataset],
    plan: &Plan,
    at: usize,
    pair: &Result<Pair, Failure>,
) -> ServedPair {
    let (dataset, contestant) = (&datasets[at / contestants.len()], &contestants[at % contestants.len()]);
    ServedPair {
        solver: contestant.name().to_owned(),
        dataset: dataset.name().to_owned(),
        sample: Some(sample(contestant.as_ref(), dataset, plan).len() as u64),
        puzzles: pair.as_ref().map_or(0, |pair| pair.first.len() as u64),
        pass_ns: pair.as_ref().map_or(0, |pair| pair.first_pass_ns),
        error: pair.as_ref().err().map(|failure| failure.fault.to_string()),
    }
}

/// Runs the requested number of passes, and checks the answers of the last pass. Each pass solves the requested number of puzzles, from
/// position `from` on; fewer if the warm-up did not reach all of them.
///
/// # Errors
///
/// [`Fault`] if there is no such pair, the pair or a pass failed, or an answer is wrong or differs from the warm-up's.
pub(super) fn run_passes(
    contestants: &mut [Box<dyn Contestant>],
    datasets: &[Dataset],
    plan: &Plan,
    pairs: &[Result<Pair, Failure>],
    request: Request,
    from: usize,
) -> Result<Leg, Fault> {
    let pair = pairs.get(request.pair).ok_or_else(|| Fault("there is no such pair".to_owned()))?;
    let pair = pair.as_ref().map_err(|failure| failure.fault.clone())?;
    let (contestant, dataset) = (contestants[pair.contestant].as_mut(), &datasets[pair.dataset]);
    let reached = pair.first.len();
    let until = from.saturating_add(usize::try_from(request.puzzles).unwrap_or(usize::MAX)).min(reached);
    let from = from.min(until);
    let puzzles = &dataset.puzzles()[from..until];
    let mut outcomes = vec![Outcome::ABORTED; puzzles.len()];
    let mut passes = Vec::new();
    for _ in 0..request.passes.max(1) {
        let late = || Fault("a pass did not end".to_owned());
        passes.push(contestant.pass(puzzles, &mut outcomes, Duration::MAX)?.ok_or_else(late)?);
    }
    check_repeated(contestant, dataset, from, (&pair.first[from..], &outcomes), &plan.question)?;
    Ok(Leg::from_passes(&passes))
}

#[cfg(test)]
mod tests {
    use super::super::InProcess;
    use super::super::fixtures::{Scripted, open_puzzles, puzzle, right};
    use super::*;
    use sudobench_sudoku::simd::Level;
    use sudobench_sudoku::solver::Question;

    fn plan() -> Plan {
        Plan { warm_up_limit: "its share", ..Plan::new(Question::unique(), Duration::from_secs(1)) }
    }

    #[test]
    fn requests_are_answered_with_medians_or_faults() {
        let scripted = Scripted::new("a", vec![right(1); 2], &[50, 10, 30]);
        let mut contestants: Vec<Box<dyn Contestant>> = vec![Box::new(scripted)];
        let dataset = Dataset::in_order("two", vec![puzzle(); 2]);
        let asked =
            "{\"pair\":0,\"puzzles\":2,\"passes\":3}\n{\"pair\":7,\"puzzles\":2,\"passes\":3}\nwhat\n";
        let mut output = Vec::new();
        serve(&mut contestants, &[dataset], &plan(), &mut asked.as_bytes(), &mut output).unwrap();
        insta::assert_snapshot!(String::from_utf8(output).unwrap());
    }

    #[test]
    fn the_documented_lines_are_messages() {
        fn check<M: Serialize + serde::de::DeserializeOwned>(line: &str) {
            assert_eq!(serde_json::to_string(&serde_json::from_str::<M>(line).unwrap()).unwrap(), line);
        }
        let documented = include_str!("../../../../docs/REFERENCE.md");
        let lines_of = |sender: &str| -> Vec<&str> {
            documented.lines().filter_map(|line| line.strip_prefix(sender)).collect()
        };
        let served = lines_of("binary -> ");
        let [ready, answers @ ..] = &served[..] else { panic!("no line is documented") };
        check::<Ready>(ready);
        answers.iter().for_each(|line| check::<Reply>(line));
        let requests = lines_of("gate   -> ");
        requests.iter().for_each(|line| check::<Request>(line));
        assert_eq!(requests.len(), 1);
        assert_eq!(answers.len(), 2);
    }

    #[test]
    fn a_batch_may_find_another_solution_if_any_is_allowed() {
        let question = Question::first();
        let bitslice = InProcess::new(
            sudobench_sudoku::solver::find("bitslice").unwrap(),
            Level::widest(),
            1,
            question.clone(),
        )
        .unwrap();
        let mut contestants: Vec<Box<dyn Contestant>> = vec![Box::new(bitslice)];
        let dataset = Dataset::in_order("open", open_puzzles(5_000));
        // The pass has fewer puzzles than the warm-up, so the last puzzles are in another batch than in the warm-up. Their answers may
        // differ from those of the warm-up, but must not count as wrong.
        let asked = "{\"pair\":0,\"puzzles\":4500,\"passes\":1}\n";
        let mut output = Vec::new();
        let plan = Plan { question, max_time: Duration::from_secs(600), ..plan() };
        serve(&mut contestants, &[dataset], &plan, &mut asked.as_bytes(), &mut output).unwrap();
        let output = String::from_utf8(output).unwrap();
        assert!(!output.contains("error"), "{output}");
    }
}

//! Reports the checker's verdicts on outputs: a line for each puzzle whose output is not accepted or that has no solution, then a summary.

use strum::VariantArray as _;

use super::{count, counted, escape};
use crate::record::{DatasetRecord, FailureRecord, Verdict};

/// Reports a check of the outputs for a dataset. `accepted` is the number of accepted puzzles, and `failures` are the other puzzles that
/// were checked. The `unsolvable` puzzles are listed, but do not count as checked. `remark` describes what is unusual about the outputs as
/// a whole.
pub fn checked_text(
    dataset: &DatasetRecord,
    problem: &str,
    accepted: u64,
    failures: &[FailureRecord],
    unsolvable: &[u64],
    remark: Option<&str>,
) -> String {
    let failed = failures.iter().map(|failure| {
        let reason = escape::visible(&failure.words);
        (failure.number, format!("puzzle {}: {}: {reason}\n", failure.number, failure.verdict.letters()))
    });
    let left_out =
        unsolvable.iter().map(|&number| (number, format!("puzzle {number}: left out: it has no solution\n")));
    let mut lines: Vec<(u64, String)> = failed.chain(left_out).collect();
    lines.sort_by_key(|(number, _)| *number);
    let mut text: String = lines.into_iter().map(|(_, line)| line).collect();
    text.push_str(&sentence(dataset, problem, accepted, failures, unsolvable.len() as u64));
    if let Some(remark) = remark {
        text.push_str(&format!("{}: {remark}\n", escape::visible(&dataset.name)));
    }
    escape::lines(&text)
}

fn sentence(
    dataset: &DatasetRecord,
    problem: &str,
    accepted: u64,
    failures: &[FailureRecord],
    unsolvable: u64,
) -> String {
    let all = accepted + failures.len() as u64;
    let name = escape::visible(&dataset.name);
    let mut sentence =
        format!("{name}, {problem}: {} of {} accepted", count(accepted), counted(all, "puzzle"));
    for verdict in Verdict::VARIANTS {
        let failed = failures.iter().filter(|failure| failure.verdict == *verdict).count() as u64;
        if failed > 0 {
            sentence.push_str(&format!(", {} on {}", verdict.letters(), count(failed)));
        }
    }
    let left_out = [(unsolvable, "puzzle", " without a solution"), (dataset.malformed, "malformed row", "")];
    for (rows, noun, which) in left_out.into_iter().filter(|(rows, ..)| *rows > 0) {
        sentence.push_str(&format!("; {}{which} left out", counted(rows, noun)));
    }
    sentence + "\n"
}

#[cfg(test)]
mod tests {
    use super::super::hostile::hostile;
    use super::*;
    use crate::record::fixtures;
    use proptest::prelude::*;

    fn failure(number: u64, verdict: Verdict, words: &str) -> FailureRecord {
        FailureRecord {
            number,
            verdict,
            words: words.to_owned(),
            line: None,
            puzzle: None,
            reference_calls: None,
        }
    }

    #[test]
    fn each_failure_has_a_line_and_a_summary_follows() {
        let dataset = DatasetRecord { malformed: 1, ..fixtures::judge_record().datasets.remove(0) };
        let failures = [
            failure(2, Verdict::PresentationError, "line 1 is empty"),
            failure(1_000, Verdict::WrongAnswer, "it printed nothing"),
        ];
        let remark = Some("3 lines after the last required output");
        let text = checked_text(&dataset, "boj2580", 1_998, &failures, &[7], remark);
        let expected = "\
puzzle 2: PE: line 1 is empty
puzzle 7: left out: it has no solution
puzzle 1000: WA: it printed nothing
easy.txt, boj2580: 1,998 of 2,000 puzzles accepted, PE on 1, WA on 1; 1 puzzle without a solution left out; \
1 malformed row left out
easy.txt: 3 lines after the last required output
";
        assert_eq!(text, expected);
        let fine = checked_text(&fixtures::judge_record().datasets[0], "boj2239", 1, &[], &[], None);
        assert_eq!(fine, "easy.txt, boj2239: 1 of 1 puzzle accepted\n");
    }

    proptest! {
        #[test]
        fn text_has_no_effect_on_a_terminal(name in hostile(), words in hostile()) {
            let dataset = DatasetRecord { name, ..fixtures::judge_record().datasets.remove(0) };
            let failures = [failure(1, Verdict::WrongAnswer, &words)];
            let text = checked_text(&dataset, "boj2580", 0, &failures, &[], None);
            prop_assert_eq!(text.lines().count(), 2);
            prop_assert!(escape::lines(&text) == text, "{text:?}");
        }
    }
}

//! Tests of the chains: ratings by length, and steps against those of Sudoku Explainer.

use std::collections::BTreeMap;

use super::super::board::{Board, Digits};
use super::super::{Finder, Step, tenths};
use super::{dynamic, forcing, multiple, nishio, rating};
use crate::puzzle::{CELLS, Puzzle};

#[test]
fn ratings_rise_with_the_length() {
    let bounds = (4..200).filter(|&length| rating(0.0, length + 2) < rating(0.0, length + 3));
    assert_eq!(bounds.collect::<Vec<_>>(), [4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192]);
}

/// Reads a board from 729 characters: for each cell nine, of which those are digits that are candidates. One candidate is a filled cell.
fn board(text: &str) -> Board {
    let digits =
        |cell: &[u8]| (0..9).filter(|&digit| cell[digit] != b'.').fold(0, |set, digit| set | 1 << digit);
    let cells: Vec<Digits> = text.as_bytes().chunks(9).map(digits).collect();
    let value =
        |cell: usize| if cells[cell].is_power_of_two() { cells[cell].trailing_zeros() as u8 + 1 } else { 0 };
    let puzzle = Puzzle::try_from(std::array::from_fn(value)).unwrap();
    Board::with_candidates(&puzzle, &std::array::from_fn(|cell| cells[cell]))
}

/// Writes a board as 729 characters.
fn text(board: &Board) -> String {
    let digits = |cell: usize| match board.values()[cell] {
        0 => board.candidates(cell),
        value => 1 << (value - 1),
    };
    let mark = |cell, digit| if digits(cell) >> digit & 1 == 1 { char::from(b'1' + digit) } else { '.' };
    (0..CELLS).flat_map(|cell| (0..9).map(move |digit| mark(cell, digit))).collect()
}

fn next(board: &Board) -> Option<Step> {
    const FINDERS: [Finder; 4] = [forcing, nishio, multiple, dynamic];
    FINDERS.iter().find_map(|find| find(board))
}

/// Compares steps with a file of lines `board TAB rating|Name: what TAB board after the step`, boards as 729 characters.
#[test]
#[ignore = "needs a file of steps, named by SUDOBENCH_STEPS"]
fn steps_are_those_of_a_file() {
    let file = std::fs::read_to_string(std::env::var("SUDOBENCH_STEPS").unwrap()).unwrap();
    let mut counts: BTreeMap<String, [u32; 2]> = BTreeMap::new();
    for line in file.lines() {
        let [before, hint, after] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let (rating, what) = hint.split_once('|').unwrap();
        let name = what.split(':').next().unwrap();
        let before = board(before);
        let counts = counts.entry(format!("{}.. {name}", &rating[..1])).or_default();
        counts[0] += 1;
        let step = next(&before);
        let found = step.as_ref().map(|step| {
            let mut board = before.clone();
            step.apply(&mut board);
            (
                tenths(step.rating),
                step.technique.name().trim_start_matches("Dynamic ").trim_end_matches('s'),
                text(&board),
            )
        });
        let expected =
            (rating.replace('.', "").parse::<u8>().unwrap(), name.trim_end_matches('s'), after.to_owned());
        if found.as_ref() != Some(&expected) {
            counts[1] += 1;
            if counts[1] <= 5 {
                let step = step.map(|step| {
                    (step.rating, step.technique, step.placement, step.eliminations, step.chain.len())
                });
                println!("{hint}: {step:?}\n  {}", line.split('\t').next().unwrap());
            }
        }
    }
    println!("name: [steps, different]\n{counts:#?}");
}

#[test]
#[ignore = "timing"]
fn timing() {
    let file = std::fs::read_to_string(std::env::var("SUDOBENCH_STEPS").unwrap()).unwrap();
    let boards: Vec<Board> = file.lines().map(|line| board(line.split('\t').next().unwrap())).collect();
    let names = ["forcing", "nishio", "multiple", "dynamic"];
    let finders: [Finder; 4] = [forcing, nishio, multiple, dynamic];
    let mut left: Vec<&Board> = boards.iter().collect();
    for (name, find) in names.iter().zip(finders) {
        let mut best = f64::MAX;
        let mut next = Vec::new();
        for _ in 0..5 {
            let start = std::time::Instant::now();
            next = left.iter().copied().filter(|board| find(board).is_none()).collect();
            best = best.min(start.elapsed().as_secs_f64());
        }
        println!(
            "{name}: {} boards, {:.1} us each, {} left",
            left.len(),
            best * 1e6 / left.len().max(1) as f64,
            next.len()
        );
        left = next;
    }
}

//! Tests of the chains: ratings by length, and steps as in Sudoku Explainer.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use super::super::board::{Board, Digits};
use super::super::{Session, Technique, Walker, next_step, tenths};
use super::{dynamic, rating};
use crate::puzzle::{CELLS, Puzzle};

#[test]
fn ratings_rise_with_the_length() {
    let bounds = (4..200).filter(|&length| rating(0.0, length + 2) < rating(0.0, length + 3));
    assert_eq!(bounds.collect::<Vec<_>>(), [4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192]);
}

/// Reads a board from 729 characters, nine for each cell: the digit for each candidate, and a dot for each other digit. A cell with one
/// candidate is filled.
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
    let mark =
        |cell, digit| if board.digits(cell) >> digit & 1 == 1 { char::from(b'1' + digit) } else { '.' };
    (0..CELLS).flat_map(|cell| (0..9).map(move |digit| mark(cell, digit))).collect()
}

/// Returns the name that Sudoku Explainer prints in its lists of steps. There, the names of dynamic and nested chains lack the words
/// `Dynamic`, `Plus` and `Nested`.
fn short_name(technique: Technique) -> &'static str {
    match technique {
        Technique::DynamicContradictionForcingChains
        | Technique::DynamicPlusContradictionForcingChains
        | Technique::NestedContradictionForcingChains => "Contradiction Forcing Chain",
        Technique::DynamicDoubleForcingChains
        | Technique::DynamicPlusDoubleForcingChains
        | Technique::NestedDoubleForcingChains => "Double Forcing Chain",
        other => {
            let name = other.name();
            ["Dynamic Plus ", "Dynamic ", "Nested "]
                .iter()
                .find_map(|kind| name.strip_prefix(kind))
                .unwrap_or(name)
        }
    }
}

/// Compares the steps of this program with the steps in a file. Each line of the file is `board before the step TAB rating|Name: what TAB
/// board after the step`. A board is written as 729 characters.
#[test]
#[ignore = "needs a file of steps, named by SUDOBENCH_STEPS"]
fn steps_are_those_of_a_file() {
    let file = std::fs::read_to_string(std::env::var("SUDOBENCH_STEPS").unwrap()).unwrap();
    // For each technique, the number of steps and the number of steps that differ.
    let mut counts: BTreeMap<String, [u32; 2]> = BTreeMap::new();
    for line in file.lines() {
        let [before, hint, after] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let (rating, what) = hint.split_once('|').unwrap();
        let rating = rating.replace('.', "").parse::<u8>().unwrap();
        let name = what.split(':').next().unwrap();
        let before = board(before);
        let step = next_step(&before);
        let found = step.as_ref().map(|step| {
            let mut board = before.clone();
            step.apply(&mut board);
            (tenths(step.rating), short_name(step.technique), text(&board))
        });
        let [steps, different] = counts.entry(format!("{name} from {}.0", rating / 10)).or_default();
        *steps += 1;
        if found != Some((rating, name, after.to_owned())) {
            *different += 1;
            println!("{line}: {step:?}");
        }
    }
    println!("{counts:#?}");
    assert!(counts.values().all(|&[_, different]| different == 0));
}

/// A puzzle that Sudoku Explainer rates 10.3. The tenth step of its solution needs nested chains.
const NESTED: &str = ".12.3....35.1.7..66.725.1...2....89.......3..7..........6..1.2...167...35....3...";

/// In the tenth step, an inner cycle can be followed in two directions, and the two directions depend on different candidates.
#[test]
fn an_inner_cycle_is_followed_in_both_directions() {
    let (_, steps) = Walker::default().walk_with_steps(&NESTED.parse().unwrap()).unwrap();
    let step = next_step(&steps[9].board_before()).unwrap();
    assert_eq!(step.to_string(), "Nested Contradiction Forcing Chains: r9c3=9 => r9c3<>9");
    assert_eq!(tenths(step.rating), 103);
}

#[test]
fn a_cancelled_search_for_nested_chains_finds_no_step() {
    let (_, steps) = Walker::default().walk_with_steps(&NESTED.parse().unwrap()).unwrap();
    let board = steps[9].board_before();
    let find = |is_cancelled| {
        let session = Session { cancel: Some(&AtomicBool::new(is_cancelled)), ..Session::default() };
        dynamic(&board, &session)
    };
    assert!(find(false).is_some());
    assert!(find(true).is_none());
}

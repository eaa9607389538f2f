//! Comparison with files of Sudoku Explainer's results. The files are too large for normal test runs, so the tests are ignored by default.
//!
//! ER, EP and ED are the three ratings of Sudoku Explainer. `SUDOBENCH_RATINGS` is the path of a file with lines `puzzle ER/EP/ED`.
//! `SUDOBENCH_RATED_STEPS` is the path of a file that has, for each puzzle, a line `P puzzle`, lines `rating|step` and a line `= ER/EP/ED`.
//! `SUDOBENCH_MAX_RATING` is the highest rating in tenths that is compared (the ER of a puzzle, or the rating of a step), 62 by default.

use std::collections::BTreeMap;

use sudobench_sudoku::Puzzle;
use sudobench_sudoku::puzzle::Cells;
use sudobench_sudoku::techniques::{Step, Technique, Walker, tenths};

use super::known::ratings_of;

/// Reads ER, EP and ED in tenths from a text such as `2.6/1.2/1.2`.
pub(super) fn parse_ratings(text: &str) -> [u8; 3] {
    let ratings: Vec<u8> = text.split('/').map(|rating| rating.replace('.', "").parse().unwrap()).collect();
    ratings.try_into().unwrap()
}

fn max_rating() -> u8 {
    std::env::var("SUDOBENCH_MAX_RATING").map_or(62, |text| text.parse().unwrap())
}

#[test]
#[ignore = "needs a file of ratings"]
fn ratings_are_those_of_the_file() {
    let text = std::fs::read_to_string(std::env::var("SUDOBENCH_RATINGS").unwrap()).unwrap();
    let (mut compared, mut differences) = (0, 0);
    let start = std::time::Instant::now();
    for line in text.lines() {
        let (puzzle, expected) = line.split_once(' ').unwrap();
        let expected = parse_ratings(expected);
        if expected[0] > max_rating() {
            continue;
        }
        compared += 1;
        let walk = Walker::default().walk(&puzzle.parse().unwrap()).unwrap();
        if walk.is_unfinished || ratings_of(&walk) != expected {
            differences += 1;
            println!("{puzzle} {expected:?}: {walk:?}");
        }
    }
    println!("{compared} compared, {differences} differ, {:?}", start.elapsed());
    assert_eq!(differences, 0);
}

/// The compared parts of a step: the rating, the name, the cells and the digits.
type Essence = (u8, String, Cells, u16);

/// Reads a step of Sudoku Explainer, such as `3.0|Naked Pair: Cells r1c3,r1c7: 1,2 in row`.
fn parse_step(text: &str) -> Essence {
    let (rating, step) = text.split_once('|').unwrap();
    let (name, mut rest) = step.split_once(": ").unwrap();
    // The names of loops contain their length, as in `Unique Loop 6 type 1`. The length is removed.
    let name = match name.strip_prefix("Unique Loop ") {
        Some(length_and_type) => format!("Unique Loop {}", length_and_type.split_once(' ').unwrap().1),
        None => name.to_owned(),
    };
    let mut cells = Cells::EMPTY;
    while let Some(at) =
        rest.find('r').filter(|&at| rest[at + 1..].starts_with(|next: char| next.is_ascii_digit()))
    {
        let digit = |at: usize| usize::from(rest.as_bytes()[at] - b'1');
        cells.insert(digit(at + 1) * 9 + digit(at + 3));
        rest = &rest[at + 4..];
    }
    let digits = rest.split(" in ").next().unwrap().bytes().filter(u8::is_ascii_digit);
    (
        rating.replace('.', "").parse().unwrap(),
        name,
        cells,
        digits.fold(0, |digits, digit| digits | 1 << (digit - b'1')),
    )
}

/// Returns the parts of a step that the test compares. Leaves the digits out if Sudoku Explainer prints none for the technique.
fn essence(step: &Step) -> Essence {
    let has_digits = !matches!(
        step.technique,
        Technique::AlignedPairExclusion
            | Technique::BivalueGrave1
            | Technique::BivalueGrave2
            | Technique::BivalueGrave4
    );
    let digits = if has_digits { step.digits } else { 0 };
    (tenths(step.rating), step.technique.name().to_owned(), step.cells, digits)
}

#[test]
#[ignore = "needs a file of steps"]
fn steps_are_those_of_the_file() {
    let text = std::fs::read_to_string(std::env::var("SUDOBENCH_RATED_STEPS").unwrap()).unwrap();
    let mut compared: BTreeMap<String, u32> = BTreeMap::new();
    let mut differences = 0;
    for block in text.split("P ").skip(1) {
        let mut lines = block.lines();
        let puzzle: Puzzle = lines.next().unwrap().parse().unwrap();
        let (_, steps) = Walker::default().walk_with_steps(&puzzle).unwrap();
        let mut steps = steps.iter().map(|played| &played.step);
        for line in lines.take_while(|line| !line.starts_with('=')) {
            let rating: u8 = line.split('|').next().unwrap().replace('.', "").parse().unwrap();
            if rating > max_rating() {
                break;
            }
            let expected = parse_step(line);
            let found = steps.next();
            if found.map(essence).as_ref() != Some(&expected) {
                differences += 1;
                println!("{puzzle} {line}: {found:?}");
                break;
            }
            *compared.entry(expected.1).or_default() += 1;
        }
    }
    println!("{compared:#?}");
    assert_eq!(differences, 0);
}

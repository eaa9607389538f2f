//! The techniques: their names, ratings and descriptions.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A technique of Sudoku Explainer. The variants are listed in the order in which [`next_step`](super::next_step) calls their finders. A
/// finder of several techniques may try them in another order.
///
/// `Guess` and `Backtrack` are not techniques, and [`Technique::ALL`] does not have them: they name the steps of a search
/// ([`Walker::search`](super::Walker::search)).
///
/// ```
/// use sudobench_sudoku::techniques::Technique;
///
/// assert_eq!("X-Wing".parse(), Ok(Technique::XWing));
/// assert_eq!(Technique::BivalueGrave1.to_string(), "BUG type 1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the name of each variant is the name of its technique")]
pub enum Technique {
    HiddenSingle,
    DirectPointing,
    DirectClaiming,
    DirectHiddenPair,
    NakedSingle,
    DirectHiddenTriplet,
    Pointing,
    Claiming,
    NakedPair,
    XWing,
    HiddenPair,
    NakedTriplet,
    Swordfish,
    HiddenTriplet,
    XyWing,
    XyzWing,
    UniqueRectangle1,
    UniqueRectangle2,
    UniqueRectangle3,
    UniqueRectangle4,
    UniqueLoop1,
    UniqueLoop2,
    UniqueLoop3,
    UniqueLoop4,
    NakedQuad,
    Jellyfish,
    HiddenQuad,
    BivalueGrave1,
    BivalueGrave2,
    BivalueGrave3,
    BivalueGrave4,
    AlignedPairExclusion,
    TurbotFish,
    ForcingXChain,
    ForcingChain,
    BidirectionalXCycle,
    BidirectionalYCycle,
    BidirectionalCycle,
    AlignedTripletExclusion,
    NishioForcingChain,
    RegionForcingChains,
    CellForcingChains,
    DynamicRegionForcingChains,
    DynamicCellForcingChains,
    DynamicContradictionForcingChains,
    DynamicDoubleForcingChains,
    DynamicPlusRegionForcingChains,
    DynamicPlusCellForcingChains,
    DynamicPlusContradictionForcingChains,
    DynamicPlusDoubleForcingChains,
    NestedRegionForcingChains,
    NestedCellForcingChains,
    NestedContradictionForcingChains,
    NestedDoubleForcingChains,
    Guess,
    Backtrack,
}

/// Each variant with its name, the ratings of its steps in tenths, and what it does, in the order of the variants.
const TECHNIQUES: [(Technique, &str, RangeInclusive<u8>, &str); 56] = {
    use Technique::*;
    /// No upper bound, because the ratings of chains rise with their lengths.
    const ANY: u8 = u8::MAX;
    [
        (
            HiddenSingle,
            "Hidden Single",
            10..=15,
            "A digit has one place in a row, column or box. The rating is 1.0 if this place is the last empty cell of the unit; otherwise 1.2 in a box, and 1.5 in a line.",
        ),
        (
            DirectPointing,
            "Direct Pointing",
            17..=17,
            "All places of a digit in a box are in one line. So the digit has only one place left in another box that the line crosses.",
        ),
        (
            DirectClaiming,
            "Direct Claiming",
            19..=19,
            "All places of a digit in a line are in one box. So the digit has only one place left in a parallel line that crosses the box. This \
             is never the next step, because a Hidden Single or Direct Pointing, which are tried first, fills a cell then.",
        ),
        (
            DirectHiddenPair,
            "Direct Hidden Pair",
            20..=20,
            "Two digits share their only two places in a unit. So a third digit has only one place left there.",
        ),
        (NakedSingle, "Naked Single", 23..=23, "A cell has one candidate."),
        (
            DirectHiddenTriplet,
            "Direct Hidden Triplet",
            25..=25,
            "Three digits share their only three places in a unit. So a fourth digit has only one place left there.",
        ),
        (
            Pointing,
            "Pointing",
            26..=26,
            "All places of a digit in a box are in one line. The digit is removed from the rest of the line.",
        ),
        (
            Claiming,
            "Claiming",
            28..=28,
            "All places of a digit in a line are in one box. The digit is removed from the rest of the box.",
        ),
        (
            NakedPair,
            "Naked Pair",
            30..=30,
            "Two cells of a unit have the same two candidates. Both digits are removed from the other cells of the unit.",
        ),
        (
            XWing,
            "X-Wing",
            32..=32,
            "In two rows, all places of a digit are in the same two columns. The digit is removed from these columns in all other rows. Rows and columns can also be exchanged.",
        ),
        (
            HiddenPair,
            "Hidden Pair",
            34..=34,
            "Two digits share their only two places in a unit. Other candidates are removed from these two cells.",
        ),
        (
            NakedTriplet,
            "Naked Triplet",
            36..=36,
            "Three cells of a unit have only three digits as candidates. These digits are removed from the other cells of the unit.",
        ),
        (
            Swordfish,
            "Swordfish",
            38..=38,
            "In three rows, all places of a digit are in the same three columns. The digit is removed from these columns in all other rows. Rows and columns can also be exchanged.",
        ),
        (
            HiddenTriplet,
            "Hidden Triplet",
            40..=40,
            "Three digits share their only three places in a unit. Other candidates are removed from these three cells.",
        ),
        (
            XyWing,
            "XY-Wing",
            42..=42,
            "A cell with the candidates x and y sees two cells: one with x and z, and one with y and z. One of these two cells is z, so z is removed from all cells that see both.",
        ),
        (
            XyzWing,
            "XYZ-Wing",
            44..=44,
            "A cell with the candidates x, y and z sees a cell with x and z and a cell with y and z. One of the three is z, so z is removed from all cells that see all three.",
        ),
        (
            UniqueRectangle1,
            "Unique Rectangle type 1",
            45..=45,
            "Three of four cells in two rows, two columns and two boxes have only the same two candidates. If the fourth had only these, too, the digits could be exchanged, and there would be two solutions. So both digits are removed from the fourth cell.",
        ),
        (
            UniqueRectangle2,
            "Unique Rectangle type 2",
            45..=45,
            "As type 1, but two or more cells have one extra candidate, the same digit in each. At least one of them holds the extra digit, so it is removed from all cells that see all of them.",
        ),
        (
            UniqueRectangle3,
            "Unique Rectangle type 3",
            45..=48,
            "As type 1, but two cells have extra digits. At least one of the two cells holds an extra digit, so the two cells count as one cell of a naked or hidden set.",
        ),
        (
            UniqueRectangle4,
            "Unique Rectangle type 4",
            45..=45,
            "As type 1, but two cells have extra digits, and one of the two digits of the rectangle has no other place in a unit that contains both cells. So the other digit of the rectangle is removed from both cells.",
        ),
        (
            UniqueLoop1,
            "Unique Loop type 1",
            46..=50,
            "As Unique Rectangle type 1, with a loop of six or more cells.",
        ),
        (
            UniqueLoop2,
            "Unique Loop type 2",
            46..=50,
            "As Unique Rectangle type 2, with a loop of six or more cells.",
        ),
        (
            UniqueLoop3,
            "Unique Loop type 3",
            46..=53,
            "As Unique Rectangle type 3, with a loop of six or more cells.",
        ),
        (
            UniqueLoop4,
            "Unique Loop type 4",
            46..=50,
            "As Unique Rectangle type 4, with a loop of six or more cells.",
        ),
        (
            NakedQuad,
            "Naked Quad",
            50..=50,
            "Four cells of a unit have only four digits as candidates. These digits are removed from the other cells of the unit.",
        ),
        (
            Jellyfish,
            "Jellyfish",
            52..=52,
            "In four rows, all places of a digit are in the same four columns. The digit is removed from these columns in all other rows. Rows and columns can also be exchanged.",
        ),
        (
            HiddenQuad,
            "Hidden Quad",
            54..=54,
            "Four digits share their only four places in a unit. Other candidates are removed from these four cells.",
        ),
        (
            BivalueGrave1,
            "BUG type 1",
            56..=56,
            "If all cells had two candidates, and each digit two places in each unit, there would be no solution or several (bivalue universal grave). Only one cell has extra candidates beyond this pattern, so it must hold one of them.",
        ),
        (
            BivalueGrave2,
            "BUG type 2",
            57..=57,
            "As type 1, but several cells have one extra candidate, the same digit in each. At least one of them holds this digit, so it is removed from all cells that see all of them.",
        ),
        (
            BivalueGrave3,
            "BUG type 3",
            58..=62,
            "As type 1, but several cells have extra candidates. At least one of these cells holds an extra candidate, so the cells count as one cell of a naked set.",
        ),
        (
            BivalueGrave4,
            "BUG type 4",
            57..=57,
            "As type 1, but two cells of a unit have extra candidates, and both have one more candidate in common, which one of them must hold. Both cells keep only this candidate and their extra candidates.",
        ),
        (
            AlignedPairExclusion,
            "Aligned Pair Exclusion",
            62..=62,
            "For two cells, each pair of digits is tried. A pair is impossible if it takes all candidates of a cell that sees both, or if both digits are equal and the two cells see each other. A digit that is in no possible pair is removed.",
        ),
        (
            TurbotFish,
            "Turbot Fish",
            66..=66,
            "A chain of a single digit through five cells. If a candidate leads to its own contradiction, it is removed; if its absence leads to its presence, it is placed.",
        ),
        (
            ForcingXChain,
            "Forcing X-Chain",
            66..=ANY,
            "A longer chain of a single digit. If a candidate leads to its own contradiction, it is removed; if its absence leads to its presence, it is placed.",
        ),
        (
            ForcingChain,
            "Forcing Chain",
            70..=ANY,
            "A chain over several digits, by cells with two candidates and units with two places. Otherwise as Forcing X-Chain.",
        ),
        (
            BidirectionalXCycle,
            "Bidirectional X-Cycle",
            65..=ANY,
            "A closed chain of a single digit. Either its cells at even places or its cells at odd places hold the digit. So the digit is removed from other cells that see a chain cell of each kind.",
        ),
        (
            BidirectionalYCycle,
            "Bidirectional Y-Cycle",
            65..=ANY,
            "A closed chain over cells with two candidates. If one of two cells of the chain must hold a digit, the digit is removed from other cells that see both.",
        ),
        (
            BidirectionalCycle,
            "Bidirectional Cycle",
            70..=ANY,
            "A closed chain over cells with two candidates and units with two places. Otherwise as Bidirectional Y-Cycle.",
        ),
        (
            AlignedTripletExclusion,
            "Aligned Triplet Exclusion",
            75..=75,
            "As Aligned Pair Exclusion, with three cells.",
        ),
        (
            NishioForcingChain,
            "Nishio Forcing Chain",
            75..=ANY,
            "If a candidate is assumed to be true, or assumed to be false, links of its digit lead to a contradiction: a unit has no place for the digit, or a cell both must and cannot hold the digit.",
        ),
        (
            RegionForcingChains,
            "Region Forcing Chains",
            80..=ANY,
            "Each place that a digit may have in a unit leads to the same conclusion.",
        ),
        (
            CellForcingChains,
            "Cell Forcing Chains",
            80..=ANY,
            "Each candidate of a cell leads to the same conclusion.",
        ),
        (
            DynamicRegionForcingChains,
            "Dynamic Region Forcing Chains",
            85..=ANY,
            "As Region Forcing Chains, but a chain may have branches: a link may also depend on candidates that were eliminated earlier in the chain.",
        ),
        (
            DynamicCellForcingChains,
            "Dynamic Cell Forcing Chains",
            85..=ANY,
            "As Cell Forcing Chains, but a chain may have branches: a link may also depend on candidates that were eliminated earlier in the chain.",
        ),
        (
            DynamicContradictionForcingChains,
            "Dynamic Contradiction Forcing Chains",
            85..=ANY,
            "If a candidate is assumed to be true, or assumed to be false, chains with branches lead to a contradiction.",
        ),
        (
            DynamicDoubleForcingChains,
            "Dynamic Double Forcing Chains",
            85..=ANY,
            "Chains with branches lead to the same conclusion whether a candidate is true or false.",
        ),
        (
            DynamicPlusRegionForcingChains,
            "Dynamic Plus Region Forcing Chains",
            90..=ANY,
            "As Dynamic Region Forcing Chains, but chains also use what Pointing, Claiming, Hidden Pairs, Naked Pairs and X-Wings remove on the way.",
        ),
        (
            DynamicPlusCellForcingChains,
            "Dynamic Plus Cell Forcing Chains",
            90..=ANY,
            "As Dynamic Cell Forcing Chains, but chains also use what Pointing, Claiming, Hidden Pairs, Naked Pairs and X-Wings remove on the way.",
        ),
        (
            DynamicPlusContradictionForcingChains,
            "Dynamic Plus Contradiction Forcing Chains",
            90..=ANY,
            "As Dynamic Contradiction Forcing Chains, but chains also use what Pointing, Claiming, Hidden Pairs, Naked Pairs and X-Wings remove on the way.",
        ),
        (
            DynamicPlusDoubleForcingChains,
            "Dynamic Plus Double Forcing Chains",
            90..=ANY,
            "As Dynamic Double Forcing Chains, but chains also use what Pointing, Claiming, Hidden Pairs, Naked Pairs and X-Wings remove on the way.",
        ),
        (
            NestedRegionForcingChains,
            "Nested Region Forcing Chains",
            95..=ANY,
            "As Dynamic Plus Region Forcing Chains, but chains also use what inner chains prove on the way: forcing chains and cycles (9.5 and more), and cell and region chains (10.0 and more).",
        ),
        (
            NestedCellForcingChains,
            "Nested Cell Forcing Chains",
            95..=ANY,
            "As Dynamic Plus Cell Forcing Chains, but chains also use what inner chains prove on the way: forcing chains and cycles (9.5 and more), and cell and region chains (10.0 and more).",
        ),
        (
            NestedContradictionForcingChains,
            "Nested Contradiction Forcing Chains",
            95..=ANY,
            "As Dynamic Plus Contradiction Forcing Chains, but chains also use what inner chains prove on the way: forcing chains and cycles (9.5 and more), and cell and region chains (10.0 and more).",
        ),
        (
            NestedDoubleForcingChains,
            "Nested Double Forcing Chains",
            95..=ANY,
            "As Dynamic Plus Double Forcing Chains, but chains also use what inner chains prove on the way: forcing chains and cycles (9.5 and more), and cell and region chains (10.0 and more).",
        ),
        (
            Guess,
            "Guess",
            0..=0,
            "No technique finds a step, or only one above the limit, so a candidate is tried: the smallest one of the first cell with the fewest candidates.",
        ),
        (
            Backtrack,
            "Backtrack",
            0..=0,
            "A cell has no candidate, or a unit has no place for a digit. So the last guess was wrong: the board before it comes back, without the guessed candidate.",
        ),
    ]
};

/// Number of techniques. They are the first entries of [`TECHNIQUES`]. The other entries are the steps of a search: guess and backtrack.
const COUNT: usize = Technique::Guess as usize;

const fn first_names<const N: usize>() -> [&'static str; N] {
    let mut names = [""; N];
    let mut position = 0;
    while position < N {
        names[position] = TECHNIQUES[position].1;
        position += 1;
    }
    names
}

/// The error for a text that is not the name of a technique. Steps of the search, `Guess` and `Backtrack`, are not techniques.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no technique `{0}`: write a name such as X-Wing or Naked Pair; docs/techniques lists all names"
)]
pub struct TechniqueError(String);

impl Technique {
    /// All techniques.
    pub const ALL: [Technique; COUNT] = {
        let mut all = [Technique::HiddenSingle; COUNT];
        let mut position = 0;
        while position < all.len() {
            all[position] = TECHNIQUES[position].0;
            position += 1;
        }
        all
    };

    /// The names of all techniques, in the order of [`Technique::ALL`].
    pub const NAMES: [&str; COUNT] = first_names();

    /// The names of all techniques, and then the names of the steps of a search.
    pub const STEP_NAMES: [&str; TECHNIQUES.len()] = first_names();

    /// Returns the name, such as `Naked Pair`.
    pub fn name(self) -> &'static str {
        TECHNIQUES[self as usize].1
    }

    /// Returns a short description of the technique. `Guess` and `Backtrack` are steps of a search, which also have a description.
    pub fn about(self) -> &'static str {
        TECHNIQUES[self as usize].3
    }

    /// Returns the lowest rating of the technique's steps, in tenths. For many techniques, it is the rating of all steps.
    pub(crate) const fn lowest_rating(self) -> u8 {
        *TECHNIQUES[self as usize].2.start()
    }

    /// Returns whether this is a step of a search, which has no rating.
    pub const fn is_of_search(self) -> bool {
        self as usize >= COUNT
    }

    /// Returns the range of the ratings that the technique's steps can have, in tenths. For all chains except the Turbot Fish, ratings rise
    /// with the length and have no fixed maximum, so the range ends at 255. For steps of a search, the range is 0 to 0.
    pub fn ratings(self) -> RangeInclusive<u8> {
        TECHNIQUES[self as usize].2.clone()
    }
}

impl FromStr for Technique {
    type Err = TechniqueError;

    /// Parses the name of a technique; `Guess` and `Backtrack` are refused. Case is ignored, and so are all characters except ASCII letters
    /// and digits: `X-Wing`, `x-wing` and `xwing` are the same.
    fn from_str(name: &str) -> Result<Technique, TechniqueError> {
        let letters = |name: &str| -> String {
            let letters = name.chars().filter(char::is_ascii_alphanumeric);
            letters.map(|letter| letter.to_ascii_lowercase()).collect()
        };
        let technique =
            Technique::ALL.into_iter().find(|technique| letters(technique.name()) == letters(name));
        technique.ok_or_else(|| TechniqueError(name.to_owned()))
    }
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_the_order_of_the_variants_and_read_back() {
        for (position, technique) in Technique::ALL.into_iter().enumerate() {
            assert_eq!(technique as usize, position);
            assert_eq!(technique.name().parse(), Ok(technique));
        }
        assert_eq!("x-wing".parse(), Ok(Technique::XWing));
        assert_eq!("unique rectangle type-4".parse(), Ok(Technique::UniqueRectangle4));
        let unknown = "Guess".parse::<Technique>().unwrap_err();
        assert!(
            unknown.to_string().starts_with("there is no technique `Guess`: write a name such as"),
            "{unknown}"
        );
    }
}

//! The names of the techniques.

use std::fmt;
use std::str::FromStr;

/// A technique, by the name that Sudoku Explainer gives it. Listed in the order in which [`next_step`](super::next_step) tries them.
///
/// ```
/// use sudobench_sudoku::techniques::Technique;
///
/// assert_eq!("X-Wing".parse(), Ok(Technique::XWing));
/// assert_eq!(Technique::BivalueGrave1.to_string(), "BUG type 1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say what they are")]
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
    ContradictionForcingChain,
    DoubleForcingChain,
    DynamicRegionForcingChains,
    DynamicCellForcingChains,
    DynamicContradictionForcingChains,
    DynamicDoubleForcingChains,
}

/// Each technique with its name, in the order of the variants.
const NAMES: [(Technique, &str); 48] = {
    use Technique::*;
    [
        (HiddenSingle, "Hidden Single"),
        (DirectPointing, "Direct Pointing"),
        (DirectClaiming, "Direct Claiming"),
        (DirectHiddenPair, "Direct Hidden Pair"),
        (NakedSingle, "Naked Single"),
        (DirectHiddenTriplet, "Direct Hidden Triplet"),
        (Pointing, "Pointing"),
        (Claiming, "Claiming"),
        (NakedPair, "Naked Pair"),
        (XWing, "X-Wing"),
        (HiddenPair, "Hidden Pair"),
        (NakedTriplet, "Naked Triplet"),
        (Swordfish, "Swordfish"),
        (HiddenTriplet, "Hidden Triplet"),
        (XyWing, "XY-Wing"),
        (XyzWing, "XYZ-Wing"),
        (UniqueRectangle1, "Unique Rectangle type 1"),
        (UniqueRectangle2, "Unique Rectangle type 2"),
        (UniqueRectangle3, "Unique Rectangle type 3"),
        (UniqueRectangle4, "Unique Rectangle type 4"),
        (UniqueLoop1, "Unique Loop type 1"),
        (UniqueLoop2, "Unique Loop type 2"),
        (UniqueLoop3, "Unique Loop type 3"),
        (UniqueLoop4, "Unique Loop type 4"),
        (NakedQuad, "Naked Quad"),
        (Jellyfish, "Jellyfish"),
        (HiddenQuad, "Hidden Quad"),
        (BivalueGrave1, "BUG type 1"),
        (BivalueGrave2, "BUG type 2"),
        (BivalueGrave3, "BUG type 3"),
        (BivalueGrave4, "BUG type 4"),
        (AlignedPairExclusion, "Aligned Pair Exclusion"),
        (TurbotFish, "Turbot Fish"),
        (ForcingXChain, "Forcing X-Chain"),
        (ForcingChain, "Forcing Chain"),
        (BidirectionalXCycle, "Bidirectional X-Cycle"),
        (BidirectionalYCycle, "Bidirectional Y-Cycle"),
        (BidirectionalCycle, "Bidirectional Cycle"),
        (AlignedTripletExclusion, "Aligned Triplet Exclusion"),
        (NishioForcingChain, "Nishio Forcing Chain"),
        (RegionForcingChains, "Region Forcing Chains"),
        (CellForcingChains, "Cell Forcing Chains"),
        (ContradictionForcingChain, "Contradiction Forcing Chain"),
        (DoubleForcingChain, "Double Forcing Chain"),
        (DynamicRegionForcingChains, "Dynamic Region Forcing Chains"),
        (DynamicCellForcingChains, "Dynamic Cell Forcing Chains"),
        (DynamicContradictionForcingChains, "Dynamic Contradiction Forcing Chains"),
        (DynamicDoubleForcingChains, "Dynamic Double Forcing Chains"),
    ]
};

/// Why a text is not a technique.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a technique")]
pub struct TechniqueError(String);

impl Technique {
    /// All techniques.
    pub const ALL: [Technique; NAMES.len()] = {
        let mut all = [Technique::HiddenSingle; NAMES.len()];
        let mut position = 0;
        while position < all.len() {
            all[position] = NAMES[position].0;
            position += 1;
        }
        all
    };

    /// The names of all techniques, in the order of [`Technique::ALL`].
    pub const NAMES: [&str; NAMES.len()] = {
        let mut names = [""; NAMES.len()];
        let mut position = 0;
        while position < names.len() {
            names[position] = NAMES[position].1;
            position += 1;
        }
        names
    };

    /// Returns the name, such as `Naked Pair`.
    pub fn name(self) -> &'static str {
        NAMES[self as usize].1
    }
}

impl FromStr for Technique {
    type Err = TechniqueError;

    fn from_str(name: &str) -> Result<Technique, TechniqueError> {
        let technique = Technique::ALL.into_iter().find(|technique| technique.name() == name);
        technique.ok_or_else(|| TechniqueError(name.to_owned()))
    }
}

impl fmt::Display for Technique {
    /// Writes the name.
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
        assert_eq!("Guess".parse::<Technique>().unwrap_err().to_string(), "`Guess` is not a technique");
    }
}

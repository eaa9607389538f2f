//! Symmetries of the cells with clues.

use std::fmt;
use std::str::FromStr;

use crate::puzzle::{CELLS, Cells};

/// A symmetry of the cells with clues: the transformations that map the set of these cells to itself.
///
/// As in Sudoku Explainer (Nicolas Juillerat, 2006), `diagonal` is the diagonal from the lower left to the upper right, and `antidiagonal` is
/// the diagonal from the upper left to the lower right.
///
/// ```
/// use sudobench_sudoku::generate::Symmetry;
/// use sudobench_sudoku::puzzle::Cells;
///
/// let corners: Cells = [0, 80].into_iter().collect();
/// assert!(Symmetry::Rotational.fits(corners) && !Symmetry::Diagonal.fits([0].into_iter().collect()));
/// assert_eq!(Symmetry::Rotational.orbit(0), corners);
/// assert_eq!("rotational90".parse(), Ok(Symmetry::Rotational90));
/// assert_eq!("rotate-90".parse(), Ok(Symmetry::Rotational90));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Symmetry {
    /// No symmetry.
    #[default]
    None,
    /// Rotation by 180 degrees.
    Rotational,
    /// Rotation by 90 degrees.
    Rotational90,
    /// Reflection in the middle row: the upper half mirrors the lower half.
    Horizontal,
    /// Reflection in the middle column.
    Vertical,
    /// Reflection in the diagonal from the lower left to the upper right.
    Diagonal,
    /// Reflection in the diagonal from the upper left to the lower right.
    Antidiagonal,
    /// All of the symmetries above.
    Full,
}

/// The reason why a text is not the name of a symmetry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown symmetry `{0}`: choose from {names}", names = listed(&Symmetry::ALL.map(Symmetry::name)))]
pub struct SymmetryError(String);

/// Lists names for a message: `a, b and c`.
pub(super) fn listed(names: &[&str]) -> String {
    match names {
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
        [] => String::new(),
    }
}

impl Symmetry {
    /// All symmetries, in the order in which help texts and error messages list them.
    pub const ALL: [Symmetry; 8] = [
        Symmetry::None,
        Symmetry::Rotational,
        Symmetry::Rotational90,
        Symmetry::Horizontal,
        Symmetry::Vertical,
        Symmetry::Diagonal,
        Symmetry::Antidiagonal,
        Symmetry::Full,
    ];

    /// Returns the name of the symmetry.
    pub const fn name(self) -> &'static str {
        match self {
            Symmetry::None => "none",
            Symmetry::Rotational => "rotational",
            Symmetry::Rotational90 => "rotational90",
            Symmetry::Horizontal => "horizontal",
            Symmetry::Vertical => "vertical",
            Symmetry::Diagonal => "diagonal",
            Symmetry::Antidiagonal => "antidiagonal",
            Symmetry::Full => "full",
        }
    }

    /// Returns other common names of the symmetry. Parsing accepts them too.
    ///
    /// ```
    /// use sudobench_sudoku::generate::Symmetry;
    /// assert!(Symmetry::Rotational.aliases().contains(&"rotate180"));
    /// ```
    pub const fn aliases(self) -> &'static [&'static str] {
        match self {
            Symmetry::None => &["asymmetric"],
            Symmetry::Rotational => &[
                "rotational180",
                "rotational-180",
                "rotation180",
                "rotation-180",
                "rotate180",
                "rotate-180",
                "half-turn",
            ],
            Symmetry::Rotational90 => {
                &["rotational-90", "rotation90", "rotation-90", "rotate90", "rotate-90", "quarter-turn"]
            }
            Symmetry::Horizontal => &["mirror-x", "mirror-horizontal"],
            Symmetry::Vertical => &["mirror-y", "mirror-vertical"],
            Symmetry::Diagonal => &["mirror-diagonal"],
            Symmetry::Antidiagonal => &["anti-diagonal", "mirror-antidiagonal"],
            Symmetry::Full => &["all"],
        }
    }

    /// Returns a description of the symmetry for help texts, in one line.
    pub const fn about(self) -> &'static str {
        match self {
            Symmetry::None => "no symmetry",
            Symmetry::Rotational => "after half a turn, the same cells have clues",
            Symmetry::Rotational90 => "after a quarter turn, the same cells have clues",
            Symmetry::Horizontal => "reflection in the middle row",
            Symmetry::Vertical => "reflection in the middle column",
            Symmetry::Diagonal => "reflection in the diagonal from the lower left to the upper right",
            Symmetry::Antidiagonal => "reflection in the diagonal from the upper left to the lower right",
            Symmetry::Full => "all of these symmetries",
        }
    }

    /// Returns the orbit of a cell: the cell itself and all cells to which the symmetry maps it. In a symmetric puzzle, either all of these
    /// cells have a clue, or none of them has one.
    ///
    /// # Panics
    /// If the cell is above 80.
    pub fn orbit(self, cell: usize) -> Cells {
        let (row, column) = (cell / 9, cell % 9);
        let images: &[(usize, usize)] = match self {
            Symmetry::None => &[],
            Symmetry::Rotational => &[(8 - row, 8 - column)],
            Symmetry::Rotational90 => &[(column, 8 - row), (8 - row, 8 - column), (8 - column, row)],
            Symmetry::Horizontal => &[(8 - row, column)],
            Symmetry::Vertical => &[(row, 8 - column)],
            Symmetry::Diagonal => &[(8 - column, 8 - row)],
            Symmetry::Antidiagonal => &[(column, row)],
            Symmetry::Full => &[
                (column, 8 - row),
                (8 - row, 8 - column),
                (8 - column, row),
                (8 - row, column),
                (row, 8 - column),
                (8 - column, 8 - row),
                (column, row),
            ],
        };
        images.iter().map(|(row, column)| row * 9 + column).chain([cell]).collect()
    }

    /// Returns the orbits of all cells, ordered by their first cells. In a symmetric puzzle, either all cells of an orbit have clues, or
    /// none of them has one.
    pub fn orbits(self) -> Vec<Cells> {
        let orbits = (0..CELLS).map(|cell| (cell, self.orbit(cell)));
        orbits.filter(|(cell, orbit)| orbit.iter().next() == Some(*cell)).map(|(_, orbit)| orbit).collect()
    }

    /// Returns whether clues in these cells have the symmetry.
    pub fn fits(self, clues: Cells) -> bool {
        self.lack(clues).is_none()
    }

    /// Finds an orbit in which some cells have a clue and others don't. Returns one cell of each kind: first a cell with a clue, then a
    /// cell without a clue.
    pub(super) fn lack(self, clues: Cells) -> Option<(usize, usize)> {
        let lack = |cell: usize| Some((cell, self.orbit(cell).without(clues).iter().next()?));
        clues.iter().find_map(lack)
    }
}

impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Symmetry {
    type Err = SymmetryError;

    fn from_str(name: &str) -> Result<Symmetry, SymmetryError> {
        let is_named = |symmetry: &Symmetry| symmetry.name() == name || symmetry.aliases().contains(&name);
        let found = Symmetry::ALL.into_iter().find(is_named);
        found.ok_or_else(|| SymmetryError(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn orbits_divide_the_cells() {
        let sizes = [(1, 81), (2, 41), (4, 21), (2, 45), (2, 45), (2, 45), (2, 45), (8, 15)];
        for (symmetry, (most, orbits)) in Symmetry::ALL.into_iter().zip(sizes) {
            let found = symmetry.orbits();
            assert_eq!(found.len(), orbits, "{symmetry}");
            assert_eq!(found.iter().map(|orbit| orbit.len()).max(), Some(most), "{symmetry}");
            assert_eq!(found.iter().map(|orbit| orbit.len()).sum::<usize>(), CELLS, "{symmetry}");
            for orbit in found {
                assert!(orbit.iter().all(|cell| symmetry.orbit(cell) == orbit), "{symmetry}");
                assert!(symmetry.fits(orbit), "{symmetry}");
            }
        }
    }

    #[test]
    fn each_symmetry_matches_its_name() {
        // For each symmetry, the orbit of the cell r1c2: the cell itself and all cells to which the symmetry maps it.
        let images = [
            (Symmetry::None, "r1c2"),
            (Symmetry::Rotational, "r1c2 r9c8"),
            (Symmetry::Rotational90, "r1c2 r2c9 r8c1 r9c8"),
            (Symmetry::Horizontal, "r1c2 r9c2"),
            (Symmetry::Vertical, "r1c2 r1c8"),
            (Symmetry::Diagonal, "r1c2 r8c9"),
            (Symmetry::Antidiagonal, "r1c2 r2c1"),
            (Symmetry::Full, "r1c2 r1c8 r2c1 r2c9 r8c1 r8c9 r9c2 r9c8"),
        ];
        for (symmetry, image) in images {
            assert_eq!(symmetry.orbit(1).to_string(), image, "{symmetry}");
            assert_eq!(symmetry.name().parse(), Ok(symmetry));
        }
        let names = |symmetry: Symmetry| [&[symmetry.name()], symmetry.aliases()].concat();
        let all: Vec<&str> = Symmetry::ALL.into_iter().flat_map(names).collect();
        assert_eq!(
            all.iter().collect::<BTreeSet<_>>().len(),
            all.len(),
            "each name belongs to only one symmetry"
        );
        for symmetry in Symmetry::ALL {
            assert!(names(symmetry).iter().all(|name| name.parse() == Ok(symmetry)), "{symmetry}");
        }
        let words = "Full".parse::<Symmetry>().unwrap_err().to_string();
        assert!(Symmetry::ALL.iter().all(|symmetry| words.contains(symmetry.name())), "{words}");
    }
}

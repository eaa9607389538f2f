//! A fixed number of counts.

use serde::{Deserialize, Serialize};

/// A fixed number of counts. In JSON, they are a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<u64>", into = "Vec<u64>")]
pub struct Counts<const N: usize>(pub [u64; N]);

impl<const N: usize> Default for Counts<N> {
    fn default() -> Counts<N> {
        Counts([0; N])
    }
}

impl<const N: usize> TryFrom<Vec<u64>> for Counts<N> {
    type Error = String;

    fn try_from(counts: Vec<u64>) -> Result<Counts<N>, String> {
        counts
            .try_into()
            .map(Counts)
            .map_err(|counts: Vec<u64>| format!("{} counts instead of {N}", counts.len()))
    }
}

impl<const N: usize> From<Counts<N>> for Vec<u64> {
    fn from(counts: Counts<N>) -> Vec<u64> {
        counts.0.to_vec()
    }
}

impl<const N: usize> Counts<N> {
    pub(crate) fn is_zero(&self) -> bool {
        self.0 == [0; N]
    }

    pub(crate) fn add(&mut self, other: &Counts<N>) {
        self.0.iter_mut().zip(other.0).for_each(|(count, more)| *count += more);
    }
}

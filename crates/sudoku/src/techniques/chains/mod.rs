//! Chains: the conclusions that follow, link by link, if a candidate is on (its cell holds the digit) or off.

mod forcing;
mod inner;
mod links;
mod multiple;
mod nested;
mod reach;
#[cfg(test)]
mod tests;

pub(super) use forcing::find as forcing;
pub(super) use inner::InnerChainCache;
pub(super) use multiple::{dynamic, multiple, nishio};

/// Returns the rating of a chain: the base, and 0.1 more for each of the lengths 4, 6, 8, 12, 16, 24, 32, 48 ... that is exceeded.
///
/// The complexity is the number of different nodes (candidates that are on or off); for several chains, and for the inner chains of nested
/// chains, these numbers are added up. The length is the complexity minus 2. The tenths are added up one by one, and their sum is added to
/// the base. Sudoku Explainer does the same, and the order of steps depends on the last bits of the floating-point sums.
fn rating(base: f64, complexity: usize) -> f64 {
    let mut tenths = 0.0;
    let (mut bound, mut next) = (4, 6);
    while complexity > bound + 2 {
        tenths += 0.1;
        (bound, next) = (next, 2 * bound);
    }
    base + tenths
}

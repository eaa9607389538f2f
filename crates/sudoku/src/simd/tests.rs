//! Helpers for the tests of vector operations.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::plain::Plain;
use super::{Build, Kernel, Level, Simd, Word, build_at};
use crate::random::Random;

/// Returns a random word. Every second word, on average, is the AND or the OR of two random words, so that set bits are rare or frequent.
pub(super) fn random_bits(random: &mut Random) -> u64 {
    match random.below(4) {
        0 => random.next_u64() & random.next_u64(),
        1 => random.next_u64() | random.next_u64(),
        _ => random.next_u64(),
    }
}

/// Number of cases of a test. Miri runs only a few, because it interprets the code and is very slow.
pub(super) const CASES: usize = if cfg!(miri) { 4 } else { 500 };

/// Compares the operators of vectors with the same operations element by element. `vector` makes a vector from
/// elements, `elements` returns the elements of a vector.
#[track_caller]
pub(super) fn check_operators<V, E, const N: usize>(
    vector: impl Fn([E; N]) -> V,
    elements: impl Fn(V) -> [E; N],
    [a, b]: [[E; N]; 2],
) where
    V: Operators + Copy,
    E: Operators + Copy + PartialEq + Debug,
{
    let each = |operator: fn(E, E) -> E| std::array::from_fn(|at| operator(a[at], b[at]));
    let [left, right] = [a, b].map(vector);
    assert_eq!(elements(left), a);
    assert_eq!(elements(left & right), each(|a, b| a & b));
    assert_eq!(elements(left | right), each(|a, b| a | b));
    assert_eq!(elements(left ^ right), each(|a, b| a ^ b));
    assert_eq!(elements(!left), each(|a, _| !a));
}

/// Types with bitwise operators.
pub(super) trait Operators:
    Sized + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
}

impl<T> Operators for T where T: BitAnd<Output = T> + BitOr<Output = T> + BitXor<Output = T> + Not<Output = T> {}

/// Runs a check at every SIMD level that this CPU supports, and with plain integers.
pub(crate) fn at_every_level(check: impl Build<Output = ()> + Copy) {
    for level in Level::supported() {
        build_at(level, check).unwrap();
    }
    check.build(Plain);
}

#[test]
#[cfg(miri)]
fn miri_has_the_levels_that_the_tests_are_compiled_for() {
    assert!(cfg!(not(target_feature = "avx2")) || Level::Avx2.is_supported());
}

#[test]
fn a_token_runs_a_kernel_and_returns_its_result() {
    struct Complement<W>(W);
    impl<W: Word> Kernel for Complement<W> {
        type Output = W::Bits;
        #[inline(always)]
        fn run(self) -> W::Bits {
            (!self.0).bits()
        }
    }
    #[derive(Clone, Copy)]
    struct Check;
    impl Build for Check {
        type Output = ();
        fn build<S: Simd<N>, const N: usize>(self, simd: S) {
            let elements = std::array::from_fn(|at| at as u64);
            assert_eq!(simd.call(Complement(simd.word(elements))), elements.map(|element| !element));
        }
    }
    at_every_level(Check);
}

//! The `sudobench` command.
#![forbid(unsafe_code)]

fn main() {}

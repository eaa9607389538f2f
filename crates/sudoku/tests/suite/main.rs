//! Tests of the package's public interface, compared with oracles that share no code with it. A single program, because
//! linking seven takes longer than running them.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a panic is how a test fails")]

mod api;
mod canonical;
mod common;
mod extract;
mod generate;
mod rate;
mod requests;
mod solvers;
mod techniques;
mod vector;

//! Tests of the package's public interface. Many results are compared with oracles that share no algorithms with the package. These tests
//! are one program, because linking a program for each suite takes longer than running the tests.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a panic is how a test fails")]

mod api;
mod canonical;
mod common;
mod extract;
mod finders;
mod generate;
mod rate;
mod requests;
mod solvers;
mod techniques;
mod vector;

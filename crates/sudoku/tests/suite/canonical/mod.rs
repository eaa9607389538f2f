//! Canonical forms, held against an oracle that tries every order of the cells, against what is published, and against
//! what has to hold of any of them.

mod against_every_order;
mod boards;
mod every_order;
mod properties;
mod published;

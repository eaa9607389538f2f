//! Canonical forms, compared with an oracle that tries every order of the cells that an isomorph can have, with published results, and with
//! general properties.

mod against_every_order;
mod boards;
mod every_order;
mod properties;
mod published;

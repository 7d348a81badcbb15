//! The library from outside: laws that hold for every structure, frozen bytes, hostile input.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod accuracy;
mod allocator;
mod bad_parameters;
mod golden;
mod laws;
mod registry;
mod robustness;
mod subject;

//! The library from outside: laws that hold for every structure, frozen bytes, hostile input.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
#![allow(clippy::float_cmp, reason = "laws are about equal states, which give equal numbers")]

mod accuracy;
mod allocator;
mod bad_parameters;
mod crates;
mod filters;
mod forms;
mod golden;
mod hash_collisions;
mod laws;
mod modules;
mod registry;
mod robustness;
mod serialized;
mod shared;
mod structures;
mod targets;
mod view;

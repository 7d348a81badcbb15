//! Which value has it?
//!
//! A filter says whether an item is there; these structures also say what was kept with it.

//! Which rank, which quantile, how many in a range?

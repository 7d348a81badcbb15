//! Counting with a sketch of another library, which that library merges with its own.

use crate::args::ItemArgs;
use crate::input::{Batch, Input, Totals, Wants};
use anyhow::{Result, bail};
use clap::ValueEnum;
use crivo_interop::{AirliftHll, Datum, Foreign, Hll, PostgresHll, RedisHll, UpdateTheta};
use std::ops::ControlFlow;
use std::path::Path;

/// A format that counts distinct items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ForeignKind {
    /// Hashes below a threshold: Spark, Druid, Trino, Iceberg
    DatasketchesTheta,
    /// Registers: Spark, Druid
    DatasketchesHll,
    /// The value of a key, for SET
    RedisHll,
    /// For a column of postgresql-hll
    PostgresHll,
    /// For cast(... as HyperLogLog): Trino, Presto, Athena
    AirliftHll,
}

impl ForeignKind {
    /// The format that the name of a file asks for.
    pub(super) fn of(path: &Path) -> Option<Self> {
        path.extension().filter(|it| it.eq_ignore_ascii_case("theta")).map(|_| Self::DatasketchesTheta)
    }

    /// Creates an empty sketch, of 2^precision places if that is given, and otherwise as its library does by default.
    fn sketch(self, precision: Option<u8>) -> Result<Counter> {
        Ok(match self {
            Self::DatasketchesTheta => Counter::Theta(UpdateTheta::for_lg_k(precision.unwrap_or(12))?),
            Self::DatasketchesHll => Counter::Hll(Hll::for_lg_k(precision.unwrap_or(12))?),
            Self::RedisHll if precision.is_none_or(|precision| precision == 14) => {
                Counter::Redis(RedisHll::new())
            }
            Self::RedisHll => bail!("a HyperLogLog of Redis has 2^14 registers; leave out --precision"),
            Self::PostgresHll => Counter::Postgres(PostgresHll::with_size(precision.unwrap_or(11), 5)?),
            Self::AirliftHll => Counter::Airlift(AirliftHll::for_precision(precision.unwrap_or(12))?),
        })
    }

    /// Reads everything.
    pub(super) fn count(
        self,
        input: Input,
        precision: Option<u8>,
        items: ItemArgs,
    ) -> Result<(Totals, Foreign)> {
        if self == Self::RedisHll && items.are_numbers() {
            bail!("items of Redis are texts; leave out --numbers");
        }
        let mut counter = self.sketch(precision)?;
        let totals = input.read(Wants::default().and_values(), |batch: &Batch<'_>| {
            for place in 0..batch.items {
                items.item(batch.values.get(place))?.with_bytes(|bytes| counter.insert(bytes));
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok((totals, counter.finish()))
    }
}

/// A sketch that takes in items.
enum Counter {
    Theta(UpdateTheta),
    Hll(Hll),
    Redis(RedisHll),
    Postgres(PostgresHll),
    Airlift(AirliftHll),
}

impl Counter {
    fn insert(&mut self, bytes: &[u8]) {
        match self {
            Self::Theta(sketch) => sketch.insert(bytes),
            Self::Hll(sketch) => sketch.insert(bytes),
            Self::Redis(sketch) => sketch.insert(bytes),
            Self::Postgres(sketch) => sketch.insert(bytes),
            Self::Airlift(sketch) => sketch.insert(bytes),
        }
    }

    fn finish(self) -> Foreign {
        match self {
            Self::Theta(sketch) => Foreign::Theta(sketch.sketch()),
            Self::Hll(sketch) => Foreign::Hll(sketch),
            Self::Redis(sketch) => Foreign::RedisHll(sketch),
            Self::Postgres(sketch) => Foreign::PostgresHll(sketch),
            Self::Airlift(sketch) => Foreign::AirliftHll(sketch),
        }
    }
}

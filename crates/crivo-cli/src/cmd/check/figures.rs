//! The figures in the rules of a table: bounds, shares, numbers, times, types.

use crate::args::{parse_duration, parse_quantile};
use crate::input::profile::point;
use anyhow::{Result, bail};
use crivo::Number;
use crivo::profile::ColumnType;
use crivo_report::percent;
use serde::Deserialize;
use serde::de::{Deserializer, Error, Unexpected, Visitor};
use std::cmp::Ordering;
use std::fmt;
use std::time::Duration;

/// A least or a largest figure, or both.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "bounds such as { at_least = 1, at_most = 9 }")]
pub(super) struct Bounds<T> {
    pub(super) at_least: Option<T>,
    pub(super) at_most: Option<T>,
}

impl<T: PartialOrd + Copy> Bounds<T> {
    pub(super) fn words(&self, shown: impl Fn(T) -> String) -> String {
        match (self.at_least.map(&shown), self.at_most.map(&shown)) {
            (Some(least), Some(most)) if least == most => least,
            (Some(least), Some(most)) => format!("{least} to {most}"),
            (Some(least), None) => format!("at least {least}"),
            (None, Some(most)) => format!("at most {most}"),
            (None, None) => String::new(),
        }
    }

    pub(super) fn check(&self, name: &str) -> Result<()> {
        match (self.at_least, self.at_most) {
            (None, None) => bail!("{name} needs at_least, at_most or both"),
            (Some(least), Some(most)) if least > most => bail!("{name}: at_least is above at_most"),
            _ => Ok(()),
        }
    }
}

/// A share: a number from 0 to 1, or a percentage.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) struct Share(pub(super) f64);

impl<'de> Deserialize<'de> for Share {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Shares;
        impl Visitor<'_> for Shares {
            type Value = Share;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a share from 0 to 1, such as 0.01 or \"1%\"")
            }

            fn visit_f64<E: Error>(self, share: f64) -> Result<Share, E> {
                let is_share = (0.0..=1.0).contains(&share);
                if is_share {
                    Ok(Share(share))
                } else {
                    Err(E::invalid_value(Unexpected::Float(share), &self))
                }
            }

            fn visit_i64<E: Error>(self, share: i64) -> Result<Share, E> {
                self.visit_f64(share as f64)
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Share, E> {
                let wrong = || E::invalid_value(Unexpected::Str(text), &self);
                let percent = text.trim().strip_suffix('%').ok_or_else(wrong)?;
                let share = format!("{}e-2", percent.trim()).parse().map_err(|_| wrong())?;
                self.visit_f64(share)
            }
        }
        deserializer.deserialize_any(Shares)
    }
}

impl Share {
    pub(super) fn words(self) -> String {
        percent(self.0)
    }
}

/// A type by its name.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum TypeName {
    Boolean,
    Integer,
    Float,
    Date,
    Timestamp,
    Text,
}

impl TypeName {
    pub(super) fn column_type(self) -> ColumnType {
        match self {
            Self::Boolean => ColumnType::Boolean,
            Self::Integer => ColumnType::Integer,
            Self::Float => ColumnType::Float,
            Self::Date => ColumnType::Date,
            Self::Timestamp => ColumnType::Timestamp,
            Self::Text => ColumnType::Text,
        }
    }
}

/// A number or a time.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, PartialOrd)]
#[serde(try_from = "toml::Value")]
pub(super) struct Point {
    /// The number, or the seconds since 1970.
    pub(super) number: Number,
    pub(super) is_time: bool,
}

impl Point {
    /// The number or the time that is written so.
    pub(super) fn parse(text: &[u8]) -> Option<Self> {
        match ColumnType::time(text) {
            Some((_, number, _)) => Some(Self { number, is_time: true }),
            None => Some(Self { number: Number::parse(text.trim_ascii())?, is_time: false }),
        }
    }

    pub(super) fn words(self) -> String {
        point(if self.is_time { ColumnType::Timestamp } else { ColumnType::Float }, false, self.number)
    }
}

impl TryFrom<toml::Value> for Point {
    type Error = String;

    fn try_from(value: toml::Value) -> Result<Self, String> {
        let text = text_of(&value).ok_or("expected a number or a time")?;
        Self::parse(text.as_bytes())
            .ok_or_else(|| format!("expected a number or a time such as 2026-01-31, got '{text}'"))
    }
}

/// An allowed value, as it is written in a table.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "toml::Value")]
pub(super) struct Value(pub(super) String);

impl TryFrom<toml::Value> for Value {
    type Error = &'static str;

    fn try_from(value: toml::Value) -> Result<Self, &'static str> {
        text_of(&value).map(Self).ok_or("expected texts, numbers, true, false or times")
    }
}

fn text_of(value: &toml::Value) -> Option<String> {
    match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(integer) => Some(integer.to_string()),
        toml::Value::Float(float) => Some(float.to_string()),
        toml::Value::Boolean(boolean) => Some(boolean.to_string()),
        toml::Value::Datetime(time) => Some(time.to_string()),
        toml::Value::Array(_) | toml::Value::Table(_) => None,
    }
}

/// A rank, as a share of all values.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Rank(pub(super) f64);

impl TryFrom<String> for Rank {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        parse_quantile(&text)
            .map(Self)
            .map_err(|_| format!("expected a quantile such as \"50%\", got '{text}'"))
    }
}

/// The ranks of the rules of one column have an order.
impl Ord for Rank {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Rank {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Rank {}

/// A length of time.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Age(pub(super) Duration);

impl TryFrom<String> for Age {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        parse_duration(&text).map(Self)
    }
}

impl Bounds<Point> {
    pub(super) fn check_points(&self, name: &str) -> Result<()> {
        if let (Some(least), Some(most)) = (self.at_least, self.at_most)
            && least.is_time != most.is_time
        {
            bail!("{name}: one of the bounds is a time and the other a number");
        }
        self.check(name)
    }

    /// Whether the bounds are times.
    pub(super) fn are_times(&self) -> bool {
        self.at_least.or(self.at_most).is_some_and(|point| point.is_time)
    }
}

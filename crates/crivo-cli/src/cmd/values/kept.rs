//! Any filter of values that the command makes or reads.

use crate::cmd::sketch_file::{check_takes_texts, load, other_family};
use crate::session::Session;
use anyhow::{Result, bail};
use crivo::sketch::Sketch;
use crivo::valued::{DecayingBloom, LinearBloomParams, QuantisedBloom, Scale};
use crivo::valued::{ValueAnswer, Verdict};
use crivo::{BloomierFilter, DecodeOptions, Estimate, Family, HashSpec, Kind, LinearBloom};
use std::path::Path;

/// A filter of values.
pub(super) enum Kept {
    Whole(LinearBloom<f64>),
    InOneByte(QuantisedBloom<u8>),
    InTwoBytes(QuantisedBloom<u16>),
    Fading(DecayingBloom),
}

/// Evaluates one expression for each kind of filter.
macro_rules! with_filter {
    ($kept:expr, $filter:ident => $body:expr) => {
        match $kept {
            Kept::Whole($filter) => $body,
            Kept::InOneByte($filter) => $body,
            Kept::InTwoBytes($filter) => $body,
            Kept::Fading($filter) => $body,
        }
    };
}

/// How a value is kept.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    /// As it is.
    Whole,
    /// On a scale, in this many bytes.
    Rounded(Scale, u32),
}

impl Form {
    pub(super) fn cell_bytes(self) -> u32 {
        match self {
            Self::Whole => 8,
            Self::Rounded(_, bytes) => bytes,
        }
    }
}

impl Kept {
    pub(super) fn new(params: LinearBloomParams, form: Form, spec: HashSpec) -> Self {
        match form {
            Form::Whole => Self::Whole(LinearBloom::with_params(params).with_hash(spec)),
            Form::Rounded(scale, 1) => {
                Self::InOneByte(QuantisedBloom::with_params(params, scale).with_hash(spec))
            }
            Form::Rounded(scale, _) => {
                Self::InTwoBytes(QuantisedBloom::with_params(params, scale).with_hash(spec))
            }
        }
    }

    /// The filter in a file, to go on with.
    pub(super) fn load(path: &Path, options: &DecodeOptions, session: &Session) -> Result<Self> {
        Self::of(path, &*load(path, options, session)?)
    }

    fn of(path: &Path, sketch: &dyn Sketch) -> Result<Self> {
        macro_rules! taken {
            ($($variant:ident),+) => {
                $(if let Some(filter) = sketch.downcast_ref() {
                    return Ok(Self::$variant(Clone::clone(filter)));
                })+
            };
        }
        taken!(Whole, InOneByte, InTwoBytes, Fading);
        if sketch.kind() == Kind::BloomierFilter {
            bail!(
                "{}: a bloomier-filter is complete, and takes no more keys; build one of all",
                path.display()
            );
        }
        if sketch.kind().family() == Family::Valued {
            bail!(
                "{}: a {} of values that the command does not read; ask it from a program",
                path.display(),
                sketch.kind().name()
            );
        }
        Err(other_family(path, sketch.kind(), Family::Valued))
    }

    pub(super) fn sketch(&self) -> &dyn Sketch {
        with_filter!(self, filter => filter)
    }

    pub(super) fn spec(&self) -> HashSpec {
        with_filter!(self, filter => *filter.hash_spec())
    }

    pub(super) fn params(&self) -> LinearBloomParams {
        with_filter!(self, filter => filter.params())
    }

    pub(super) fn fpr(&self) -> Estimate {
        with_filter!(self, filter => filter.fpr())
    }

    pub(super) fn cardinality(&self) -> Estimate {
        with_filter!(self, filter => filter.cardinality())
    }

    pub(super) fn insert(&mut self, pairs: &[(u64, f64)]) -> crivo::Result<()> {
        with_filter!(self, filter => filter.insert_hashes(pairs))
    }

    /// Answers for hash after hash.
    fn answers(&self) -> Box<dyn Fn(u64) -> Option<ValueAnswer<f64>> + '_> {
        with_filter!(self, filter => Box::new(filter.answers()))
    }

    fn verdict(&self, hash: u64, claimed: f64) -> crivo::Result<Verdict<f64>> {
        with_filter!(self, filter => filter.verdict_hash(hash, claimed))
    }

    /// By how much a value may have been rounded up to this answer.
    fn rounding(&self, value: f64) -> f64 {
        match self {
            Self::Whole(_) => 0.0,
            Self::InOneByte(filter) => filter.rounding(value).unwrap_or(0.0),
            Self::InTwoBytes(filter) => filter.rounding(value).unwrap_or(0.0),
            // The smallest value that has as many ticks to live.
            Self::Fading(filter) => value - value * filter.fading().factor().powf(1.0 / 256.0),
        }
    }
}

/// A filter of values that is queried.
pub(super) enum Queried {
    Kept(Kept),
    /// Its values are exact.
    Bloomier(BloomierFilter),
}

/// What a filter says of a key that it may contain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    pub(super) value: f64,
    /// The probability that a stored key has a smaller value.
    pub(super) overestimated: f64,
    /// By how much the value may have been rounded up.
    pub(super) rounding: f64,
    /// The probability that an absent key has this value or a larger one.
    pub(super) fpr: f64,
    /// Whether the value of every stored key is exact; `fpr` then is the probability of any value.
    pub(super) is_exact: bool,
}

impl Queried {
    pub(super) fn load(path: &Path, options: &DecodeOptions, session: &Session) -> Result<Self> {
        let sketch = load(path, options, session)?;
        sketch.hashing().map_or(Ok(()), |spec| check_takes_texts(path, spec))?;
        match sketch.downcast_ref() {
            Some(filter) => Ok(Self::Bloomier(BloomierFilter::clone(filter))),
            None => Kept::of(path, &*sketch).map(Self::Kept),
        }
    }

    pub(super) fn spec(&self) -> HashSpec {
        match self {
            Self::Kept(filter) => filter.spec(),
            Self::Bloomier(filter) => *filter.hash_spec(),
        }
    }

    /// Answers for hash after hash.
    pub(super) fn answers(&self) -> Box<dyn Fn(u64) -> Option<Answer> + '_> {
        match self {
            Self::Kept(filter) => {
                let answers = filter.answers();
                Box::new(move |hash| {
                    answers(hash).map(|answer| Answer {
                        value: answer.value(),
                        overestimated: answer.overestimated(),
                        rounding: filter.rounding(answer.value()),
                        fpr: answer.fpr(),
                        is_exact: false,
                    })
                })
            }
            Self::Bloomier(filter) => {
                let fpr = filter.fpr().value();
                let answer =
                    move |value| Answer { value, overestimated: 0.0, rounding: 0.0, fpr, is_exact: true };
                Box::new(move |hash| filter.value_hash(hash).map(|value| answer(value as f64)))
            }
        }
    }

    pub(super) fn verdict(&self, hash: u64, claimed: f64) -> crivo::Result<Verdict<f64>> {
        match self {
            Self::Kept(filter) => filter.verdict(hash, claimed),
            Self::Bloomier(filter) => Ok(match filter.value_hash(hash).map(|value| value as f64) {
                None => Verdict::Absent,
                Some(value) if value < claimed => Verdict::Below(value),
                Some(value) if value > claimed => Verdict::Above(value),
                Some(_) => Verdict::Equal,
            }),
        }
    }
}

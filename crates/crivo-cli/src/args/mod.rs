//! Groups of flags that several verbs share.

mod ask;
mod by;
mod form;
mod format;
mod hash;
mod input;
mod items;
mod kind;
mod limits;
mod save;
mod stream;
mod text;
mod values;
mod when;
mod where_condition;

pub(crate) use ask::{AskArgs, Asked};
pub(crate) use by::ByArgs;
pub(crate) use crivo_program::{all_cores, parse_seed};
pub(crate) use crivo_tables::Step;
pub(crate) use form::{AnswerArgs, FormArgs};
pub(crate) use hash::{HashArgs, KeyArgs, decode_options, read_key};
pub(crate) use input::{FormatArgs, InputArgs, TextFileArgs, ValueArgs};
pub(crate) use items::ItemArgs;
pub(crate) use kind::{CounterKind, CounterOrExact, FilterKind, FilterOrNone, short_name};
pub(crate) use limits::{DEFAULT_MAX_MEMORY, LimitArgs};
pub(crate) use save::{ChangeArgs, MaybeOutputArgs, OutputArgs, SaveArgs};
pub(crate) use stream::{FromArgs, Saved, StreamArgs};
pub(crate) use text::TextArgs;
pub(crate) use values::{
    parse_count, parse_duration, parse_percentile, parse_quantile, parse_share, parse_share_or_all,
    parse_size, parse_step,
};
pub(crate) use when::{What, When, parse_when};
pub(crate) use where_condition::{Where, parse_where};

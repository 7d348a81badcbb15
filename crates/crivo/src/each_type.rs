//! One implementation for several types.

/// Writes items once for each of some types. In them, the name before `in` is the type, and what stands in braces behind a
/// type is known.
macro_rules! each_type {
    ($name:ident in $($type:ty $({ $($known:item)* })?),+ => $items:tt) => {
        $(crate::each_type::each_type!(@one $name $type { $($($known)*)? } $items);)+
    };
    (@one $name:ident $type:ty { $($known:item)* } { $($item:item)+ }) => {
        #[allow(
            clippy::cast_lossless,
            clippy::unnecessary_cast,
            clippy::useless_conversion,
            reason = "some of the types need what others do not"
        )]
        const _: () = {
            type $name = $type;
            $($known)*
            $($item)+
        };
    };
}
pub(crate) use each_type;

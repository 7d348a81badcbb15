//! A macro that writes one implementation for several types.

/// Writes the given items once for each of several types. Inside the items, the name before `in` stands for
/// the type; the names in braces after a type are constants of that type.
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

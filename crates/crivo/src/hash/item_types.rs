//! Items that hash as other items do: pointers, tuples, addresses and times.

use super::item::hash_fields;
use super::{HashSpec, Item};
use crate::each_type::each_type;
use alloc::borrow::{Cow, ToOwned};
use alloc::boxed::Box;
use alloc::rc::Rc;
#[cfg(target_has_atomic = "ptr")]
use alloc::sync::Arc;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use core::num::NonZero;
use core::time::Duration;

/// `item!([T: Bound] Type, self => expression)`: the type hashes as the value of the expression does.
macro_rules! item {
    ([$($generics:tt)*] $type:ty, $this:ident => $same:expr) => {
        impl<$($generics)*> Item for $type {
            #[inline]
            fn hash_item(&$this, spec: &HashSpec) -> u64 {
                $same.hash_item(spec)
            }
        }
    };
}

item!([T: Item + ?Sized] &T, self => (**self));
item!([T: Item + ?Sized] &mut T, self => (**self));
item!([T: Item + ?Sized] Box<T>, self => (**self));
item!([T: Item + ?Sized] Rc<T>, self => (**self));
#[cfg(target_has_atomic = "ptr")]
item!([T: Item + ?Sized] Arc<T>, self => (**self));
item!([T: Item + ToOwned + ?Sized] Cow<'_, T>, self => (**self));
item!([] Ipv4Addr, self => self.octets());
item!([] Ipv6Addr, self => self.octets());
item!([] Duration, self => (self.as_secs(), self.subsec_nanos()));

each_type!(Number in u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize => {
    item!([] NonZero<Number>, self => self.get());
});

impl Item for IpAddr {
    fn hash_item(&self, spec: &HashSpec) -> u64 {
        match self {
            Self::V4(address) => address.hash_item(spec),
            Self::V6(address) => address.hash_item(spec),
        }
    }
}

#[cfg(feature = "std")]
impl Item for std::time::SystemTime {
    /// Seconds are rounded down, so that nanoseconds count upwards before 1970 too.
    fn hash_item(&self, spec: &HashSpec) -> u64 {
        let (seconds, nanoseconds) = match self.duration_since(Self::UNIX_EPOCH) {
            Ok(after) => (i128::from(after.as_secs()), after.subsec_nanos()),
            Err(error) => {
                let before = error.duration();
                let part = before.subsec_nanos();
                let borrow = u32::from(part > 0);
                (-i128::from(before.as_secs()) - i128::from(borrow), borrow * 1_000_000_000 - part)
            }
        };
        (seconds, nanoseconds).hash_item(spec)
    }
}

/// Tuples hash as their fields do.
macro_rules! tuple {
    ($($type:ident $field:ident),+) => {
        impl<$($type: Item),+> Item for ($($type,)+) {
            fn hash_item(&self, spec: &HashSpec) -> u64 {
                let ($($field,)+) = self;
                hash_fields(spec, [$($field),+])
            }
        }
    };
}

tuple!(A a);
tuple!(A a, B b);
tuple!(A a, B b, C c);
tuple!(A a, B b, C c, D d);
tuple!(A a, B b, C c, D d, E e);
tuple!(A a, B b, C c, D d, E e, F f);
tuple!(A a, B b, C c, D d, E e, F f, G g);
tuple!(A a, B b, C c, D d, E e, F f, G g, H h);

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use alloc::vec;

    #[test]
    fn pointers_are_what_they_point_to() {
        let spec = HashSpec::default();
        let text = spec.hash("abc");
        assert_eq!(text, spec.hash(&Rc::<str>::from("abc")));
        assert_eq!(text, spec.hash(&Arc::<str>::from("abc")));
        assert_eq!(text, spec.hash(&Arc::new(String::from("abc"))));
        assert_eq!(text, spec.hash(&Box::<[u8]>::from(*b"abc")));
        assert_eq!(spec.hash(&7u64), spec.hash(&NonZero::new(7i8).unwrap()));
    }

    #[test]
    fn sequences_are_tuples_and_sequences_of_bytes_are_bytes() {
        let spec = HashSpec::default();
        let pair = spec.hash(&("a", "b"));
        assert_eq!(pair, spec.hash(&["a", "b"]));
        assert_eq!(pair, spec.hash(&vec![String::from("a"), String::from("b")]));
        assert_eq!(pair, spec.hash(&["a", "b"][..]));
        assert_eq!(spec.hash("ab"), spec.hash(&vec![b'a', b'b']));
        assert_ne!(spec.hash(&[1u8, 2]), spec.hash(&[1u16, 2]));
        assert_ne!(spec.hash(&[] as &[u16]), spec.hash(&[] as &[u8]));
        assert_eq!(spec.hash(&(1, 2, 3, 4, 5, 6, 7, 8)), spec.hash(&[1, 2, 3, 4, 5, 6, 7, 8]));
    }

    #[test]
    fn addresses_are_octets_and_durations_are_seconds_and_nanoseconds() {
        let spec = HashSpec::default();
        let v4 = Ipv4Addr::new(192, 0, 2, 1);
        assert_eq!(spec.hash(&v4), spec.hash(&[192u8, 0, 2, 1]));
        assert_eq!(spec.hash(&v4), spec.hash(&IpAddr::V4(v4)));
        assert_ne!(spec.hash(&v4), spec.hash(&v4.to_ipv6_mapped()));
        assert_eq!(spec.hash(&Ipv6Addr::LOCALHOST), spec.hash(&IpAddr::V6(Ipv6Addr::LOCALHOST)));
        let duration = Duration::new(3, 5);
        assert_eq!(spec.hash(&duration), spec.hash(&(3u64, 5u32)));
    }

    #[cfg(feature = "std")]
    #[test]
    fn times_before_1970_have_negative_seconds() {
        use std::time::SystemTime;
        let spec = HashSpec::default();
        let at = |time: SystemTime| spec.hash(&time);
        let epoch = SystemTime::UNIX_EPOCH;
        assert_eq!(at(epoch + Duration::new(3, 5)), spec.hash(&(3u64, 5u32)));
        assert_eq!(at(epoch - Duration::new(3, 0)), spec.hash(&(-3, 0)));
        assert_eq!(at(epoch - Duration::new(3, 5)), spec.hash(&(-4, 999_999_995)));
    }
}

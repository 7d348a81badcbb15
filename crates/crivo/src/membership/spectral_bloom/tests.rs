use super::*;
use crate::ErrorKind;

#[test]
fn counts_come_and_go() {
    let params = SpectralParams::exact(1003, 5).unwrap();
    let mut filter = SpectralBloom::with_params(params);
    (0..50u32).for_each(|item| filter.add(&item, u64::from(item)));
    assert_eq!(filter.frequency(&49u32), filter.frequency_at(&49u32, 0.95).unwrap());
    assert_eq!((filter.frequency(&49u32).lower(), filter.frequency(&49u32).upper()), (49.0, 49.0));
    let before = filter.clone();
    for (item, count) in [(49u32, 50), (0, 1), (1, 2), (7, u64::MAX)] {
        let error = filter.remove(&item, count).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
        assert_eq!(filter, before);
    }
    (0..50u32).for_each(|item| filter.remove(&item, u64::from(item)).unwrap());
    assert_eq!(filter, SpectralBloom::with_params(params));
}

#[test]
fn minimal_increase_cannot_remove() {
    let params = SpectralParams::exact(1003, 5).unwrap();
    let (mut plain, mut minimal) =
        (SpectralBloom::with_params(params), SpectralBloom::with_params(params.minimal_increase()));
    minimal.add("x", 5);
    let before = minimal.clone();
    assert_eq!(minimal.remove("x", 1).unwrap_err().kind(), ErrorKind::Unsupported);
    assert_eq!(minimal, before);
    let error = plain.merge(&minimal).unwrap_err();
    assert!(format!("{error}").contains("increase: plain and minimal"), "{error}");
}

#[test]
fn saturated_counters_say_so() {
    for minimal in [false, true] {
        let params = SpectralParams::exact(1003, 3).unwrap().with_counter_bits(8).unwrap();
        let mut filter = SpectralBloom::with_params(if minimal { params.minimal_increase() } else { params });
        filter.add("much", 254);
        assert_eq!(filter.frequency("much").upper(), 254.0);
        filter.add("much", 1000);
        let answer = filter.frequency("much");
        assert!(answer.upper().is_infinite() && answer.lower() == 255.0, "{answer}");
        if !minimal {
            // The counters stay saturated, and the remaining count is unknown.
            filter.remove("much", 1254).unwrap();
            let answer = filter.frequency("much");
            assert!(answer.upper().is_infinite() && answer.lower() == 0.0, "{answer}");
            assert_eq!(SpectralBloom::from_bytes(&filter.to_bytes()).unwrap(), filter);
        }
        filter.add("much", u64::MAX);
        assert_eq!(filter.total(), u64::MAX);
    }
}

/// With a single counter everything is over-count, and the bound accounts for it.
#[test]
fn a_table_too_small_for_the_theorem_still_bounds() {
    let mut filter = SpectralBloom::with_params(SpectralParams::exact(1, 2).unwrap());
    filter.add("a", 5);
    filter.add("b", 7);
    let answer = filter.frequency("a");
    assert_eq!((answer.lower(), answer.upper()), (0.0, 12.0));
}

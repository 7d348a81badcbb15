use super::*;
use alloc::format;

#[test]
fn display_shows_bar_and_guarantee() {
    let approximate = Guarantee::Approximate { confidence: 0.95 };
    assert_eq!(format!("{}", Estimate::new(10.0, 8.0, 12.0, approximate)), "10 (8..=12, ~95 %)");
    let proven = Guarantee::Proven { confidence: 0.95 };
    assert_eq!(format!("{:.1}", Estimate::new(1.0, 0.5, 1.0, proven)), "1.0 (0.5..=1.0, >=95 %)");
    assert_eq!(format!("{}", Estimate::exact(7.0)), "7");
    assert_eq!(format!("{} {:.1}", Estimate::exact(0.25), Estimate::exact(0.25)), "0.25 0.2");
    let share = Estimate::new(0.816, 0.7911, 0.8389, approximate);
    assert_eq!(format!("{share}"), "0.816 (0.791..=0.839, ~95 %)");
    let odd = Guarantee::Proven { confidence: 0.57 };
    assert_eq!(format!("{}", Estimate::new(1.0, 0.0, 2.0, odd)), "1 (0..=2, >=57 %)");
}

#[test]
fn quantiles_are_shown_in_their_own_type() {
    let bar = QuantileEstimate::new(1.25, 1.0, 1.5, Guarantee::Approximate { confidence: 0.95 });
    assert_eq!(format!("{bar}"), "1.25 (1..=1.5, ~95 %)");
    assert_eq!(format!("{bar:.1}"), "1.2 (1.0..=1.5, ~95 %)");
}

#[test]
fn an_error_as_large_as_the_value_swamps_it() {
    let bar = |lower, value, upper| {
        Estimate::new(value, lower, upper, Guarantee::Approximate { confidence: 0.95 }).is_swamped()
    };
    assert!(!bar(0.0, 0.0, 0.0) && !bar(5.0, 5.0, 5.0), "exact values");
    assert!(!bar(0.1, 10.0, 19.9) && !bar(1.0, 2.0, 3.0), "errors below the value");
    assert!(
        bar(0.0, 10.0, 12.0) && bar(9.0, 10.0, 20.0) && bar(0.0, 0.0, 4.0),
        "errors as large as the value"
    );
    assert!(bar(1e18, 1e19, f64::INFINITY), "no upper bound");
}

#[test]
fn counts_round_outwards_beyond_53_bits() {
    for count in [0, 1, (1 << 53) + 1, u64::MAX, u64::MAX - 1] {
        assert!(count_down(count) as u128 <= u128::from(count), "{count}");
        assert!(count_up(count) as u128 >= u128::from(count), "{count}");
    }
    assert!(count_down(u64::MAX) < count_up(u64::MAX));
    for count in [0, 12, (1 << 100) + 1, (1 << 126) - 1, (1 << 126) + (1 << 40)] {
        assert!(wide_down(count) as u128 <= count && wide_up(count) as u128 >= count, "{count}");
    }
    assert_eq!(wide_up(12), 12.0);
}

#[test]
fn confidence_is_checked() {
    for bad in [0.0, 1.0, -0.5, 2.0, f64::NAN, f64::INFINITY] {
        assert!(check_confidence(bad).is_err(), "{bad}");
    }
    assert!(check_confidence(0.95).is_ok());
}

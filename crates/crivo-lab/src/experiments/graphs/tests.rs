use super::blooms::pair;

#[test]
fn pairs_are_numbered_without_gaps() {
    let all = (1..300u64).flat_map(|larger| (0..larger).map(move |smaller| (smaller, larger)));
    assert!(all.zip(0..).all(|(expected, number)| pair(number) == expected));
}

pub(crate) fn is_end_of_input() -> bool {
    false
}

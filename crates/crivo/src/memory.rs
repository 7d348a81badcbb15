//! The only unsafe code of the library: hints to the memory system, which change no result.

#![expect(unsafe_code, reason = "prefetch is an intrinsic; it has no effect on any value")]

/// How many keys a batch prepares before it reads the first: enough for the memory to answer meanwhile,
/// few enough that the lines are still in the cache when they are read.
pub(crate) const BATCH: usize = 64;

/// Asks for the cache line of `slice[index]`. An index beyond the end is harmless.
#[inline]
pub(crate) fn prefetch<T>(slice: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: prefetch never faults, whatever the address; `wrapping_add` computes it without the
        // promise that it lies inside the slice.
        unsafe { _mm_prefetch(slice.as_ptr().wrapping_add(index).cast::<i8>(), _MM_HINT_T0) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, index);
}

//! Hands the flags and the target features of the build to the program, which prints them.

fn main() {
    let variable = |name| std::env::var(name).unwrap_or_default();
    // Cargo separates the flags by this control character, since a flag may hold a space.
    println!("cargo::rustc-env=BUILD_FLAGS={}", variable("CARGO_ENCODED_RUSTFLAGS").replace('\x1f', " "));
    println!("cargo::rustc-env=BUILD_FEATURES={}", variable("CARGO_CFG_TARGET_FEATURE").replace(',', ", "));
    println!("cargo::rerun-if-env-changed=RUSTFLAGS");
}

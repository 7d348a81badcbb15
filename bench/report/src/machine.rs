//! Where and when the numbers were taken.

use std::process::Command;

/// Prints what a reader needs to judge or repeat the run, and what its times are.
pub fn print_head(times: &str) {
    let unknown = || "unknown".to_owned();
    println!("# crivo-bench\n");
    println!("- CPU: {}", cpu_model().unwrap_or_else(unknown));
    println!("- date: {}", output("date", &["-u", "+%Y-%m-%d %H:%M UTC"]).unwrap_or_else(unknown));
    println!("- compiler: {}", output("rustc", &["--version"]).unwrap_or_else(unknown));
    let flags = env!("BUILD_FLAGS");
    println!("- compiler flags: {}", if flags.is_empty() { "none" } else { flags });
    println!("- target features: {}", env!("BUILD_FEATURES"));
    println!("- commit: {}", commit().unwrap_or_else(unknown));
    println!("- times: {times}\n");
}

fn cpu_model() -> Option<String> {
    let info = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = info.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn commit() -> Option<String> {
    let here = env!("CARGO_MANIFEST_DIR");
    let hash = output("git", &["-C", here, "rev-parse", "--short=12", "HEAD"])?;
    let changed = output("git", &["-C", here, "status", "--porcelain"])?;
    Some(if changed.is_empty() { hash } else { format!("{hash} with uncommitted changes") })
}

fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

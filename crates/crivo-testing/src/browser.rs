//! Pages in a real browser, without a window.

use std::collections::HashMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A browser, or one line that there is none.
pub fn browser() -> Option<PathBuf> {
    let on_path = |name: &&str| {
        env::split_paths(&env::var_os("PATH")?).map(|dir| dir.join(name)).find(|it| it.exists())
    };
    let named = env::var_os("CRIVO_BROWSER").map(PathBuf::from);
    let found = named.or_else(|| ["chromium", "chromium-browser", "google-chrome"].iter().find_map(on_path));
    if found.is_none() {
        println!("skipped: there is no browser; install chromium, or name one in CRIVO_BROWSER");
    }
    found
}

/// Runs the browser without a window on a page, with a profile of its own, and gives what it prints.
pub fn browse(browser: &Path, page: &Path, arguments: &[String]) -> String {
    let profile = TempDir::new().unwrap();
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--hide-scrollbars", "--force-device-scale-factor=1"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .args(arguments)
        .arg(format!("file://{}", page.display()))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// What the reader likes.
#[derive(Clone, Copy, Debug)]
pub enum Scheme {
    /// Light on dark.
    Dark = 0,
    /// Dark on light.
    Light = 1,
}

/// How many points of a screenshot have each colour.
pub fn colours(browser: &Path, page: &Path, scheme: Scheme, size: [u32; 2]) -> HashMap<[u8; 3], u32> {
    let picture = page.with_extension(format!("{scheme:?}.png"));
    let [width, height] = size;
    browse(
        browser,
        page,
        &[
            format!("--blink-settings=preferredColorScheme={}", scheme as u32),
            format!("--window-size={width},{height}"),
            format!("--screenshot={}", picture.display()),
        ],
    );
    let mut reader =
        png::Decoder::new(fs::File::open(picture).map(std::io::BufReader::new).unwrap()).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    assert_eq!([frame.width, frame.height], size);
    let mut colours = HashMap::new();
    for pixel in pixels[..frame.buffer_size()].chunks_exact(frame.color_type.samples()) {
        *colours.entry([pixel[0], pixel[1], pixel[2]]).or_insert(0) += 1;
    }
    colours
}

//! The page of `crivo profile --html` and the pictures of `crivo explain`, in a real browser. Without one these tests say so
//! and pass.

#![expect(clippy::unwrap_used, reason = "in a test a failed step is a failed test")]
#![expect(clippy::format_push_string, reason = "plain beats fast where inputs are made")]

use crivo_testing::browser::{Scheme, browse, browser, colours};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A table with all that a page has to bear: more distinct numbers than are kept, so that there are error bars; text that
/// would be a program, names that are long, and letters of other scripts.
fn page(dir: &Path) -> PathBuf {
    let long_name = "a_name_without_a_blank_".repeat(12);
    let long_value = "v".repeat(100);
    let mut table = format!("number,kind,{long_name},<script>document.title=7</script>,time\n");
    let mut rng = crivo::rng::Rng::new(8);
    for row in 0..40_000 {
        let number = (0..12).map(|_| rng.next_u64() as f64 / 2f64.powi(64)).sum::<f64>();
        let kind = ["日本語", "<script>document.title=7</script>", "naïve & 'quoted'"][row % 3];
        let (day, hour, second) = (1 + row % 28, row % 24, row % 60);
        let time = format!("2013-01-{day:02}T{hour:02}:00:{second:02}");
        table += &format!("{number},{kind},{long_value}{},{},{time}\n", row % 7, row % 40);
    }
    fs::write(dir.join("table.csv"), table).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_crivo"));
    let output =
        command.current_dir(dir).args(["profile", "table.csv", "--html", "page.html"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    dir.join("page.html")
}

/// The colours that the page's style names, for light, dark and print.
fn palettes(page: &str) -> [HashMap<String, [u8; 3]>; 3] {
    let blocks: Vec<HashMap<String, [u8; 3]>> = page
        .split(":root {")
        .skip(1)
        .map(|block| {
            let lines = block.split('}').next().unwrap().lines();
            let colour = |line: &str| {
                let (name, value) = line.trim().strip_prefix("--")?.split_once(": #")?;
                let byte = |at: usize| u8::from_str_radix(&value[at..at + 2], 16).unwrap();
                Some((name.to_owned(), [byte(0), byte(2), byte(4)]))
            };
            lines.filter_map(colour).collect()
        })
        .collect();
    blocks.try_into().expect("light, dark and print")
}

/// How much two colours differ in lightness, from 1 to 21, as WCAG 2 defines it.
fn contrast(a: [u8; 3], b: [u8; 3]) -> f64 {
    let linear = |byte: u8| {
        let part = f64::from(byte) / 255.0;
        if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    let light = |[r, g, b]: [u8; 3]| 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
    let (a, b) = (light(a) + 0.05, light(b) + 0.05);
    a.max(b) / a.min(b)
}

#[test]
fn text_and_bars_stand_out() {
    let dir = TempDir::new().unwrap();
    let html = fs::read_to_string(page(dir.path())).unwrap();
    assert!((contrast([0; 3], [255; 3]) - 21.0).abs() < 1e-9);
    for (palette, name) in palettes(&html).iter().zip(["light", "dark", "print"]) {
        for back in ["page", "card"] {
            for (front, least) in
                [("ink", 4.5), ("quiet", 4.5), ("link", 4.5), ("bar", 3.0), ("whisker", 3.0)]
            {
                let contrast = contrast(palette[front], palette[back]);
                assert!(contrast >= least, "{name}: {front} on {back} has only {contrast:.2}");
            }
        }
    }
}

#[test]
fn light_and_dark_have_bars_and_error_bars() {
    let Some(browser) = browser() else { return };
    let dir = TempDir::new().unwrap();
    let page = page(dir.path());
    let [light, dark, _] = palettes(&fs::read_to_string(&page).unwrap());
    for (scheme, palette) in [(Scheme::Light, light), (Scheme::Dark, dark)] {
        for size in [[1100, 1400], [500, 1400]] {
            let colours = colours(&browser, &page, scheme, size);
            let all = size[0] * size[1];
            let has = |name: &str| colours.get(&palette[name]).copied().unwrap_or(0);
            let back = has("page") + has("card");
            assert!(back > all / 2 && back < all, "{scheme:?} {size:?}: {back} of {all} are background");
            assert!(has("page") > all / 20, "{scheme:?} {size:?}: the page itself");
            // A histogram is 144 points high, and wide bars fill some of it; a whisker is two points thick.
            assert!(has("bar") > 5_000, "{scheme:?} {size:?}: {} of bars", has("bar"));
            assert!(has("whisker") > 100, "{scheme:?} {size:?}: {} of whiskers", has("whisker"));
            assert!(has("ink") > 500, "{scheme:?} {size:?}: {} of text", has("ink"));
        }
    }
}

/// Nothing is wider than the screen, whatever names and values are, and no value stands in a column so narrow that it takes
/// more than six lines; and what looks like a program is none, even without
/// the policy that forbids all programs.
#[test]
fn pages_fit_narrow_screens_and_run_nothing() {
    let Some(browser) = browser() else { return };
    let dir = TempDir::new().unwrap();
    let html = fs::read_to_string(page(dir.path())).unwrap();
    let policy = html.lines().find(|line| line.contains("Content-Security-Policy")).unwrap();
    assert!(policy.contains("default-src 'none'"), "{policy}");
    let measure = "<script>
        const cells = [...document.querySelectorAll('dd, .top td, .quantiles td')];
        const tallest = Math.max(...cells.map(cell => cell.getBoundingClientRect().height));
        parent.document.title +=
            document.scrollingElement.scrollWidth + ' ' + document.title + ' ' + (tallest <= 6 * 24);
        </script></body>";
    let measured = html.replace(policy, "").replace("</body>", measure);
    let source = measured.replace('&', "&amp;").replace('"', "&quot;");
    for width in [320, 390, 1100] {
        let frame = dir.path().join("frame.html");
        let style = format!("border: 0; width: {width}px; height: 800px");
        fs::write(&frame, format!("<title></title><iframe style=\"{style}\" srcdoc=\"{source}\"></iframe>"))
            .unwrap();
        let window = ["--dump-dom".into(), "--window-size=1200,900".into()];
        let dom = browse(&browser, &frame, &window);
        let title = dom.split("<title>").nth(1).unwrap().split("</title>").next().unwrap();
        assert_eq!(
            title,
            format!("{width} Profile of table.csv true"),
            "the width of what is shown, its title, and whether no cell is too tall"
        );
    }
}

/// No text of a picture is wider than its cell or its panel, in the fonts that a browser chooses.
/// The policy of the page allows its script and no other, so the script has the hash that the policy names. Without it all
/// slides are shown.
#[test]
fn slides_turn() {
    let Some(browser) = browser() else { return };
    let dir = TempDir::new().unwrap();
    let page = dir.path().join("slides.html");
    let mut command = Command::new(env!("CARGO_BIN_EXE_crivo"));
    let output = command.args(["explain", "bloom", "--lang", "pt", "--html"]).arg(&page).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let dom = browse(&browser, &page, &["--dump-dom".into()]);
    assert!(dom.contains("<html lang=\"pt-PT\" class=\"slides\">"), "the script did not run: {dom}");
    assert_eq!(dom.matches("<section class=\"shown\">").count(), 1, "{dom}");
    assert!(dom.contains("1 / 10</span>"), "{dom}");
    let changed = fs::read_to_string(&page).unwrap().replace("let shown = 0", "let shown = 1");
    fs::write(&page, changed).unwrap();
    let dom = browse(&browser, &page, &["--dump-dom".into()]);
    assert!(!dom.contains("class=\"slides\""), "another script may not run");
}

#[test]
fn texts_of_pictures_stay_where_they_belong() {
    let Some(browser) = browser() else { return };
    let dir = TempDir::new().unwrap();
    let mut pictures = String::new();
    let kinds = "bloom cuckoo quotient fuse linear-bloom count-min count-sketch majority space-saving dyadic kll linear-counting \
                 hyperloglog bottom-k matrix minhash simhash reservoir morris tree-labels";
    for kind in kinds.split_whitespace() {
        let items = match kind {
            "dyadic" => ["3,7:1000000", "12"],
            "kll" => ["3,-1e300,0.123456789", "12"],
            "tree-labels" => ["WWWWWWWWWWWWWWWW-日本語の名前", "日本語の名前-m"],
            "linear-bloom" => ["WWWWWWWWWWWWWWWWWW:0.123456789,日本語の名前:-1e300", "m:7"],
            _ => [
                "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW,日本語の名前,👩‍👩‍👧,MMMM <&> WWWW",
                "ʬʬʬʬʬʬʬʬ,iiii,ЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩ",
            ],
        };
        for arguments in [&["--items", items[0], "--items", items[1]][..], &[]] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_crivo"));
            let output = command.args(["explain", kind, "--svg", "-"]).args(arguments).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            pictures += &String::from_utf8(output.stdout).unwrap();
        }
    }
    let measure = "<script>
        let cell = null, seen = 0, wrong = [];
        for (const node of document.querySelectorAll('svg rect, svg text')) {
            const box = node.getBBox();
            if (node.tagName === 'rect') { if (node.classList.contains('cell')) cell = box; continue; }
            const page = node.ownerSVGElement.viewBox.baseVal;
            const room = node.classList.contains('value') ? cell : { x: 0, width: page.width - 20 };
            seen += 1;
            if (box.x < room.x || box.x + box.width > room.x + room.width) wrong.push(node.textContent);
        }
        document.title = seen + ' texts, too wide: ' + wrong.join(' / ');
        </script>";
    let page = dir.path().join("pictures.html");
    fs::write(&page, format!("<!DOCTYPE html><meta charset=\"utf-8\"><title></title>{pictures}{measure}"))
        .unwrap();
    let dom = browse(&browser, &page, &["--dump-dom".into()]);
    let title = dom.split("<title>").nth(1).unwrap().split("</title>").next().unwrap();
    let (texts, wide) = title.split_once(" texts, too wide: ").unwrap();
    assert!(texts.parse::<u32>().unwrap() > 1000, "{title}");
    assert_eq!(wide, "", "{title}");
}

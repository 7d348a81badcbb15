//! `crivo-lab all --quick`, run once: every claim of every experiment, and the page that shows them.

#![expect(clippy::unwrap_used, reason = "in a test a failed step is a failed test")]

use crivo_testing::browser::{Scheme, browse, browser, colours};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;
use tempfile::TempDir;

/// The run, and the directory that it wrote to.
static ALL: LazyLock<(Output, TempDir)> = LazyLock::new(|| {
    let dir = TempDir::new().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_crivo-lab"));
    command.current_dir(dir.path()).args(["all", "--quick", "--quiet"]);
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    if data.is_dir() {
        command.arg("--corpus").arg(data);
    } else {
        println!("skipped: real data; the lab makes its own");
    }
    (command.output().unwrap(), dir)
});

fn out() -> PathBuf {
    ALL.1.path().join("lab-out")
}

#[test]
fn every_claim_of_every_experiment_holds() {
    let (output, _) = &*ALL;
    let [stdout, stderr] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{stdout}{stderr}");
    assert_eq!(stderr, "");
    let list = Command::new(env!("CARGO_BIN_EXE_crivo-lab")).args(["list", "--json"]).output().unwrap();
    let list = String::from_utf8(list.stdout).unwrap();
    let page = fs::read_to_string(out().join("report.html")).unwrap();
    let mut ids = Vec::new();
    for line in list.lines() {
        let experiment: serde_json::Value = serde_json::from_str(line).unwrap();
        let id = experiment["id"].as_str().unwrap().to_owned();
        assert!(stdout.lines().any(|line| line.starts_with(&format!("holds  {id} "))), "{id}: {stdout}");
        let names = fs::read_dir(out().join(&id)).unwrap().map(|entry| entry.unwrap().file_name());
        let names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
        for end in [".csv", ".svg", "data.json", "report.md", "run.json"] {
            assert!(names.iter().any(|name| name.ends_with(end)), "{id} writes no {end}: {names:?}");
        }
        assert!(page.contains(&format!("<section id=\"{id}\">")), "{id}");
        let data: serde_json::Value =
            serde_json::from_slice(&fs::read(out().join(&id).join("data.json")).unwrap()).unwrap();
        let verdicts = data["verdicts"].as_array().unwrap();
        let contradicts =
            verdicts.iter().any(|verdict| verdict["erratum"] == true && verdict["standing"] != "reported");
        assert_eq!(experiment["contradicts"], contradicts, "{id}");
        ids.push(id);
    }
    assert_eq!(stdout.lines().count(), ids.len() + 1, "{stdout}");
    assert!(stdout.lines().last().unwrap().ends_with("See lab-out/report.html"), "{stdout}");
    // Every structure is characterised.
    for kind in crivo::Kind::ALL {
        assert!(ids.contains(&format!("c-{}", kind.name())), "no experiment measures {}", kind.name());
    }
}

#[test]
fn the_page_is_light_and_dark_and_has_figures() {
    let Some(browser) = browser() else { return };
    let page = out().join("report.html");
    for (scheme, back, ink) in [
        (Scheme::Light, [255, 255, 255], [0x1d, 0x21, 0x25]),
        (Scheme::Dark, [0x15, 0x18, 0x1c], [0xe8, 0xe8, 0xe8]),
    ] {
        for size in [[1100, 30_000], [390, 30_000]] {
            let colours = colours(&browser, &page, scheme, size);
            let has = |colour: [u8; 3]| colours.get(&colour).copied().unwrap_or(0);
            let all = size[0] * size[1];
            assert!(has(back) > all / 2 && has(back) < all, "{scheme:?} {size:?}: {} of {all}", has(back));
            assert!(has(ink) > 2_000, "{scheme:?} {size:?}: {} of text", has(ink));
            // The first colour of measured series.
            let blue = if matches!(scheme, Scheme::Light) { [0, 114, 178] } else { [0x4a, 0xa3, 0xdf] };
            // Figures are as wide as the screen, and so are their points.
            assert!(has(blue) > size[0], "{scheme:?} {size:?}: {} of points", has(blue));
        }
    }
}

/// Nothing is wider than a telephone, no text of a figure lies on another or outside, and no figure is empty.
#[test]
fn figures_are_whole_and_the_page_fits_narrow_screens() {
    let Some(browser) = browser() else { return };
    let dir = TempDir::new().unwrap();
    let html = fs::read_to_string(out().join("report.html")).unwrap();
    let policy = html.lines().find(|line| line.contains("Content-Security-Policy")).unwrap();
    assert!(policy.contains("default-src 'none'"), "{policy}");
    let measure = "<script>
        const wrong = [], figures = document.querySelectorAll('figure svg');
        for (const svg of figures) {
            const name = svg.closest('section').id, page = svg.getBoundingClientRect();
            const texts = [...svg.querySelectorAll('text')].map(text => [text.textContent.trim(), text.getBoundingClientRect()]);
            if (svg.querySelectorAll('circle, polyline, polygon, rect').length < 4) wrong.push(name + ': nothing drawn');
            for (const [text, box] of texts)
                if (box.left < page.left || box.right > page.right || box.top < page.top || box.bottom > page.bottom)
                    wrong.push(name + ': outside: ' + text);
            for (let i = 0; i < texts.length; i++)
                for (let j = 0; j < i; j++) {
                    const [a, b] = [texts[i][1], texts[j][1]];
                    if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
                        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4)
                        wrong.push(name + ': on each other: ' + texts[i][0] + ' | ' + texts[j][0]);
                }
        }
        document.title = document.scrollingElement.scrollWidth + ' ' + figures.length + ' ' + wrong.join(' // ');
        </script></body>";
    let measured = html.replace(policy, "").replace("</body>", measure);
    let page = dir.path().join("measured.html");
    fs::write(&page, measured).unwrap();
    let dom = browse(&browser, &page, &["--dump-dom".into(), "--window-size=1000,900".into()]);
    let title = dom.split("<title>").nth(1).unwrap().split("</title>").next().unwrap();
    let (width, rest) = title.split_once(' ').unwrap();
    let (figures, wrong) = rest.split_once(' ').unwrap_or((rest, ""));
    assert_eq!(figures.parse::<usize>().unwrap(), html.matches("<figure").count());
    assert_eq!((width, wrong), ("1000", ""), "{title}");
}

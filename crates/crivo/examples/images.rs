//! Finds near-duplicate images: files are read, reduced to perceptual vectors, and compared by SimHash.
//! Lopes 2017, section 2.3.7.
//!
//! ```sh
//! cargo run -p crivo --example images
//! ```

use crivo::rng::Rng;
use crivo::{Result, SimHash};

/// A thumbnail has this many cells on each side.
const SIDE: usize = 12;
/// Images whose vectors have a larger cosine are near-duplicates.
const THRESHOLD: f64 = 0.9;

/// Draws a picture of random discs and returns it as the bytes of a PGM file: a header, then a byte per pixel.
fn draw(seed: u64, size: usize) -> Vec<u8> {
    let mut rng = Rng::new(seed);
    let discs: Vec<[f64; 4]> = (0..12).map(|_| [(); 4].map(|()| rng.unit())).collect();
    let mut file = format!("P5 {size} {size} 255\n").into_bytes();
    for place in 0..size * size {
        let [x, y] = [place % size, place / size].map(|at| at as f64 / size as f64);
        let covers = |disc: &&[f64; 4]| (disc[0] - x).hypot(disc[1] - y) < 0.05 + 0.25 * disc[2];
        let grey = discs.iter().rev().find(covers).map_or(0.5, |disc| disc[3]);
        file.push((255.0 * grey) as u8);
    }
    file
}

/// Reads a PGM file: its width and its pixels.
fn pixels(file: &[u8]) -> (usize, &[u8]) {
    let header = file.iter().position(|&byte| byte == b'\n').expect("a header ends with a newline");
    let text = str::from_utf8(&file[..header]).expect("a header is text");
    let width = text.split(' ').nth(1).and_then(|width| width.parse().ok()).expect("a header has a width");
    (width, &file[header + 1..])
}

/// Changes every pixel of a file.
fn with_pixels(file: &[u8], mut change: impl FnMut(u8) -> u8) -> Vec<u8> {
    let body = file.len() - pixels(file).1.len();
    file.iter().enumerate().map(|(at, &byte)| if at < body { byte } else { change(byte) }).collect()
}

/// The perceptual vector: the mean grey of each cell of a thumbnail, minus the mean of all cells. Scale and brightness change
/// the vector little, contrast only its length.
fn vector(file: &[u8]) -> Vec<f64> {
    let (width, pixels) = pixels(file);
    let (mut sums, mut counts) = ([0.0; SIDE * SIDE], [0.0; SIDE * SIDE]);
    for (place, &grey) in pixels.iter().enumerate() {
        let cell = place / width * SIDE / width * SIDE + place % width * SIDE / width;
        sums[cell] += f64::from(grey);
        counts[cell] += 1.0;
    }
    let cells: Vec<f64> = sums.iter().zip(counts).map(|(sum, count)| sum / count).collect();
    let mean = cells.iter().sum::<f64>() / cells.len() as f64;
    cells.iter().map(|cell| cell - mean).collect()
}

fn sketch(file: &[u8]) -> Result<SimHash> {
    let mut sketch = SimHash::for_bits(512)?;
    sketch.add_vector(&vector(file))?;
    Ok(sketch)
}

fn main() -> Result<()> {
    let mut noise = Rng::new(7);
    let originals: Vec<Vec<u8>> = (0..200).map(|seed| draw(seed, 96)).collect();
    let sketches = originals.iter().map(|file| sketch(file)).collect::<Result<Vec<_>>>()?;
    let variants: [(&str, Vec<Vec<u8>>); 4] = [
        ("smaller", (0..200).map(|seed| draw(seed, 60)).collect()),
        ("darker", originals.iter().map(|file| with_pixels(file, |grey| grey / 2)).collect()),
        ("noisy", {
            let mut jitter = |grey: u8| grey.saturating_add(noise.below(40) as u8);
            originals.iter().map(|file| with_pixels(file, &mut jitter)).collect()
        }),
        ("other pictures", (200..400).map(|seed| draw(seed, 96)).collect()),
    ];
    println!("variant         found  false pairs  similarity with the original");
    for (name, files) in &variants {
        let (mut found, mut wrong, mut first) = (0, 0, None);
        for (place, file) in files.iter().enumerate() {
            let variant = sketch(file)?;
            for (other, original) in sketches.iter().enumerate() {
                let is_near = variant.cosine(original)?.value() > THRESHOLD;
                if other == place {
                    first.get_or_insert(variant.cosine(original)?);
                }
                found += usize::from(is_near && other == place);
                wrong += usize::from(is_near && other != place);
            }
        }
        let similarity = first.expect("there are files");
        println!("{name:14}  {found:5}  {wrong:11}  {similarity}");
        assert_eq!((found, wrong), if *name == "other pictures" { (0, 0) } else { (200, 0) });
    }
    Ok(())
}

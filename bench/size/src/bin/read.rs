//! Reads a Bloom filter from a file.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bytes = std::fs::read(std::env::args().nth(1).ok_or("name a file")?)?;
    let filter = crivo::BloomFilter::from_bytes(&bytes)?;
    println!("{:?}", filter.contains("crivo"));
    Ok(())
}

//! Makes a Bloom filter of its arguments.

fn main() -> crivo::Result<()> {
    let mut filter = crivo::BloomFilter::for_fpr(1000, 0.01)?;
    filter.extend(std::env::args().skip(1));
    println!("{:?}", filter.contains("crivo"));
    Ok(())
}

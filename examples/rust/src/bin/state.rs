//! Sketches as part of a program's state: in JSON, and in the rows of a database that merges days into a month.

use crivo::{BloomFilter, HyperLogLog};
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use std::error::Error;

#[derive(Serialize, Deserialize)]
struct Campaign {
    name: String,
    reached: HyperLogLog,
    clicked: BloomFilter,
}

fn campaign() -> crivo::Result<Campaign> {
    let mut reached = HyperLogLog::for_error(0.02)?;
    let mut clicked = BloomFilter::for_fpr(1000, 0.01)?;
    reached.extend(0..50_000u32);
    clicked.extend(0..1000u32);
    Ok(Campaign { name: "spring".into(), reached, clicked })
}

/// One sketch a day is stored as bytes, and a month is their merge.
fn month(database: &Connection) -> Result<HyperLogLog, Box<dyn Error>> {
    database.execute("CREATE TABLE days (day INTEGER PRIMARY KEY, users BLOB NOT NULL)", ())?;
    for day in 0..30u32 {
        let mut users = HyperLogLog::for_error(0.02)?;
        users.extend(day * 1000..day * 1000 + 5000);
        database.execute("INSERT INTO days VALUES (?1, ?2)", (day, users.to_bytes()))?;
    }
    let mut month = HyperLogLog::for_error(0.02)?;
    let mut days = database.prepare("SELECT users FROM days")?;
    for bytes in days.query_map((), |row| row.get::<_, Vec<u8>>(0))? {
        month.merge(&HyperLogLog::from_bytes(&bytes?)?)?;
    }
    Ok(month)
}

fn main() -> Result<(), Box<dyn Error>> {
    let json = serde_json::to_string(&campaign()?)?;
    println!("{} bytes of JSON: {}…", json.len(), &json[..60]);
    let read: Campaign = serde_json::from_str(&json)?;
    println!(
        "{}: {} reached, user 7 clicked: {}",
        read.name,
        read.reached.estimate(),
        read.clicked.contains(&7u32)
    );
    println!("this month: {} users", month(&Connection::open_in_memory()?)?.estimate());
    println!("as JSON: {}", serde_json::to_string(&read.reached.estimate())?);
    Ok(())
}

#[test]
fn json_and_rows_give_the_sketches_back() {
    let campaign = campaign().unwrap();
    let read: Campaign = serde_json::from_str(&serde_json::to_string(&campaign).unwrap()).unwrap();
    assert_eq!((read.reached, read.clicked), (campaign.reached, campaign.clicked));
    let month = month(&Connection::open_in_memory().unwrap()).unwrap();
    let mut whole = HyperLogLog::for_error(0.02).unwrap();
    whole.extend(0..34_000u32);
    assert_eq!(month, whole);
}

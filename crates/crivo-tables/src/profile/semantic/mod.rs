//! What the texts of a column stand for: mail addresses, currencies, dates in other orders, and others.

mod codes;
mod shapes;

use crivo::foreign::estimate;
use crivo::profile::{ColumnSummary, ColumnType};
use crivo::stats::clopper_pearson;
use crivo::{DEFAULT_CONFIDENCE, Estimate, Guarantee};

/// What values stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    Uuid,
    Mail,
    Url,
    Ip,
    Json,
    Coordinates,
    Latitude,
    Longitude,
    YesNo,
    Country,
    Currency,
    Percent,
    Money,
    DecimalComma,
    DayMonthYear,
    MonthDayYear,
    /// No day is above 12, so the order of day and month is unknown.
    DayOrMonthFirst,
    YearMonthDay,
    Base64,
}

impl Meaning {
    /// The meanings of texts. The first that fits is taken, so that narrow ones come first.
    const OF_TEXTS: [Self; 16] = [
        Self::Uuid,
        Self::Mail,
        Self::Url,
        Self::Ip,
        Self::Json,
        Self::Coordinates,
        Self::YesNo,
        Self::Country,
        Self::Currency,
        Self::Percent,
        Self::Money,
        Self::DecimalComma,
        Self::DayMonthYear,
        Self::MonthDayYear,
        Self::YearMonthDay,
        Self::Base64,
    ];

    /// Returns the name in records.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Uuid => "uuid",
            Self::Mail => "mail",
            Self::Url => "url",
            Self::Ip => "ip",
            Self::Json => "json",
            Self::Coordinates => "coordinates",
            Self::Latitude => "latitude",
            Self::Longitude => "longitude",
            Self::YesNo => "yes_no",
            Self::Country => "country",
            Self::Currency => "currency",
            Self::Percent => "percent",
            Self::Money => "money",
            Self::DecimalComma => "decimal_comma",
            Self::DayMonthYear => "day_month_year",
            Self::MonthDayYear => "month_day_year",
            Self::DayOrMonthFirst => "day_or_month_first",
            Self::YearMonthDay => "year_month_day",
            Self::Base64 => "base64",
        }
    }

    /// Returns the name for people.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Uuid => "UUID",
            Self::Url => "URL",
            Self::Ip => "IP",
            Self::Json => "JSON",
            Self::YesNo => "yes/no",
            Self::DecimalComma => "decimal comma",
            Self::DayMonthYear => "d/m/y",
            Self::MonthDayYear => "m/d/y",
            Self::DayOrMonthFirst => "d/m/y or m/d/y",
            Self::YearMonthDay => "y/m/d",
            other => other.name(),
        }
    }

    /// Returns whether a text has this meaning.
    fn fits(self, text: &str) -> bool {
        match self {
            Self::Uuid => shapes::is_uuid(text),
            Self::Mail => shapes::is_mail(text),
            Self::Url => shapes::is_url(text),
            Self::Ip => text.parse::<std::net::IpAddr>().is_ok(),
            Self::Json => shapes::is_json(text),
            Self::Coordinates => shapes::are_coordinates(text),
            // These follow from other meanings and from the range of numbers.
            Self::Latitude | Self::Longitude | Self::DayOrMonthFirst => false,
            Self::YesNo => codes::is_yes_or_no(text),
            Self::Country => codes::is_country(text),
            Self::Currency => codes::is_currency(text),
            Self::Percent => text.strip_suffix('%').is_some_and(|rest| shapes::is_amount(rest.trim_end())),
            Self::Money => shapes::is_money(text),
            Self::DecimalComma => shapes::has_decimal_comma(text),
            Self::DayMonthYear => shapes::is_date(text, |[day, month, year]| [year, month, day]),
            Self::MonthDayYear => shapes::is_date(text, |[month, day, year]| [year, month, day]),
            Self::YearMonthDay => shapes::is_date(text, |parts| parts),
            Self::Base64 => shapes::is_base64(text),
        }
    }

    /// Returns whether so few distinct values say enough.
    fn is_told_by(self, distinct: usize) -> bool {
        /// Other short texts are often codes too, by chance.
        const LEAST_CODES: usize = 3;
        !matches!(self, Self::Country | Self::Currency) || distinct >= LEAST_CODES
    }
}

/// What the values of a column stand for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Semantic {
    pub(crate) meaning: Meaning,
    /// The share of the distinct values that fit.
    pub(crate) share: Estimate,
}

/// The share of the distinct values that must fit.
const LEAST: f64 = 0.9;

/// Returns what the values of a column stand for. An exact column counts all of its distinct values; any other counts
/// those of its sample, so that the share has an interval.
pub(super) fn of_column(name: &str, summary: &ColumnSummary) -> Option<Semantic> {
    match summary.column_type() {
        ColumnType::Float => return of_numbers(name, summary),
        ColumnType::Text => {}
        _ => return None,
    }
    let sample: Vec<&str> =
        summary.sample().iter().filter_map(|text| std::str::from_utf8(text).ok()).collect();
    let sampled = summary.sample().len();
    let may_be = |meaning: &Meaning| {
        let fits = sample.iter().filter(|text| meaning.fits(text.trim())).count();
        // The sample of an exact column only excludes most meanings quickly.
        let least = if summary.is_exact() { LEAST / 2.0 } else { LEAST };
        fits as f64 >= least * sampled as f64
    };
    let candidates = Meaning::OF_TEXTS.into_iter().filter(may_be);
    let told = candidates.filter_map(|meaning| share(meaning, summary, &sample));
    let found = told.into_iter().find(|found| found.share.value() >= LEAST)?;
    if found.meaning == Meaning::DayMonthYear
        && share(Meaning::MonthDayYear, summary, &sample).is_some_and(|other| other.share == found.share)
    {
        return Some(Semantic { meaning: Meaning::DayOrMonthFirst, ..found });
    }
    Some(found)
}

/// Counts the distinct values that fit.
fn share(meaning: Meaning, summary: &ColumnSummary, sample: &[&str]) -> Option<Semantic> {
    let fits = |text: &str| meaning.fits(text.trim());
    let (fitting, distinct) = if summary.is_exact() {
        let values = summary.known();
        let distinct = values.len();
        let texts = values.filter_map(|value| std::str::from_utf8(value.value).ok());
        (texts.filter(|text| fits(text)).count(), distinct)
    } else {
        (sample.iter().filter(|text| fits(text)).count(), summary.sample().len())
    };
    if distinct == 0 || !meaning.is_told_by(distinct) {
        return None;
    }
    let value = fitting as f64 / distinct as f64;
    let share = if summary.is_exact() {
        Estimate::exact(value)
    } else {
        let (lower, upper) = clopper_pearson(fitting as u64, distinct as u64, DEFAULT_CONFIDENCE);
        estimate(value, lower, upper, Guarantee::Proven { confidence: DEFAULT_CONFIDENCE })
    };
    Some(Semantic { meaning, share })
}

/// Numbers have a meaning only if the name of the column says so, and all of them fit.
fn of_numbers(name: &str, summary: &ColumnSummary) -> Option<Semantic> {
    let name = name.rsplit(['.', '_']).next()?.to_ascii_lowercase();
    let (meaning, most) = match name.as_str() {
        "lat" | "latitude" => (Meaning::Latitude, 90.0),
        "lon" | "lng" | "long" | "longitude" => (Meaning::Longitude, 180.0),
        _ => return None,
    };
    let end = |text: Option<&[u8]>| Some(crivo::Number::parse(text?.trim_ascii())?.to_f64());
    let ends = [end(summary.minimum())?, end(summary.maximum())?];
    ends.iter().all(|end| end.abs() <= most).then(|| Semantic { meaning, share: Estimate::exact(1.0) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crivo::profile::{ColumnProfile, ProfileParams};

    fn found(params: ProfileParams, name: &str, values: &[String]) -> Option<Semantic> {
        let mut column = ColumnProfile::with_params(params);
        for value in values {
            column.add(value.as_bytes());
        }
        of_column(name, &column.summary())
    }

    fn texts(values: &[&str]) -> Vec<String> {
        values.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn texts_have_a_meaning() {
        let cases: [(&str, &[&str]); 17] = [
            ("uuid", &["123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-426614174001"]),
            ("mail", &["a@b.org", "first.last+tag@mail.example.com"]),
            ("url", &["https://example.org/a?b=c", "ftp://files.example"]),
            ("ip", &["192.168.0.1", "::1", "10.0.0.255"]),
            ("json", &["{\"a\": [1, 2]}", "[]"]),
            ("coordinates", &["38.72,-9.14", "-33.9, 151.2"]),
            ("yes_no", &["yes", "No"]),
            ("yes_no", &["Sim", "Não"]),
            ("country", &["PT", "BR", "DE", "US"]),
            ("currency", &["EUR", "USD", "JPY"]),
            ("percent", &["12 %", "3.5%", "-1,5 %"]),
            ("money", &["€ 12.50", "$1,299.00", "5 EUR", "R$ 3,20"]),
            ("decimal_comma", &["3,5", "1.234,56", "-0,1"]),
            ("day_month_year", &["31/12/2013", "01.02.2014"]),
            ("month_day_year", &["12/31/2013", "1/2/14"]),
            ("day_or_month_first", &["01/02/2013", "11/12/2013"]),
            ("year_month_day", &["2013/12/31", "2013.1.2"]),
        ];
        for (name, values) in cases {
            let semantic = found(ProfileParams::default(), "x", &texts(values)).expect(name);
            assert_eq!((semantic.meaning.name(), semantic.share), (name, Estimate::exact(1.0)), "{values:?}");
        }
        let base64 = texts(&["U29tZSB0ZXh0IG9mIGJ5dGVz", "AAECAwQFBgcICQoLDA0ODw=="]);
        assert_eq!(found(ProfileParams::default(), "x", &base64).unwrap().meaning, Meaning::Base64);
    }

    #[test]
    fn other_texts_have_none() {
        let cases: [&[&str]; 12] = [
            &["PT", "QQ", "XX", "DE"],
            &["PT", "BR"],
            &["LAX", "JFK", "EWR"],
            &["yes", "no", "maybe", "perhaps"],
            &["a@b", "@c.org", "d@.e"],
            &["1,234", "5,678"],
            &["31/31/2013", "1/2/3/4"],
            &["{a}", "[1"],
            &["https://", "example.org"],
            &["deadbeefdeadbeefdeadbeef"],
            &["internationalisation"],
            &["1.2.3", "4.5.6"],
        ];
        for values in cases {
            assert_eq!(found(ProfileParams::default(), "x", &texts(values)), None, "{values:?}");
        }
    }

    #[test]
    fn the_share_that_fits_is_told() {
        let mail = |row: usize| {
            if row.is_multiple_of(20) { "unknown".into() } else { format!("user{row}@example.org") }
        };
        let values: Vec<String> = (0..19).map(mail).collect();
        let exact = found(ProfileParams::default(), "x", &values).unwrap();
        assert_eq!((exact.meaning, exact.share), (Meaning::Mail, Estimate::exact(18.0 / 19.0)));
        let values: Vec<String> = (1..9000).map(|row| format!("user{row}@example.org")).collect();
        let sampled = found(ProfileParams::default(), "x", &values).unwrap();
        let expected = 0.025_f64.powf(1.0 / 20.0);
        assert_eq!((sampled.meaning, sampled.share.value()), (Meaning::Mail, 1.0));
        assert!((sampled.share.lower() - expected).abs() < 1e-9, "{}", sampled.share);
    }

    #[test]
    fn numbers_have_a_meaning_by_their_name() {
        let values = texts(&["38.72", "-9.14"]);
        let meaning = |name| found(ProfileParams::default(), name, &values).map(|found| found.meaning.name());
        assert_eq!((meaning("start_lat"), meaning("lng")), (Some("latitude"), Some("longitude")));
        assert_eq!((meaning("flat"), meaning("x")), (None, None));
        assert_eq!(found(ProfileParams::default(), "lat", &texts(&["38.72", "99.5"])), None);
    }
}

//! The columns of a Parquet file as Iceberg has them.

/// The columns whose values were passed on, and the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IcebergColumns {
    /// The field id and the name of each column.
    pub columns: Vec<(i32, String)>,
    /// The names of the columns whose type Iceberg has not.
    pub left_out: Vec<String>,
}

//! As much of JSON Schema as docs/crivo.schema.json uses.

use serde_json::Value;

/// A schema that values are held against.
pub(crate) struct Schema(Value);

impl Schema {
    pub(crate) fn parse(text: &str) -> Self {
        Self(serde_json::from_str(text).unwrap())
    }

    /// The types of records that it knows, each by its constant.
    pub(crate) fn types(&self) -> Vec<&str> {
        let all = self.0["oneOf"].as_array().unwrap().iter().map(|part| self.resolve(part));
        all.map(|part| part["properties"]["type"]["const"].as_str().unwrap()).collect()
    }

    /// What is wrong with a record, if anything is: it is held against the definition of its type.
    pub(crate) fn check(&self, record: &Value) -> Result<(), String> {
        let all = self.0["oneOf"].as_array().unwrap().iter().map(|part| self.resolve(part));
        let mut fitting = all.filter(|part| part["properties"]["type"]["const"] == record["type"]);
        match (fitting.next(), fitting.next()) {
            (Some(part), None) => self.holds(part, record, "record"),
            (None, _) => Err(format!("unknown type {}", record["type"])),
            _ => Err(format!("two definitions of {}", record["type"])),
        }
    }

    fn resolve<'a>(&'a self, part: &'a Value) -> &'a Value {
        let Some(name) = part["$ref"].as_str() else { return part };
        self.0.pointer(name.strip_prefix('#').unwrap()).unwrap_or_else(|| panic!("{name}"))
    }

    fn holds(&self, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        for (word, part) in self.resolve(schema).as_object().unwrap() {
            let holds = match word.as_str() {
                "type" => part.as_str().map_or_else(
                    || part.as_array().unwrap().iter().any(|name| is_a(value, name.as_str().unwrap())),
                    |name| is_a(value, name),
                ),
                "const" => value == part,
                "enum" => part.as_array().unwrap().contains(value),
                "minimum" => value.as_f64() >= part.as_f64(),
                "anyOf" | "oneOf" => {
                    let fits = |one: &&Value| self.holds(one, value, at).is_ok();
                    let fitting = part.as_array().unwrap().iter().filter(fits).count();
                    fitting == 1 || (word == "anyOf" && fitting > 1)
                }
                "required" => {
                    let has = |name: &Value| value.get(name.as_str().unwrap()).is_some();
                    part.as_array().unwrap().iter().all(has)
                }
                "items" => {
                    for item in value.as_array().into_iter().flatten() {
                        self.holds(part, item, &format!("{at}[]"))?;
                    }
                    true
                }
                "properties" => {
                    for (name, one) in part.as_object().unwrap() {
                        if let Some(field) = value.get(name) {
                            self.holds(one, field, &format!("{at}.{name}"))?;
                        }
                    }
                    true
                }
                "additionalProperties" => {
                    let known = |name: &str| self.resolve(schema)["properties"].get(name).is_some();
                    for (name, field) in value.as_object().into_iter().flatten() {
                        match part {
                            _ if known(name) => {}
                            Value::Bool(allowed) if *allowed => {}
                            Value::Bool(_) => return Err(format!("{at}: unknown field {name}")),
                            one => self.holds(one, field, &format!("{at}.{name}"))?,
                        }
                    }
                    true
                }
                "description" => true,
                other => panic!("the schema uses {other}"),
            };
            if !holds {
                return Err(format!("{at}: {word} {part} does not hold of {value}"));
            }
        }
        Ok(())
    }
}

fn is_a(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        other => panic!("the schema has a type {other}"),
    }
}

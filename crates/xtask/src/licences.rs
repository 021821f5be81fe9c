//! Every crate we link has a licence that `deny.toml` allows.
//!
//! cargo-deny does this and more, but needs its own installation and an advisory database from the network;
//! this needs neither, so it runs on every change.

use std::path::Path;

use serde_json::Value;

pub(crate) fn problems(root: &Path, metadata: &Value) -> Vec<String> {
    let deny = std::fs::read_to_string(root.join("deny.toml")).expect("deny.toml can be read");
    let allowed = allowed(&deny);
    let packages = metadata["packages"].as_array().into_iter().flatten();
    packages
        .filter_map(|package| {
            let name = package["name"].as_str()?;
            match package["license"].as_str() {
                Some(expression) if permits(expression, &allowed) => None,
                Some(expression) => {
                    Some(format!("{name} is under {expression}, which deny.toml does not allow"))
                }
                None if package["license_file"].is_string() => {
                    Some(format!("{name} has a licence file instead of an expression: read it and decide"))
                }
                None => Some(format!("{name} names no licence")),
            }
        })
        .collect()
}

fn allowed(deny: &str) -> Vec<&str> {
    let list =
        deny.split_once("allow = [").and_then(|(_, rest)| rest.split_once(']')).map_or("", |(list, _)| list);
    list.split(',').map(|item| item.trim().trim_matches('"')).filter(|item| !item.is_empty()).collect()
}

/// SPDX expressions as crates use them: alternatives of conjunctions, with parentheses around either.
fn permits(expression: &str, allowed: &[&str]) -> bool {
    let plain = expression.replace(" / ", " OR ").replace('/', " OR ");
    let one = |licence: &str| allowed.contains(&licence.trim_matches(['(', ')', ' ']));
    // (A OR B) AND C: each conjunct needs one allowed alternative. A OR B AND C binds the same way here,
    // which is stricter than SPDX and has not mattered yet.
    plain.split(" AND ").all(|part| part.split(" OR ").any(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternatives_and_conjunctions() {
        let allowed = ["MIT", "Apache-2.0", "Unicode-3.0"];
        assert!(permits("MIT OR Apache-2.0", &allowed));
        assert!(permits("MIT/GPL-3.0", &allowed));
        assert!(permits("(MIT OR Apache-2.0) AND Unicode-3.0", &allowed));
        assert!(!permits("GPL-3.0", &allowed));
        assert!(!permits("MIT AND GPL-3.0", &allowed));
    }
}

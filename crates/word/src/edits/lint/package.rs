//! Whether the parts of the package hold together.

use std::collections::BTreeSet;

use edit::{Content, PartName, Refusal};
use ooxml::{ContentTypes, Relationships, rels_part_of};

use super::{Problem, ProblemKind};

pub(super) fn check(content: &Content, problems: &mut Vec<Problem>) -> Result<(), Refusal> {
    let mut reached: BTreeSet<String> = BTreeSet::new();
    let mut waiting: Vec<Option<PartName>> = vec![None];
    while let Some(owner) = waiting.pop() {
        let source = rels_part_of(owner.as_ref());
        let relationships = match &owner {
            None => Relationships::of_package(content)?,
            Some(part) => match Relationships::of_part(content, part) {
                Ok(relationships) => relationships,
                Err(refusal) => {
                    let (part, what) = (source.to_string(), refusal.to_string());
                    problems.push(Problem { kind: ProblemKind::NotWellFormed, part, what });
                    continue;
                }
            },
        };
        for relationship in relationships.iter() {
            let Some(part) = &relationship.part else { continue };
            match ooxml::find_part(content, part.as_str()) {
                None => {
                    // A fragment or an empty target names nothing; Word writes both.
                    if !relationship.target.is_empty()
                        && !relationship.target.starts_with('#')
                        && relationship.target != "NULL"
                    {
                        problems.push(Problem {
                            kind: ProblemKind::MissingPart,
                            part: source.to_string(),
                            what: format!("{} points at {part}, which is not there", relationship.id),
                        });
                    }
                }
                Some(part) => {
                    if reached.insert(part.as_str().to_ascii_lowercase()) {
                        waiting.push(Some(part));
                    }
                }
            }
        }
    }
    let types = ContentTypes::read(content)?;
    for part in content.names() {
        let name = part.as_str();
        // What Office leaves in `[trash]` is room to grow in, and no part.
        let no_part = name == "[Content_Types].xml" || name.starts_with("[trash]/");
        if no_part || name.ends_with(".rels") || name.ends_with('/') {
            continue;
        }
        if !reached.contains(&name.to_ascii_lowercase()) {
            problems.push(Problem {
                kind: ProblemKind::OrphanPart,
                part: name.to_owned(),
                what: "nothing points at this part".to_owned(),
            });
        }
        if types.of(part).is_none() {
            problems.push(Problem {
                kind: ProblemKind::MissingContentType,
                part: name.to_owned(),
                what: "the package does not say what this part is".to_owned(),
            });
        }
    }
    Ok(())
}

//! What refers to cells outside the rows: frames of sheets, tables, comments, drawings, charts, names, pivots.

use std::collections::BTreeMap;

use edit::{PartName, Refusal};
use ooxml::Relationships;
use ooxml::xml::{Document, Node, NodeId, escape_text, ns};

use super::{Axis, Follow, Shift};
use crate::file::a1::{Area, CellRef, read_areas};
use crate::file::workbook::{number, same_name, string};
use crate::file::xml_edit::Xml;

/// Attributes of a sheet's frame that hold a list of areas; the element goes when none is left.
const AREA_LISTS: &[(&str, &str)] = &[
    ("conditionalFormatting", "sqref"),
    ("dataValidation", "sqref"),
    ("protectedRange", "sqref"),
    ("ignoredError", "sqref"),
];

/// Attributes that hold one area; the element goes with it.
const AREAS: &[(&str, &str)] = &[
    ("mergeCell", "ref"),
    ("hyperlink", "ref"),
    ("autoFilter", "ref"),
    ("sortState", "ref"),
    ("sortCondition", "ref"),
    ("cellWatch", "r"),
    ("inputCells", "r"),
];

/// Elements that hold a formula as text.
const FORMULAS: &[&str] = &["formula", "formula1", "formula2", "f"];

impl Follow<'_> {
    /// The sheet around its rows.
    pub(super) fn frame(&mut self, position: usize) -> Result<(), Refusal> {
        let view = self.view;
        let worksheet = view.worksheet(position)?;
        let home = view.workbook.tab(position)?.name.clone();
        let xml = Xml::frame(worksheet);
        let shift = self.shift.filter(|shift| shift.sheet == position);
        let root = xml.root();
        let mut gone = Vec::new();
        let mut nodes = root.descendants();
        while let Some(node) = nodes.next() {
            if !node.is_element() {
                continue;
            }
            let local = node.name().local;
            let Some(shift) = shift else {
                if FORMULAS.contains(&local) {
                    self.text_formula(&xml, &node, &home)?;
                } else if local == "hyperlink" {
                    self.location(&xml, &node)?;
                }
                continue;
            };
            if let Some((_, name)) = AREA_LISTS.iter().find(|(element, _)| *element == local) {
                let Some(text) = string(&node, name) else { continue };
                let areas = read_areas(&text);
                let now: Vec<Area> = areas.iter().filter_map(|area| shift.area(area)).collect();
                if now.is_empty() && !areas.is_empty() {
                    gone.push(node.id());
                    nodes.skip_below();
                } else if now != areas {
                    let text: Vec<String> = now.iter().map(ToString::to_string).collect();
                    xml.set_attribute(&mut self.patch, &node, name, &text.join(" "))?;
                }
            } else if let Some((_, name)) = AREAS.iter().find(|(element, _)| *element == local) {
                let Some(area) = string(&node, name).and_then(|text| text.parse::<Area>().ok()) else {
                    continue;
                };
                match shift.area(&area) {
                    Some(now) if local == "mergeCell" && now.is_cell() => gone.push(node.id()),
                    Some(now) if now != area => {
                        xml.set_attribute(&mut self.patch, &node, name, &now.to_string())?
                    }
                    Some(_) => {}
                    None => {
                        gone.push(node.id());
                        nodes.skip_below();
                        continue;
                    }
                }
                if local == "hyperlink" {
                    self.location(&xml, &node)?;
                }
            } else if FORMULAS.contains(&local) {
                self.text_formula(&xml, &node, &home)?;
            } else {
                self.frame_detail(&xml, &node, local, &shift, &mut gone)?;
            }
        }
        self.remove_gone(&xml, &gone)
    }

    /// A filter counts its columns from its first one; answers whether the column of this one goes.
    fn filter_column(&mut self, xml: &Xml<'_>, node: &Node<'_>, shift: &Shift) -> Result<bool, Refusal> {
        let area = node.parent().and_then(|filter| string(&filter, "ref")?.parse::<Area>().ok());
        let (Some(area), Some(column), Axis::Columns) = (area, number(node, "colId"), shift.axis) else {
            return Ok(false);
        };
        let Some(line) = shift.line(area.left.saturating_add(column)) else { return Ok(true) };
        let left = shift.area(&area).map_or(area.left, |now| now.left);
        let now = line.saturating_sub(left);
        if now != column {
            xml.set_attribute(&mut self.patch, node, "colId", &now.to_string())?;
        }
        Ok(false)
    }

    fn frame_detail(
        &mut self,
        xml: &Xml<'_>,
        node: &Node<'_>,
        local: &str,
        shift: &Shift,
        gone: &mut Vec<NodeId>,
    ) -> Result<(), Refusal> {
        match local {
            "filterColumn" => {
                if self.filter_column(xml, node, shift)? {
                    gone.push(node.id());
                }
                Ok(())
            }
            "dimension" => {
                let Some(area) = string(node, "ref").and_then(|text| text.parse::<Area>().ok()) else {
                    return Ok(());
                };
                let now = shift.area(&area).unwrap_or(Area::cell(CellRef::new(0, 0)));
                xml.set_attribute(&mut self.patch, node, "ref", &now.to_string())
            }
            "selection" => {
                for (name, list) in [("activeCell", false), ("sqref", true)] {
                    let Some(text) = string(node, name) else { continue };
                    let moved: Vec<String> = read_areas(&text)
                        .iter()
                        .map(|area| shift.area(area).unwrap_or_else(|| stays(area, shift)).to_string())
                        .collect();
                    let now =
                        if list { moved.join(" ") } else { moved.first().cloned().unwrap_or(text.clone()) };
                    if now != text && !now.is_empty() {
                        xml.set_attribute(&mut self.patch, node, name, &now)?;
                    }
                }
                Ok(())
            }
            "brk" => {
                let in_rows = node.parent().is_some_and(|parent| parent.name().local == "rowBreaks");
                if in_rows != (shift.axis == Axis::Rows) {
                    return Ok(());
                }
                // A break stands behind line `id`, counted from one, so it hangs on the line after it.
                let Some(line) = string(node, "id").and_then(|text| text.parse::<u32>().ok()) else {
                    return Ok(());
                };
                match shift.line(line) {
                    Some(now) => xml.set_attribute(&mut self.patch, node, "id", &now.to_string()),
                    None => {
                        gone.push(node.id());
                        Ok(())
                    }
                }
            }
            "col" if shift.axis == Axis::Columns => {
                let line =
                    |name| string(node, name).and_then(|text| text.parse::<u32>().ok()?.checked_sub(1));
                let (Some(first), Some(last)) = (line("min"), line("max")) else { return Ok(()) };
                match shift.lines(first, last) {
                    Some((first, last)) => {
                        xml.set_attribute(&mut self.patch, node, "min", &(first + 1).to_string())?;
                        xml.set_attribute(&mut self.patch, node, "max", &(last + 1).to_string())
                    }
                    None => {
                        gone.push(node.id());
                        Ok(())
                    }
                }
            }
            // Extensions write areas as text.
            "sqref" | "ref" => {
                let text = node.text().into_owned();
                let areas = read_areas(&text);
                if areas.is_empty() {
                    return Ok(());
                }
                let now: Vec<String> = areas
                    .iter()
                    .map(|area| shift.area(area).unwrap_or_else(|| stays(area, shift)).to_string())
                    .collect();
                let now = now.join(" ");
                if now != text {
                    xml.splice(&mut self.patch, node.content_span(), now)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Removes the elements that went, each list with the last of its elements, and keeps counts right.
    fn remove_gone(&mut self, xml: &Xml<'_>, gone: &[NodeId]) -> Result<(), Refusal> {
        const LISTS: &[&str] = &[
            "mergeCells",
            "hyperlinks",
            "dataValidations",
            "protectedRanges",
            "ignoredErrors",
            "cellWatches",
            "rowBreaks",
            "colBreaks",
            "cols",
        ];
        let mut lists: BTreeMap<NodeId, usize> = BTreeMap::new();
        let nodes = || gone.iter().filter_map(|id| xml.document.node(*id));
        let list_of = |node: &Node<'_>| {
            node.parent().filter(|parent| LISTS.contains(&parent.name().local)).map(|parent| parent.id())
        };
        for list in nodes().filter_map(|node| list_of(&node)) {
            *lists.entry(list).or_default() += 1;
        }
        for (id, going) in &lists {
            let Some(list) = xml.document.node(*id) else { continue };
            if list.elements().count() == *going {
                xml.remove(&mut self.patch, &list)?;
                continue;
            }
            for name in ["count", "manualBreakCount"] {
                if let Some(count) = crate::file::workbook::number(&list, name) {
                    let left = (count as usize).saturating_sub(*going).to_string();
                    xml.set_attribute(&mut self.patch, &list, name, &left)?;
                }
            }
        }
        for node in nodes() {
            let whole = list_of(&node).and_then(|id| {
                let list = xml.document.node(id)?;
                Some(list.elements().count() == *lists.get(&id)?)
            });
            if whole != Some(true) {
                xml.remove(&mut self.patch, &node)?;
            }
        }
        Ok(())
    }

    fn text_formula(&mut self, xml: &Xml<'_>, node: &Node<'_>, home: &str) -> Result<(), Refusal> {
        // Only an element with plain text: a shape with formulas inside is another thing of the same name.
        if node.elements().next().is_some() || node.closes_itself() {
            return Ok(());
        }
        if let Some(now) = self.formula(&node.text(), home) {
            xml.splice(&mut self.patch, node.content_span(), escape_text(&now))?;
        }
        Ok(())
    }

    /// Where in the workbook a link leads.
    fn location(&mut self, xml: &Xml<'_>, node: &Node<'_>) -> Result<(), Refusal> {
        let Some(location) = string(node, "location") else { return Ok(()) };
        match self.formula(&location, "") {
            Some(now) => xml.set_attribute(&mut self.patch, node, "location", &now),
            None => Ok(()),
        }
    }

    /// What hangs on a sheet by relationships: tables, comments, drawings.
    pub(super) fn hangers(&mut self, position: usize) -> Result<(), Refusal> {
        let view = self.view;
        let worksheet = view.worksheet(position)?;
        let home = view.workbook.tab(position)?.name.clone();
        let shift = self.shift.filter(|shift| shift.sheet == position);
        for relationship in Relationships::of_part(self.content(), &worksheet.part)?.iter() {
            let Some(part) = relationship.part.clone().filter(|part| self.content().contains(part)) else {
                continue;
            };
            let kind = relationship.kind.rsplit('/').next().unwrap_or(&relationship.kind);
            // Broken files name a part twice; it follows once.
            if (kind == "table" || shift.is_some()) && !self.followed.insert(part.clone()) {
                continue;
            }
            match (kind, shift) {
                ("table", shift) => self.table(&part, &home, shift)?,
                ("comments" | "threadedComment", Some(shift)) => self.comments(&part, &shift)?,
                ("drawing", Some(shift)) => self.drawing(&part, &shift)?,
                ("vmlDrawing", Some(shift)) => self.old_drawing(&part, &shift)?,
                ("pivotTable", Some(shift)) => self.pivot_table(&part, &shift)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn read(&mut self, part: &PartName) -> Option<Document> {
        match ooxml::read_xml(self.content(), part) {
            Ok(document) => Some(document),
            Err(refusal) => {
                self.warn(format!("{part} was left as it is: {refusal}"));
                None
            }
        }
    }

    fn table(&mut self, part: &PartName, home: &str, shift: Option<Shift>) -> Result<(), Refusal> {
        let Some(document) = self.read(part) else { return Ok(()) };
        let xml = Xml::new(part, &document);
        let root = document.root();
        let left =
            string(&root, "ref").and_then(|text| text.parse::<Area>().ok()).map_or(0, |area| area.left);
        let columns = root.child(ns::S, "tableColumns").into_iter().flat_map(|list| list.elements());
        let gone: Vec<usize> = columns
            .filter(|node| node.is(ns::S, "tableColumn"))
            .zip(left..)
            .filter(|(_, line)| {
                shift.is_some_and(|shift| shift.axis == Axis::Columns && shift.line(*line).is_none())
            })
            .map(|(node, _)| node.span().start)
            .collect();
        for node in std::iter::once(root).chain(root.descendants()).filter(Node::is_element) {
            match node.name().local {
                "table" | "autoFilter" | "sortState" | "sortCondition" => {
                    let Some(shift) = shift else { continue };
                    let area = string(&node, "ref").and_then(|text| text.parse::<Area>().ok());
                    if let Some(area) = area
                        && let Some(now) = shift.area(&area)
                        && now != area
                    {
                        xml.set_attribute(&mut self.patch, &node, "ref", &now.to_string())?;
                    }
                }
                "filterColumn" => {
                    if let Some(shift) = shift
                        && self.filter_column(&xml, &node, &shift)?
                    {
                        xml.remove(&mut self.patch, &node)?;
                    }
                }
                // The formulas of a column that goes, go with it.
                "calculatedColumnFormula" | "totalsRowFormula"
                    if gone.contains(&node.parent().map_or(0, |column| column.span().start)) => {}
                "calculatedColumnFormula" | "totalsRowFormula" => self.text_formula(&xml, &node, home)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Where a pivot table lies; what it shows is cells like any other.
    fn pivot_table(&mut self, part: &PartName, shift: &Shift) -> Result<(), Refusal> {
        let Some(document) = self.read(part) else { return Ok(()) };
        let Some(node) = document.root().child(ns::S, "location") else { return Ok(()) };
        let area = string(&node, "ref").and_then(|text| text.parse::<Area>().ok());
        if let Some(area) = area
            && let Some(now) = shift.area(&area)
            && now != area
        {
            Xml::new(part, &document).set_attribute(&mut self.patch, &node, "ref", &now.to_string())?;
        }
        Ok(())
    }

    fn comments(&mut self, part: &PartName, shift: &Shift) -> Result<(), Refusal> {
        let Some(document) = self.read(part) else { return Ok(()) };
        let xml = Xml::new(part, &document);
        for node in document
            .root()
            .descendants()
            .filter(|node| matches!(node.name().local, "comment" | "threadedComment"))
        {
            let Some(at) = string(&node, "ref").and_then(|text| text.parse::<CellRef>().ok()) else {
                continue;
            };
            match shift.cell(at) {
                Some(now) if now != at => {
                    xml.set_attribute(&mut self.patch, &node, "ref", &now.to_string())?
                }
                Some(_) => {}
                None => xml.remove(&mut self.patch, &node)?,
            }
        }
        Ok(())
    }

    fn drawing(&mut self, part: &PartName, shift: &Shift) -> Result<(), Refusal> {
        let Some(document) = self.read(part) else { return Ok(()) };
        let xml = Xml::new(part, &document);
        let wanted = if shift.axis == Axis::Rows { "row" } else { "col" };
        for anchor in document.root().elements() {
            let local = anchor.name().local;
            // Fixed ones do not move; single-cell ones move but keep their size.
            if !matches!(local, "twoCellAnchor" | "oneCellAnchor")
                || string(&anchor, "editAs").is_some_and(|as_is| as_is == "absolute")
            {
                continue;
            }
            for corner in anchor.elements().filter(|node| matches!(node.name().local, "from" | "to")) {
                let Some(node) = corner.elements().find(|node| node.name().local == wanted) else { continue };
                let Ok(line) = node.text().trim().parse::<u32>() else { continue };
                let now = shift.anchor(line);
                if now != line && !node.closes_itself() {
                    xml.splice(&mut self.patch, node.content_span(), now.to_string())?;
                }
            }
        }
        Ok(())
    }

    /// The boxes of comments, in the drawing language of old.
    fn old_drawing(&mut self, part: &PartName, shift: &Shift) -> Result<(), Refusal> {
        let Some(document) = self.read(part) else { return Ok(()) };
        let xml = Xml::new(part, &document);
        let mut shapes = document.root().descendants();
        while let Some(shape) = shapes.next() {
            if shape.name().local != "shape" {
                continue;
            }
            let client = shape.elements().find(|node| node.name().local == "ClientData");
            let Some(client) = client else { continue };
            let child = |name: &str| client.elements().find(|node| node.name().local == name);
            let own = child(if shift.axis == Axis::Rows { "Row" } else { "Column" });
            let line = own.and_then(|node| node.text().trim().parse::<u32>().ok());
            if let (Some(node), Some(line)) = (own, line) {
                match shift.line(line) {
                    None => {
                        xml.remove(&mut self.patch, &shape)?;
                        shapes.skip_below();
                        continue;
                    }
                    Some(now) if now != line => {
                        xml.splice(&mut self.patch, node.content_span(), now.to_string())?
                    }
                    Some(_) => {}
                }
            }
            let Some(anchor) = child("Anchor") else { continue };
            let text = anchor.text().into_owned();
            let mut fields: Vec<String> = text.split(',').map(str::to_owned).collect();
            // Column, offset, row, offset of both corners.
            for index in if shift.axis == Axis::Rows { [2, 6] } else { [0, 4] } {
                if let Some(field) = fields.get_mut(index)
                    && let Ok(line) = field.trim().parse::<u32>()
                {
                    let now = shift.anchor(line).to_string();
                    let blank: String = field.chars().take_while(|c| c.is_whitespace()).collect();
                    *field = format!("{blank}{now}");
                }
            }
            let now = fields.join(",");
            if now != text && !anchor.closes_itself() {
                xml.splice(&mut self.patch, anchor.content_span(), now)?;
            }
        }
        Ok(())
    }

    pub(super) fn names(&mut self) -> Result<(), Refusal> {
        let workbook = &self.view.workbook;
        let xml = Xml::new(&workbook.part, &workbook.document);
        let Some(list) = xml.root().child(ns::S, "definedNames") else { return Ok(()) };
        for node in list.elements().filter(|node| node.is(ns::S, "definedName")) {
            // A name local to the sheet that goes is removed with it.
            let scope = crate::file::workbook::number(&node, "localSheetId").map(|index| index as usize);
            if scope.is_some() && scope == self.without {
                continue;
            }
            let home = scope.and_then(|index| workbook.sheets.get(index)).map_or("", |tab| &tab.name);
            if let Some(now) = self.formula(&node.text(), home) {
                xml.splice(&mut self.patch, node.content_span(), escape_text(&now))?;
            }
        }
        Ok(())
    }

    pub(super) fn charts(&mut self) -> Result<(), Refusal> {
        let charts: Vec<PartName> = self
            .content()
            .names()
            .filter(|name| {
                name.as_str().contains("/charts/")
                    && name.as_str().ends_with(".xml")
                    && !name.as_str().contains("/_rels/")
            })
            .cloned()
            .collect();
        for part in charts {
            let Some(blob) = self.content().read(&part)? else { continue };
            if memchr::memmem::find(&blob.bytes(), b"f>").is_none() {
                continue;
            }
            let Some(document) = self.read(&part) else { continue };
            let xml = Xml::new(&part, &document);
            for node in document.root().descendants().filter(|node| node.name().local == "f") {
                self.text_formula(&xml, &node, "")?;
            }
        }
        Ok(())
    }

    pub(super) fn pivots(&mut self) -> Result<(), Refusal> {
        let caches: Vec<PartName> = self
            .content()
            .names()
            .filter(|name| {
                name.as_str().contains("pivotCacheDefinition") && !name.as_str().ends_with(".rels")
            })
            .cloned()
            .collect();
        for part in caches {
            let Some(document) = self.read(&part) else { continue };
            let xml = Xml::new(&part, &document);
            for node in document.root().descendants().filter(|node| node.name().local == "worksheetSource") {
                if let (formula::Change::RenameTable { from, to }, Some(name)) =
                    (&self.change, string(&node, "name"))
                    && same_name(from, &name)
                {
                    let to = to.clone();
                    xml.set_attribute(&mut self.patch, &node, "name", &to)?;
                }
                let Some(sheet) = string(&node, "sheet") else { continue };
                if let formula::Change::RenameSheet { from, to } = &self.change
                    && same_name(from, &sheet)
                {
                    let to = to.clone();
                    xml.set_attribute(&mut self.patch, &node, "sheet", &to)?;
                }
                let Some(shift) = self.shift else { continue };
                let own = self
                    .view
                    .workbook
                    .sheets
                    .get(shift.sheet)
                    .is_some_and(|tab| same_name(&tab.name, &sheet));
                let area = string(&node, "ref").and_then(|text| text.parse::<Area>().ok());
                if let (true, Some(area)) = (own, area)
                    && let Some(now) = shift.area(&area)
                    && now != area
                {
                    xml.set_attribute(&mut self.patch, &node, "ref", &now.to_string())?;
                }
            }
        }
        Ok(())
    }
}

/// An area that would be gone, where something has to stay.
fn stays(area: &Area, shift: &Shift) -> Area {
    let mut area = *area;
    match shift.axis {
        Axis::Rows => {
            area.top = shift.anchor(area.top);
            area.bottom = area.top;
        }
        Axis::Columns => {
            area.left = shift.anchor(area.left);
            area.right = area.left;
        }
    }
    area
}

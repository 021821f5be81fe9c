//! Formulas that the file has no value for, as programs write them that do not calculate.

use std::sync::Arc;

use edit::{Context, Draft, Refusal};

use crate::calc::model::Model;
use crate::calc::place::outer;
use crate::calc::view::Sheet;
use crate::calc::view::View;
use crate::file::a1::Area;
use formula::Value;

impl View {
    /// The workbook with values for such formulas, if there are any among some cells; what has a value keeps it.
    pub fn with_values(&self, sheet: usize, area: Area, cx: &Context) -> Result<Option<View>, Refusal> {
        let shown = self.sheet_at(sheet)?.cells(area)?;
        if !shown.iter().any(|cell| cell.formula.is_some() && cell.value == Value::Blank) {
            return Ok(None);
        }
        let mut view = self.clone();
        let due = Model::build_until(self, &cx.stop)?.unvalued;
        let cells = due.iter().map(|at| outer(*at)).map(|place| (place.sheet, place.at));
        Arc::make_mut(&mut view.dirt).cells.extend(cells);
        let draft = Draft::<Sheet>::new(self.content.clone(), view).settle(cx)?.0;
        Ok(Some(draft.into_parts().1))
    }
}

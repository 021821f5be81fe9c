//! `peers calamine read FILE SHEET` and `peers umya (read | set) FILE SHEET [OUT]`: one job a process.

use std::path::Path;

use calamine::{Reader, Xlsx, open_workbook};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [peer, job, file, sheet, rest @ ..] = arguments.as_slice() else { panic!("PEER JOB FILE SHEET [OUT]") };
    match (peer.as_str(), job.as_str(), rest) {
        ("calamine", "read", _) => {
            let mut book: Xlsx<_> = open_workbook(file).expect("opens");
            let range = book.worksheet_range(sheet).expect("reads");
            println!("{:?}", range.get_value((499, 2)));
        }
        ("umya", "read", _) => {
            let book = umya_spreadsheet::reader::xlsx::read(Path::new(file)).expect("reads");
            println!("{}", book.sheet_by_name(sheet).expect("a sheet").value("C500"));
        }
        ("umya", "set", [out]) => {
            let mut book = umya_spreadsheet::reader::xlsx::read(Path::new(file)).expect("reads");
            book.sheet_by_name_mut(sheet).expect("a sheet").cell_mut("C500").set_value_number(4242);
            umya_spreadsheet::writer::xlsx::write(&book, Path::new(out)).expect("writes");
        }
        _ => panic!("no such job"),
    }
}

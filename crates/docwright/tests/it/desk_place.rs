//! Where the desk is found, and what may be in its place.

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::process::Stdio;

use crate::binary::Session;
use crate::desk::{Place, is_gone, lists_tools, within};

fn private_folder(place: &Place) {
    std::fs::create_dir_all(place.state().join("desk")).expect("a folder");
    std::fs::set_permissions(place.state().join("desk"), std::fs::Permissions::from_mode(0o700))
        .expect("its mode");
}

#[test]
fn what_is_in_the_place_of_the_socket_is_removed() {
    // Nobody listens at the first one, nor behind the second.
    let stale = |place: &Place| drop(UnixListener::bind(place.in_desk("socket")).expect("a socket"));
    let link = |place: &Place| {
        let elsewhere = place.folder.path().join("elsewhere");
        std::fs::write(&elsewhere, "kept").expect("a file");
        symlink(&elsewhere, place.in_desk("socket")).expect("a link");
    };
    let file = |place: &Place| std::fs::write(place.in_desk("socket"), "").expect("a file");
    for leave in [&stale as &dyn Fn(&Place), &link, &file] {
        let place = Place::new();
        private_folder(&place);
        leave(&place);
        let mut session = place.client(&[]);
        assert!(lists_tools(&mut session));
        place.desk();
        let elsewhere = std::fs::read_to_string(place.folder.path().join("elsewhere"));
        assert!(elsewhere.map_or(true, |text| text == "kept"));
    }
}

#[test]
fn a_socket_that_somebody_took_away_comes_back() {
    let place = Place::new();
    let session = place.client(&["--desk-linger", "20000"]);
    let desk = place.desk();
    std::fs::remove_file(place.in_desk("socket")).expect("there was one");
    symlink("/nowhere", place.in_desk("socket")).expect("a link");
    let mut other = place.client(&[]);
    assert!(lists_tools(&mut other));
    assert_eq!(place.desk(), desk);
    drop(session);
}

#[test]
fn a_desk_whose_folder_is_gone_ends() {
    let place = Place::new();
    let session = place.client(&["--desk-linger", "60000"]);
    let desk = place.desk();
    std::fs::remove_dir_all(place.state()).expect("it can be removed");
    within(10, "the desk ends", || is_gone(desk));
    drop(session);
}

/// What a client says that has to work alone.
fn alone(place: &Place) -> String {
    let mut command = place.command(&[]);
    let said = place.folder.path().join("stderr");
    command.stderr(Stdio::from(std::fs::File::create(&said).expect("a file")));
    let mut session = Session::of(command);
    assert!(lists_tools(&mut session));
    drop(session);
    std::fs::read_to_string(said).expect("what it said")
}

#[test]
fn a_folder_that_others_can_enter_is_not_used() {
    let place = Place::new();
    private_folder(&place);
    let folder = place.state().join("desk");
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).expect("its mode");
    let said = alone(&place);
    assert!(
        said.starts_with("docwright: working alone: ") && said.contains("can be entered by others"),
        "{said}"
    );
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(std::fs::read_dir(&folder).expect("the folder").next().is_none());
}

#[test]
fn a_folder_that_is_a_link_is_not_used() {
    let place = Place::new();
    std::fs::create_dir_all(place.state()).expect("a folder");
    symlink(place.folder.path(), place.state().join("desk")).expect("a link");
    assert!(alone(&place).contains("is no folder of its own"));
}

#[test]
fn a_folder_that_cannot_be_made_is_no_reason_to_fail() {
    let place = Place::new();
    std::fs::write(place.state(), "in the way").expect("a file");
    assert!(alone(&place).contains("working alone"));
}

#[test]
fn a_long_name_is_no_reason_either() {
    let place = Place::new();
    let deep = place.state().join("d".repeat(100)).join("e".repeat(100));
    let deep = deep.to_str().expect("a plain path");
    let more = ["--state-dir", deep];
    let command = |place: &Place| {
        let mut command = crate::binary::docwright(place.folder.path());
        command.args(["mcp", "--desk-linger", "1000", "--root"]).arg(place.folder.path()).args(more);
        command
    };
    let (mut one, mut two) = (Session::of(command(&place)), Session::of(command(&place)));
    assert!(lists_tools(&mut one) && lists_tools(&mut two));
    assert!(std::path::Path::new(deep).join("desk/socket").exists());
}

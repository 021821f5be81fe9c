use std::sync::Arc;
use edit::Format;
fn main() {
    let cx = edit::Context { author: "bench".into(), now: 1_700_000_000, seed: 1 };
    for path in std::io::stdin().lines() {
        let path = path.unwrap();
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let Ok((_, content)) = sheet::Sheet::unpack(Arc::new(bytes), &sheet::limits()) else { println!("{}", serde_json::json!({"file": path, "refused": true})); continue };
        let Ok(view) = sheet::Sheet::view(&content) else { println!("{}", serde_json::json!({"file": path, "refused": true})); continue };
        let start = std::time::Instant::now();
        match sheet::verify(&view, &cx) {
            Ok(found) => println!("{}", serde_json::json!({"file": path, "millis": start.elapsed().as_millis() as u64, "found": found})),
            Err(e) => println!("{}", serde_json::json!({"file": path, "error": e.to_string()})),
        }
    }
}

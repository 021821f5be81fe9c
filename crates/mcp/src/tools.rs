//! The tools, a file each. The router is this list.

use crate::tool::Tool;

/// Declares the modules and the list of them; a tool is called what its file is called.
macro_rules! tools {
    ($($name:ident,)*) => {
        $(mod $name;)*

        /// Every tool there is.
        pub(crate) fn all() -> Vec<Tool> {
            vec![$(Tool::new(stringify!($name), $name::ABOUT, $name::run),)*]
        }
    };
}

tools! {
    get_capabilities,
}

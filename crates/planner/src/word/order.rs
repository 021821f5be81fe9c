//! How people say in which order rows stand.

pub(crate) const DESCENDING: &str = "descending|in descending order|descending order|largest first|highest first|newest first|latest first|from high to low|\
    from largest to smallest|biggest first|high to low|z to a|from z to a|largest to smallest|newest to oldest|most recent first|in reverse order|desc|, descending|highest to lowest|from highest to lowest";
pub(crate) const ASCENDING: &str = "ascending|in ascending order|ascending order|smallest first|lowest first|oldest first|earliest first|from low to high|\
    from smallest to largest|alphabetically|in alphabetical order|a to z|from a to z|low to high|smallest to largest|oldest to newest|asc|, ascending|lowest to highest|from lowest to highest";

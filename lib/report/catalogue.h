// Lists of the methods, formats, metrics and targets of this build, as text and as JSON.

#pragma once

#include <string>
#include <string_view>

namespace skinbake {

// One paragraph per entry: its id, then one line per field, or per row of a field. Empty fields are
// left out. `topic`: "methods", "formats", "metrics" or "targets".
std::string catalogue_text(std::string_view topic);

// {"schema": "skinbake.list", "schema_version": "1.0", "<topic>": [{…}, …]}: every entry has the
// same keys in the same order; the first is its id.
std::string catalogue_json(std::string_view topic);

}  // namespace skinbake

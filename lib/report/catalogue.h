// Lists of the methods, formats, metrics and targets of this build, as text and as JSON.

#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace skinbake {

// A row of named texts: the "name", the "default" and more of a parameter.
using CatalogueRow = std::vector<std::pair<std::string, std::string>>;

// One field of an entry: a text, a number, a list of words, or rows.
using CatalogueField =
    std::variant<std::string, double, std::vector<std::string>, std::vector<CatalogueRow>>;

struct Catalogue {
  std::string name;  // "methods"
  // [entry][field]: every entry has the same keys in the same order; the first field is the id.
  std::vector<std::vector<std::pair<std::string, CatalogueField>>> entries;
};

Catalogue method_catalogue();
Catalogue format_catalogue();
Catalogue metric_catalogue();
Catalogue target_catalogue();

// One paragraph per entry: its id, then one line per field, or per row of a field. Empty fields are
// left out.
std::string to_text(const Catalogue& catalogue);

// {"schema": "skinbake.list", "schema_version": "1.0", "<name>": [{…}, …]}
std::string to_json(const Catalogue& catalogue);

}  // namespace skinbake

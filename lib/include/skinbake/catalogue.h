// Lists of what there is, for people and for programs.

#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace skinbake {

// Texts with names.
using CatalogueRow = std::vector<std::pair<std::string, std::string>>;

// One field of an entry: a text, a number, words, or rows.
using CatalogueField =
    std::variant<std::string, double, std::vector<std::string>, std::vector<CatalogueRow>>;

struct Catalogue {
  std::string name;  // "methods"
  // Each entry's fields in order: the same keys for all; the first is its id.
  std::vector<std::vector<std::pair<std::string, CatalogueField>>> entries;
};

Catalogue method_catalogue();
Catalogue format_catalogue();
Catalogue metric_catalogue();
Catalogue target_catalogue();

// One paragraph per entry: its id, then a line per field, or per row of one. What is empty is left
// out.
std::string to_text(const Catalogue& catalogue);

// {"schema": "skinbake.list", "schema_version": "1.0", "<name>": [{…}, …]}
std::string to_json(const Catalogue& catalogue);

}  // namespace skinbake

#include "report/catalogue.h"

#include <algorithm>
#include <charconv>

#include "bake/kernels/targets.h"
#include "json/json_writer.h"
#include "skinbake/caches.h"
#include "skinbake/methods.h"
#include "skinbake/metrics.h"

namespace skinbake {

namespace {

std::vector<std::string> names_of(std::uint32_t properties) {
  std::vector<std::string> names;
  for (int bit = 0; bit < kPropertyCount; ++bit) {
    const auto property = static_cast<Property>(1u << bit);
    if (properties & property) names.emplace_back(name_of(property));
  }
  return names;
}

// The cost relative to linear blending.
CatalogueField cost_of(const MethodInfo& method) {
  const double cost = relative_cost(method);
  if (cost > 0) return cost;
  return "not measured";
}

std::vector<CatalogueRow> parameters_of(const MethodInfo& method) {
  std::vector<CatalogueRow> rows;
  for (const MethodParameter& p : method.parameters) {
    rows.push_back({{"name", std::string(p.name)},
                    {"default", default_of(p)},
                    {"range", range_of(p)},
                    {"help", std::string(p.help)}});
  }
  return rows;
}

// One line per row, in aligned columns: "sign   max-weight   max-weight|first   whose signs …".
std::vector<std::string> lines_of(const std::vector<CatalogueRow>& rows) {
  std::vector<std::size_t> widths;
  for (const CatalogueRow& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], row[i].second.size());
    }
  }
  std::vector<std::string> lines;
  for (const CatalogueRow& row : rows) {
    std::string& line = lines.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i].second;
      if (i + 1 < row.size()) line += std::string(widths[i] - row[i].second.size() + 2, ' ');
    }
  }
  return lines;
}

std::vector<std::string> lines_of(const CatalogueField& field) {
  if (const auto* text = std::get_if<std::string>(&field)) {
    return text->empty() ? std::vector<std::string>{} : std::vector{*text};
  }
  if (const auto* rows = std::get_if<std::vector<CatalogueRow>>(&field)) return lines_of(*rows);
  if (const auto* number = std::get_if<double>(&field)) {
    char digits[32];
    return {std::string(digits, std::to_chars(digits, digits + sizeof digits, *number).ptr)};
  }
  std::string joined;
  for (const std::string& word : std::get<std::vector<std::string>>(field)) {
    joined += (joined.empty() ? "" : ", ") + word;
  }
  return joined.empty() ? std::vector<std::string>{} : std::vector{joined};
}

void write(const CatalogueField& field, JsonWriter& json) {
  if (const auto* text = std::get_if<std::string>(&field)) {
    json.value(*text);
  } else if (const auto* number = std::get_if<double>(&field)) {
    json.value(*number);
  } else if (const auto* words = std::get_if<std::vector<std::string>>(&field)) {
    json.begin_array();
    for (const std::string& word : *words) json.value(word);
    json.end_array();
  } else {
    json.begin_array();
    for (const CatalogueRow& row : std::get<std::vector<CatalogueRow>>(field)) {
      json.begin_object();
      for (const auto& [key, value] : row) json.key(key).value(value);
      json.end_object();
    }
    json.end_array();
  }
}

// ".exr, .png"
std::string extensions_of(const CacheFormat& format) {
  const std::string other(format.other_extension);
  return std::string(format.extension) + (other.empty() ? "" : ", " + other);
}

}  // namespace

Catalogue method_catalogue() {
  Catalogue catalogue{"methods", {}};
  for (const MethodInfo& method : methods()) {
    catalogue.entries.push_back({{"id", std::string(method.id)},
                                 {"title", std::string(method.title)},
                                 {"keeps", std::string(method.preserves)},
                                 {"contracts", names_of(method.keeps)},
                                 {"jumps_at", names_of(kContinuity & ~method.keeps)},
                                 {"parameters", parameters_of(method)},
                                 {"cost", cost_of(method)},
                                 {"measured_on", std::string(costs_measured_on())},
                                 {"source", std::string(method.source)}});
  }
  return catalogue;
}

Catalogue format_catalogue() {
  Catalogue catalogue{"formats", {}};
  for (const CacheFormat& format : cache_formats()) {
    catalogue.entries.push_back({{"id", std::string(format.id)},
                                 {"extension", extensions_of(format)},
                                 {"title", std::string(format.title)},
                                 {"access", format.read == nullptr ? "write" : "read, write"},
                                 {"size", std::string(format.size)},
                                 {"bound", std::string(format.bound)},
                                 {"options", options_text(format)},
                                 {"opened_by", std::string(format.opened_by)}});
  }
  return catalogue;
}

Catalogue metric_catalogue() {
  Catalogue catalogue{"metrics", {}};
  for (const MetricInfo& metric : metrics()) {
    catalogue.entries.push_back({{"id", std::string(metric.id)},
                                 {"unit", std::string(to_string(metric.unit))},
                                 {"measures", std::string(metric.description)}});
  }
  return catalogue;
}

Catalogue target_catalogue() {
  Catalogue catalogue{"targets", {}};
  const std::string note = "SKINBAKE_TARGET forces one; all give the same bits";
  for (const std::string& target : supported_targets()) {
    catalogue.entries.push_back({{"id", target}, {"note", note}});
  }
  return catalogue;
}

std::string to_text(const Catalogue& catalogue) {
  std::size_t width = 0;
  for (const auto& entry : catalogue.entries) {
    for (const auto& [key, value] : entry) width = std::max(width, key.size());
  }
  std::string text;
  for (const auto& entry : catalogue.entries) {
    text += (text.empty() ? "" : "\n") + std::get<std::string>(entry.front().second) + "\n";
    for (std::size_t i = 1; i < entry.size(); ++i) {
      std::string key = entry[i].first;
      for (const std::string& line : lines_of(entry[i].second)) {
        text += "  " + key + std::string(width - key.size() + 2, ' ') + line + "\n";
        key.clear();
      }
    }
  }
  return text;
}

std::string to_json(const Catalogue& catalogue) {
  JsonWriter json;
  json.begin_object();
  json.key("schema").value("skinbake.list").key("schema_version").value("1.0");
  json.key(catalogue.name).begin_array();
  for (const auto& entry : catalogue.entries) {
    json.begin_object();
    for (const auto& [key, value] : entry) {
      json.key(key);
      write(value, json);
    }
    json.end_object();
  }
  json.end_array().end_object();
  return json.take();
}

}  // namespace skinbake

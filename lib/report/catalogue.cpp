#include "report/catalogue.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "bake/kernels/targets.h"
#include "json/print.h"
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

OrderedJson parameters_of(const MethodInfo& method) {
  OrderedJson rows = OrderedJson::array();
  for (const MethodParameter& p : method.parameters) {
    rows.push_back(
        {{"name", p.name}, {"default", default_of(p)}, {"range", range_of(p)}, {"help", p.help}});
  }
  return rows;
}

// ".exr, .png"
std::string extensions_of(const CacheFormat& format) {
  const std::string other(format.other_extension);
  return std::string(format.extension) + (other.empty() ? "" : ", " + other);
}

OrderedJson method_entries() {
  OrderedJson entries = OrderedJson::array();
  for (const MethodInfo& method : methods()) {
    const double cost = relative_cost(method);
    entries.push_back({{"id", method.id},
                       {"title", method.title},
                       {"keeps", method.preserves},
                       {"contracts", names_of(method.keeps)},
                       {"jumps_at", names_of(kContinuity & ~method.keeps)},
                       {"parameters", parameters_of(method)},
                       {"cost", cost > 0 ? OrderedJson(cost) : OrderedJson("not measured")},
                       {"measured_on", costs_measured_on()},
                       {"source", method.source}});
  }
  return entries;
}

OrderedJson format_entries() {
  OrderedJson entries = OrderedJson::array();
  for (const CacheFormat& format : cache_formats()) {
    entries.push_back({{"id", format.id},
                       {"extension", extensions_of(format)},
                       {"title", format.title},
                       {"access", format.read == nullptr ? "write" : "read, write"},
                       {"size", format.size},
                       {"bound", format.bound},
                       {"options", options_text(format)},
                       {"opened_by", format.opened_by}});
  }
  return entries;
}

OrderedJson metric_entries() {
  OrderedJson entries = OrderedJson::array();
  for (const MetricInfo& metric : metrics()) {
    OrderedJson keys = OrderedJson::array();
    for (const MetricField& field : metric.fields) {
      keys.push_back({{"key", std::string(metric.id) + "." + std::string(field.key)},
                      {"unit", to_string(field.unit)}});
    }
    entries.push_back(
        {{"id", metric.id}, {"measures", metric.description}, {"keys", std::move(keys)}});
  }
  return entries;
}

OrderedJson target_entries() {
  OrderedJson entries = OrderedJson::array();
  for (const std::string& target : supported_targets()) {
    entries.push_back(
        {{"id", target}, {"note", "SKINBAKE_TARGET forces one; all give the same bits"}});
  }
  return entries;
}

OrderedJson entries_of(std::string_view topic) {
  if (topic == "methods") return method_entries();
  if (topic == "formats") return format_entries();
  return topic == "metrics" ? metric_entries() : target_entries();
}

std::string word_of(const OrderedJson& value) {
  if (value.is_string()) return value.get<std::string>();
  const std::string number = print(value);
  return number.substr(0, number.size() - 1);  // without the newline
}

// One line per row, in aligned columns: "sign   max-weight   max-weight|first   whose signs …".
std::vector<std::string> table_lines(const OrderedJson& rows) {
  std::vector<std::size_t> widths;
  for (const OrderedJson& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    std::size_t i = 0;
    for (const OrderedJson& cell : row) {
      widths[i] = std::max(widths[i], word_of(cell).size());
      ++i;
    }
  }
  std::vector<std::string> lines;
  for (const OrderedJson& row : rows) {
    std::string& line = lines.emplace_back();
    std::size_t i = 0;
    for (const OrderedJson& cell : row) {
      line += word_of(cell);
      if (i + 1 < row.size()) line += std::string(widths[i] - word_of(cell).size() + 2, ' ');
      ++i;
    }
    line.erase(line.find_last_not_of(' ') + 1);
  }
  return lines;
}

std::vector<std::string> lines_of(const OrderedJson& field) {
  if (field.is_array() && !field.empty() && field.front().is_object()) return table_lines(field);
  std::string line;
  if (field.is_array()) {
    for (const OrderedJson& word : field) line += (line.empty() ? "" : ", ") + word_of(word);
  } else {
    line = word_of(field);
  }
  return line.empty() ? std::vector<std::string>{} : std::vector{line};
}

}  // namespace

std::string catalogue_text(std::string_view topic) {
  const OrderedJson entries = entries_of(topic);
  std::size_t width = 0;
  for (const auto& [key, value] : entries.front().items()) width = std::max(width, key.size());
  std::string text;
  for (const OrderedJson& entry : entries) {
    text += (text.empty() ? "" : "\n") + word_of(entry.front()) + "\n";
    for (const auto& [name, value] : entry.items()) {
      if (name == "id") continue;
      std::string key = name;
      for (const std::string& line : lines_of(value)) {
        text += "  " + key + std::string(width - key.size() + 2, ' ') + line + "\n";
        key.clear();
      }
    }
  }
  return text;
}

std::string catalogue_json(std::string_view topic) {
  OrderedJson json{{"schema", "skinbake.list"}, {"schema_version", "1.0"}};
  json[std::string(topic)] = entries_of(topic);
  return print(json);
}

}  // namespace skinbake

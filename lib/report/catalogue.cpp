#include "skinbake/catalogue.h"

#include <algorithm>

#include "json/json_writer.h"
#include "skinbake/bake.h"
#include "skinbake/caches.h"
#include "skinbake/methods.h"
#include "skinbake/metrics.h"

namespace skinbake {

Catalogue method_catalogue() {
  Catalogue catalogue{"methods", {}};
  for (const MethodInfo& method : methods()) {
    catalogue.entries.push_back({{"id", std::string(method.id)},
                                 {"title", std::string(method.title)},
                                 {"keeps", std::string(method.preserves)},
                                 {"source", std::string(method.source)}});
  }
  return catalogue;
}

Catalogue format_catalogue() {
  Catalogue catalogue{"formats", {}};
  for (const CacheFormat& format : cache_formats()) {
    catalogue.entries.push_back({{"id", std::string(format.id)},
                                 {"extension", std::string(format.extension)},
                                 {"title", std::string(format.title)},
                                 {"size", std::string(format.size)},
                                 {"bound", std::string(format.bound)},
                                 {"opened_by", std::string(format.opened_by)}});
  }
  return catalogue;
}

Catalogue metric_catalogue() {
  Catalogue catalogue{"metrics", {}};
  for (const MetricInfo& metric : metrics()) {
    catalogue.entries.push_back({{"id", std::string(metric.id)},
                                 {"unit", std::string(metric.unit)},
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
    text += (text.empty() ? "" : "\n") + entry.front().second + "\n";
    for (std::size_t i = 1; i < entry.size(); ++i) {
      const auto& [key, value] = entry[i];
      text += "  " + key + std::string(width - key.size() + 2, ' ') + value + "\n";
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
    for (const auto& [key, value] : entry) json.key(key).value(value);
    json.end_object();
  }
  json.end_array().end_object();
  return json.take();
}

}  // namespace skinbake

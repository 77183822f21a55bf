#include "skinbake/metrics.h"

namespace skinbake {

std::vector<MetricInfo> metrics() {
  return {
      {"error", "m", "distance of every vertex from the reference's: rms, mean, max, percentiles"},
      {"volume", "m3", "enclosed volume and its loss, of solid components and joint regions"},
  };
}

}  // namespace skinbake

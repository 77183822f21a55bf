// Why pairs of a diff differ: the differences between the data of their rigs, in a sentence for
// each mesh, clip and file; and the number that orders the pairs.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.h"

namespace skinbake {

// The difference between the data of one mesh, of one clip, or of the nodes of one file.
struct Cause {
  std::string file, kind, name;  // as of RigDataDifference
  // "mesh 'Body': WEIGHTS_0 differs at 40 vertices around 'hand.l'; …", "clip 'Walk': 27 channels
  // differ; the first: 'hand.l' rotation differs from 0.4 s on"
  std::string text;

  // Whether it may move the vertices of a pair, by the ids that a report has.
  bool concerns(std::string_view mesh, std::string_view clip) const;
};

// One cause for each mesh, clip and file, in the order of the data.
std::vector<Cause> causes_of(std::span<const RigDataDifference> data);

// The number that orders the pairs, the largest first: "error.max" of the first limit that is
// exceeded, else of the first limit; "error.max_relative" without limits, because characters have
// different sizes.
std::string ranking_metric(std::span<const Check> checks);

}  // namespace skinbake

// What a vertex animation texture must know of all frames before it gets the first one: frame 0,
// and the box of all ways from there.

#pragma once

#include <string>

#include "caches/box.h"
#include "caches/range_survey.h"

namespace skinbake {

class VatSurvey final : public RangeSurvey {
 public:
  // `path`: for errors.
  VatSurvey(std::string path, std::int64_t vertices);

  // Throws Error (kUsage) if a way is longer than a float can say.
  void end() override;

  const Box& box() const { return box_; }  // of all ways, each rounded to float
  double extent(std::size_t axis) const { return double{box_.max[axis]} - double{box_.min[axis]}; }
  float largest() const;  // coordinate of frame 0 and of the box, as a magnitude

 private:
  std::string path_;
  Box box_;
};

}  // namespace skinbake

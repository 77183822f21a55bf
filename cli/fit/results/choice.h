// --helpers with a bound: helper joints and correctives reach it in other ways, of which the file
// gets the cheaper one.

#pragma once

#include "gltf/write/size/added_bytes.h"
#include "report/write/fit_report.h"
#include "skinbake/fit.h"

namespace skinbake::cli {

// The bytes that changes add to the file.
FitBytes bytes_of(const RigChanges& changes, AddedBytes& sizes);

struct ChosenFit {
  FitResult result;
  std::optional<FitChoice> choice;  // none: there was nothing to choose
};

// Fits the rig of the plan with its helpers, and, where correctives alone may reach the bound too,
// without them. Where both reach it, the result with fewer bytes is chosen; where one does, that
// one; else the one with the smaller error. Throws as fit_rig does.
ChosenFit choose_fit(const FitPlan& plan, AddedBytes& sizes);

}  // namespace skinbake::cli

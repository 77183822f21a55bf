#include "fit/results/choice.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace skinbake::cli {

namespace {

FitAlternative alternative_of(const FitResult& result, AddedBytes& sizes) {
  return {result.changes.helpers.size(), result.changes.morphs.targets.size(),
          sizes.of(result.changes), result.max_after_m(), result.is_met};
}

FitChoice choose(const FitAlternative& with, const FitAlternative& without) {
  FitChoice choice{with, without, true, FitChoice::Reason::kFewerBytes};
  if (with.is_met && without.is_met) {
    choice.has_helpers = with.added_bytes < without.added_bytes;
  } else if (with.is_met || without.is_met) {
    choice.reason = FitChoice::Reason::kOnlyWithinBound;
    choice.has_helpers = with.is_met;
  } else {
    choice.reason = FitChoice::Reason::kSmallerError;
    choice.has_helpers = with.max_m < without.max_m;
  }
  return choice;
}

}  // namespace

FitBytes bytes_of(const RigChanges& changes, AddedBytes& sizes) {
  const std::uint64_t all = sizes.of(changes);
  if (changes.influences.empty()) return {all, 0};
  if (changes.morphs.empty()) return {0, all};
  const RigChanges joints{
      changes.rig, {}, changes.helpers, changes.first_influence, changes.influences, changes.clips};
  const std::uint64_t of_joints = sizes.of(joints);
  return {all - std::min(all, of_joints), of_joints};
}

ChosenFit choose_fit(const FitPlan& plan, AddedBytes& sizes) {
  FitResult with = fit_rig(plan);
  const bool may_do_without = !plan.correctives && std::isfinite(plan.max_error_m);
  if (with.changes.helpers.empty() || !may_do_without) return {std::move(with), {}};
  FitPlan correctives_alone = plan;
  correctives_alone.helpers = 0;
  FitResult without = fit_rig(correctives_alone);
  const FitChoice choice = choose(alternative_of(with, sizes), alternative_of(without, sizes));
  return {choice.has_helpers ? std::move(with) : std::move(without), choice};
}

}  // namespace skinbake::cli

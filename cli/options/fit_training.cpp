#include "options/fit_training.h"

#include <algorithm>
#include <utility>

#include "base/nearest_word.h"
#include "terminal/format.h"

namespace skinbake::cli {

namespace {

constexpr std::string_view kAll = "all", kWholeBody = "rom", kPart = "rom:";

const Clip* clip_with(const std::string& id, const std::vector<Clip>& clips) {
  const auto found =
      std::find_if(clips.begin(), clips.end(), [&](const Clip& clip) { return clip.id == id; });
  return found == clips.end() ? nullptr : &*found;
}

[[noreturn]] void fail(const std::string& code, const FitInfluences& fit,
                       const std::string& problem) {
  throw Error(code, fmt::format("{}: {}", canonical(fit), problem));
}

// Precondition: there is a clip.
const Clip& longest_of(const TrainingClips& clips) {
  std::vector<const Clip*> all = clips.clips;
  all.insert(all.end(), clips.always.begin(), clips.always.end());
  return **std::max_element(all.begin(), all.end(), [](const Clip* a, const Clip* b) {
    return a->duration_s < b->duration_s;
  });
}

}  // namespace

FitTraining::FitTraining(std::vector<Clip> own, const Asset& asset, int threads)
    : own_(std::move(own)), asset_(asset), threads_(threads) {}

FittedInfluences FitTraining::fit(const Rig& rig, const FitInfluences& fit) {
  InfluenceFitOptions options;
  options.threads = threads_;
  const TrainingClips clips = clips_of(fit);
  for (const Clip* clip : clips.clips) require_read(*clip);
  try {
    return fit_influences(rig, fit.count, clips, options);
  } catch (const Error& error) {
    if (error.code() != "TOO_MANY_FRAMES") throw;
    const Clip& longest = longest_of(clips);
    fail("MODIFIER_INVALID", fit,
         fmt::format("{}: clip '{}' lasts {} s, which is too long to learn from; name shorter "
                     "clips, --influences {}:fit=CLIP,…",
                     asset_.path, longest.id, longest.duration_s, fit.count));
  }
}

TrainingClips FitTraining::clips_of(const FitInfluences& fit) {
  if (fit.training == std::vector<std::string>{std::string(kAll)}) return all_clips(fit);
  TrainingClips clips;
  for (const std::string& id : fit.training) {
    const Clip* const clip = own_or_selected(id);
    const bool is_made = clip == nullptr && (id == kWholeBody || id.starts_with(kPart));
    if (is_made) {
      clips.always.push_back(range_of_motion_of(id));
    } else if (clip != nullptr) {
      clips.clips.push_back(clip);
    } else {
      std::string known;
      std::vector<std::string> ids;
      for (const Clip& one : own_) {
        known += "'" + one.id + "', ";
        ids.push_back(one.id);
      }
      fail("MODIFIER_INVALID", fit,
           fmt::format("there is no clip '{}'; clips: {}rom for a humanoid", id, known) +
               did_you_mean(id, ids));
    }
  }
  return clips;
}

// The clips of the rig's file and, for a humanoid, its range of motion.
TrainingClips FitTraining::all_clips(const FitInfluences& fit) {
  TrainingClips clips;
  for (const Clip& clip : own_) clips.clips.push_back(&clip);
  if (const Clip* const range = whole_range_of_motion()) clips.always.push_back(range);
  if (clips.clips.empty() && clips.always.empty()) {
    fail("FIT_WITHOUT_CLIPS", fit,
         fmt::format("{} does not have a clip and is not a humanoid", asset_.path));
  }
  return clips;
}

const Clip* FitTraining::own_or_selected(const std::string& id) const {
  const Clip* const own = clip_with(id, own_);
  return own != nullptr ? own : clip_with(id, asset_.clips);
}

const Clip* FitTraining::whole_range_of_motion() {
  try {
    return range_of_motion_of(std::string(kWholeBody));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInput) throw;  // kInput: the rig is not a humanoid
    return nullptr;
  }
}

const Clip* FitTraining::range_of_motion_of(const std::string& id) {
  for (const Clip& clip : made_) {
    if (clip.id == id) return &clip;
  }
  const std::string part = id == kWholeBody ? "" : id.substr(kPart.size());
  return &made_.emplace_back(range_of_motion(asset_, part, {}));
}

}  // namespace skinbake::cli

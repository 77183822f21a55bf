// evaluate_times FILE.glb FPS FRAMES TIMES [normals] [looks]: what a bake to a cache does without
// the cache.
//
// Loads the file and evaluates its first clip, linear blending on two threads, for a sink that
// takes nothing: not at all, once, or twice, as for a sink that has a survey. The difference to a
// bake is what its writer takes. `looks`: loads those too, as formats that keep them want. Prints
// the seconds of all that.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "skinbake/bake.h"
#include "skinbake/gltf.h"
#include "skinbake/normals.h"

namespace {

class NoState final : public skinbake::BlockState {};

class Nothing : public skinbake::FrameSink {
 public:
  explicit Nothing(skinbake::FrameSink* survey = nullptr) : survey_(survey) {}
  skinbake::FrameSink* survey() override { return survey_; }
  std::unique_ptr<skinbake::BlockState> new_state() const override {
    return std::make_unique<NoState>();
  }
  void consume(const skinbake::FrameBlock&, skinbake::BlockState&) override {}
  void finish(const skinbake::FrameBlock&, skinbake::BlockState&) override {}
  void merge(const skinbake::FrameBlock&, skinbake::BlockState&) override {}

 private:
  skinbake::FrameSink* survey_;
};

// Has skinned normals made too.
class NoNormals final : public Nothing, public skinbake::NormalReader {
 public:
  using Nothing::Nothing;
  void read_normals(const skinbake::FrameBlock&, const float*, skinbake::BlockState&) override {}
};

}  // namespace

int main(int argc, char** argv) {
  bool wants_normals = false, wants_looks = false, is_known = argc >= 5;
  for (int i = 5; i < argc; ++i) {
    const std::string_view word = argv[i];
    wants_normals |= word == "normals";
    wants_looks |= word == "looks";
    is_known &= word == "normals" || word == "looks";
  }
  if (!is_known) {
    std::fputs("usage: evaluate_times FILE.glb FPS FRAMES 0|1|2 [normals] [looks]\n", stderr);
    return 2;
  }
  skinbake::LoadOptions load;
  load.extras = wants_looks;
  const auto start = std::chrono::steady_clock::now();
  const skinbake::Asset asset = skinbake::load_asset(argv[1], load);
  const int times = std::atoi(argv[4]);
  Nothing survey;
  Nothing nothing(times == 2 ? &survey : nullptr);
  NoNormals no_normals(times == 2 ? &survey : nullptr);
  skinbake::BakePlan plan;
  plan.rig = &asset.rigs.front();
  plan.clip = &asset.clips.front();
  plan.frames.fps = std::atof(argv[2]);
  plan.frames.frame_count = std::atoll(argv[3]);
  plan.threads = 2;
  plan.runs = {{skinbake::parse_method("lbs"), {&nothing}}};
  if (wants_normals) plan.runs.front().sinks = {&no_normals};
  if (times > 0) skinbake::bake(plan);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  std::printf("%.6f\n", elapsed.count());
}

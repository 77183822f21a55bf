// evaluate_times FILE.glb FPS FRAMES TIMES [normals] [materials]: a bake without its cache.
//
// Loads the file and evaluates its first clip by linear blending on two threads, for a sink that
// ignores the frames: TIMES is 0, 1, or 2 as for a sink with a prepass. The difference to a bake is
// the time of its writer. `materials`: loads materials too, as formats that store them do. Prints
// the seconds of the whole.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "skinbake/bake.h"
#include "skinbake/frames.h"
#include "skinbake/gltf.h"

namespace {

class NoState final : public skinbake::BlockState {};

class Nothing : public skinbake::FrameSink {
 public:
  explicit Nothing(skinbake::FrameSink* prepass = nullptr) : prepass_(prepass) {}
  skinbake::FrameSink* prepass() override { return prepass_; }
  std::unique_ptr<skinbake::BlockState> new_state() const override {
    return std::make_unique<NoState>();
  }
  void consume(const skinbake::FrameBlock&, skinbake::BlockState&) override {}
  void finish(const skinbake::FrameBlock&, skinbake::BlockState&) override {}
  void merge(const skinbake::FrameBlock&, skinbake::BlockState&) override {}

 private:
  skinbake::FrameSink* prepass_;
};

// Reads skinned normals, and ignores them.
class NoNormals final : public Nothing, public skinbake::NormalReader {
 public:
  using Nothing::Nothing;
  void read_normals(const skinbake::FrameBlock&, const float*, skinbake::BlockState&) override {}
};

}  // namespace

int main(int argc, char** argv) {
  bool wants_normals = false, wants_materials = false, is_known = argc >= 5;
  for (int i = 5; i < argc; ++i) {
    const std::string_view word = argv[i];
    wants_normals |= word == "normals";
    wants_materials |= word == "materials";
    is_known &= word == "normals" || word == "materials";
  }
  if (!is_known) {
    std::fputs("usage: evaluate_times FILE.glb FPS FRAMES 0|1|2 [normals] [materials]\n", stderr);
    return 2;
  }
  skinbake::LoadOptions load;
  load.materials = wants_materials;
  const auto start = std::chrono::steady_clock::now();
  const skinbake::Asset asset = skinbake::load_asset(argv[1], load);
  const int times = std::atoi(argv[4]);
  Nothing prepass;
  Nothing nothing(times == 2 ? &prepass : nullptr);
  NoNormals no_normals(times == 2 ? &prepass : nullptr);
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

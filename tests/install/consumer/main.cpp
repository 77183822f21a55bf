// What README.md shows: bakes a rig's first mesh and clip, and measures it.

#include <skinbake/skinbake.h>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const skinbake::Asset asset = skinbake::load_asset(argv[1]);
  skinbake::BakePlan plan;
  plan.rig = &asset.rigs.front();
  plan.clip = &asset.clips.front();
  plan.frames.frame_count = skinbake::last_frame(plan.clip->duration_s, plan.frames.fps) + 1;
  plan.reference = {skinbake::Reference::Kind::kMethod, skinbake::parse_method("lbs")};
  const auto error = skinbake::measure_position_error(*plan.rig, plan.frames, 1);
  plan.runs = {{skinbake::parse_method("dqs"), {error.get()}}};
  skinbake::bake(plan);
  std::printf("%.4f m\n", error->result().max);
}

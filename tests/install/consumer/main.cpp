// The example of lib/README.md: bakes a file's first mesh and clip, and measures it.

#include <skinbake/bake.h>
#include <skinbake/compare.h>
#include <skinbake/gltf.h>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const skinbake::Asset asset = skinbake::load_asset(argv[1]);
  const skinbake::Rig& rig = asset.rigs.front();
  const skinbake::Clip& clip = asset.clips.front();
  const skinbake::Method dqs = skinbake::parse_method("dqs"), lbs = skinbake::parse_method("lbs");
  const skinbake::FrameRange frames = skinbake::frames_of(clip, 30);

  const skinbake::BakedArray baked = skinbake::bake_to_array({rig, &clip, dqs, frames});
  std::printf("%lld frames of %lld vertices\n", static_cast<long long>(baked.frame_count),
              static_cast<long long>(baked.vertex_count));

  const skinbake::Reference reference{skinbake::Reference::Kind::kMethod, lbs};
  const auto measured = skinbake::measure({rig, &clip, dqs, frames}, reference, {"error"});
  std::printf("at most %.4f m from linear blending\n", measured.error->max);
}

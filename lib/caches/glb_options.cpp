#include "caches/glb_options.h"

#include "skinbake/error.h"

namespace skinbake {

namespace {

constexpr int kFewestBits = 8, kMostBits = 16;

// 0: it is none of them.
int bits_of(const std::string& value) {
  for (int bits = kFewestBits; bits <= kMostBits; ++bits) {
    if (value == std::to_string(bits)) return bits;
  }
  return 0;
}

[[noreturn]] void fail(const std::string& what) {
  throw Error(ErrorKind::kUsage, "FORMAT_OPTION_UNKNOWN", "--format glb: " + what);
}

}  // namespace

GlbOptions parse_glb_options(const std::map<std::string, std::string>& options) {
  GlbOptions parsed;
  bool quantise = false, refuses_normals = false;
  int bits = 0;
  for (const auto& [name, value] : options) {
    const bool is_switch = value == "0" || value == "1";
    if (name == "interpolation" && (value == "linear" || value == "step")) {
      parsed.step = value == "step";
    } else if (name == "quantize" && is_switch) {
      quantise = value == "1";
    } else if (name == "meshopt" && is_switch) {
      parsed.meshopt = value == "1";
    } else if (name == "normals" && is_switch) {
      parsed.normals = value == "1";
      refuses_normals = !parsed.normals;
    } else if (name == "tangents" && is_switch) {
      parsed.tangents = value == "1";
    } else if (name == "bits" && bits_of(value) != 0) {
      bits = bits_of(value);
    } else {
      fail("no '" + name + "=" + value + "'; there is " + std::string(kGlbOptions));
    }
  }
  if (!quantise && bits != 0) fail("bits=" + std::to_string(bits) + " needs quantize=1");
  if (!quantise && parsed.meshopt) fail("meshopt=1 needs quantize=1");
  if (parsed.tangents && refuses_normals) fail("tangents=1 needs normals=1");
  parsed.normals |= parsed.tangents;
  if (quantise) parsed.bits = bits != 0 ? bits : kMostBits;
  return parsed;
}

}  // namespace skinbake

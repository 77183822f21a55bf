// A rig of six vertices and two joints, which a clip of four frames bends.

#pragma once

#include <string_view>

namespace skinbake::fuzz {

inline constexpr std::string_view kSmallRig =
    R"({
  "asset": {"version": "2.0"},
  "nodes": [{"name": "body", "mesh": 0, "skin": 0}, {"name": "arm", "children": [2]},
            {"name": "elbow", "translation": [1, 0, 0]}],
  "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "JOINTS_0": 2, "WEIGHTS_0": 3},
                              "indices": 1}]}],
  "skins": [{"joints": [1, 2]}],
  "animations": [{"name": "bend", "samplers": [{"input": 4, "output": 5}],
                  "channels": [{"sampler": 0, "target": {"node": 2, "path": "rotation"}}]}],
  "accessors": [{"bufferView": 0, "componentType": 5126, "count": 6, "type": "VEC3",
                 "min": [0, 0, 0], "max": [2, 1, 1]},
                {"bufferView": 1, "componentType": 5123, "count": 15, "type": "SCALAR"},
                {"bufferView": 2, "componentType": 5121, "count": 6, "type": "VEC4"},
                {"bufferView": 3, "componentType": 5126, "count": 6, "type": "VEC4"},
                {"bufferView": 4, "componentType": 5126, "count": 2, "type": "SCALAR",
                 "min": [0], "max": [0.1]},
                {"bufferView": 5, "componentType": 5126, "count": 2, "type": "VEC4"}],
  "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 72},
                  {"buffer": 0, "byteOffset": 72, "byteLength": 30},
                  {"buffer": 0, "byteOffset": 104, "byteLength": 24},
                  {"buffer": 0, "byteOffset": 128, "byteLength": 96},
                  {"buffer": 0, "byteOffset": 224, "byteLength": 8},
                  {"buffer": 0, "byteOffset": 232, "byteLength": 32}],
  "buffers": [{"byteLength": 264, "uri": "data:application/octet-stream;base64,)"
    "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAQAAAAAAAAAAAAAAAQAAA"
    "gD8AAAAAAAACAAEAAAABAAMAAQACAAMAAAADAAIAAQAEAAUAAAAAAAAAAAEAAAAAAAAAAQAAAQAAAAEAAAAAAIA/"
    "AAAAAAAAAAAAAAAAAAAAPwAAAD8AAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA+AABAPwAAAAAAAAAAAACAPwAA"
    "AAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAAAAzczMPQAAAAAAAAAAAAAAAAAAgD8AAAAAmpkZPwAAAADNzEw/"
    R"("}]})";

}  // namespace skinbake::fuzz

// The table of error codes: what ends a run. A code never changes its meaning; the kind is the exit
// code of the command line. ISSUES.md is made from this table and that of issue.h by
// scripts/make_issues.py, which also finds codes that are used but not listed.

#pragma once

#include <span>
#include <string_view>

#include "skinbake/error.h"

namespace skinbake {

// clang-format off
// X(code, kind, meaning, remedy)
#define SKINBAKE_ERRORS(X) \
  X(ACCESSOR_COUNT, kInput, \
    "an accessor has another number of elements than what uses it needs", \
    "export the file again") \
  X(ACCESSOR_FORMAT, kInput, \
    "an accessor's type, component type or count does not fit its use", \
    "export the file again") \
  X(ACCESSOR_OUT_OF_RANGE, kInput, \
    "an accessor's elements end past its bufferView", \
    "export or copy the file again") \
  X(BUFFER_MISSING, kInput, \
    "a buffer's file is not there, or there is no binary chunk for it", \
    "put the file where the URI says, or export as .glb") \
  X(BUFFER_TOO_SHORT, kInput, \
    "a buffer has fewer bytes than it declares", \
    "export or copy the file again: it was cut off") \
  X(BUFFER_VIEW_OUT_OF_RANGE, kInput, \
    "a bufferView ends past its buffer", \
    "export or copy the file again") \
  X(CACHE_INVALID, kInput, \
    "a cache's header, or its size, is not what its format says", \
    "copy or export the cache again; its extension must be that of its format") \
  X(CACHE_TIMES_COLLIDE, kUsage, \
    "two frames have the same time as a float, which the format stores", \
    "take a smaller --fps, fewer frames, or another format") \
  X(CACHE_TIMES_UNKNOWN, kUsage, \
    "the format stores times, and a cache without a sidecar has none", \
    "give --fps") \
  X(CACHE_TOO_LARGE, kUsage, \
    "a cache would be larger than its format can say", \
    "bake fewer frames, or split the mesh") \
  X(CACHE_UNSUITABLE, kUsage, \
    "a cache format cannot say what it is asked to", \
    "take another format, or leave the option out") \
  X(CACHE_UNSUPPORTED, kInput, \
    "there is no reader for a cache with this extension", \
    "take a cache of a format that `skinbake list formats` says can be read") \
  X(CLIP_AMBIGUOUS, kUsage, \
    "there are several clips and none was chosen", \
    "choose with --clip") \
  X(CLIP_UNKNOWN, kUsage, \
    "there is no such clip, or the file has none", \
    "take one of those that the message lists, or a file with an animation") \
  X(DEPFILE_NAME, kOutput, \
    "a file's name cannot stand in a rule of Make: it has one of = ; | %, or a control character", \
    "rename the file, or leave out --depfile") \
  X(DRACO_INVALID, kInput, \
    "a Draco stream is broken, or has not the attributes that the file names", \
    "export the file again") \
  X(EXTENSION_UNSUPPORTED, kInput, \
    "the file requires an extension that changes geometry and is not supported", \
    "export without it") \
  X(FILE_UNREADABLE, kInput, \
    "an input is missing, no regular file, or may not be read", \
    "check the path and its permissions") \
  X(FORMAT_OPTION_UNKNOWN, kUsage, \
    "--format gives a format an option or a value that it has not", \
    "take one of those that the message lists") \
  X(FORMAT_UNKNOWN, kUsage, \
    "no cache format has this extension", \
    "take one that `skinbake list formats` shows") \
  X(FPS_INSUFFICIENT, kUsage, \
    "no usual rate, up to 240 fps, stays within the limit of --fps auto", \
    "allow more, or give a rate") \
  X(FPS_INVALID, kUsage, \
    "--fps is not a positive number", \
    "give a positive number") \
  X(FRAMES_INVALID, kUsage, \
    "--frames is not of the form A:B[:STEP]", \
    "write A:B or A:B:STEP with A <= B and STEP >= 1") \
  X(FRAMES_OUTSIDE, kUsage, \
    "--frames names frames that the clip does not have", \
    "take frames within the range that the message shows") \
  X(GLB_INVALID, kInput, \
    "the container of a .glb is broken: header, lengths or chunks", \
    "export or copy the file again") \
  X(GLTF_INVALID, kInput, \
    "tinygltf refuses what passed all checks before it", \
    "report the file, please") \
  X(INDEX_OUT_OF_RANGE, kInput, \
    "an index names a vertex or an element that does not exist", \
    "export the mesh again") \
  X(INSTANCING_UNSUPPORTED, kInput, \
    "EXT_mesh_gpu_instancing multiplies meshes, which is not supported", \
    "export without instancing") \
  X(JOINT_CHAINS_TOO_LONG, kInput, \
    "vertices hang on chains of too many joints for the method", \
    "take another method, or remove joints") \
  X(JOINT_OUT_OF_RANGE, kInput, \
    "a vertex gives weight to a joint that its skin does not have", \
    "export the mesh with its skin again") \
  X(JOINT_PARAMETERS_INVALID, kInput, \
    "the --joint-params file is not as it must be", \
    "write {\"elbow\": {\"r0\": 0.05, \"r1\": 0.04, \"s\": 0.5}, ...}") \
  X(JOINT_UNKNOWN, kInput, \
    "--joint-params names a joint that no mesh has below another one", \
    "take one of those that the message lists") \
  X(JSON_INVALID, kInput, \
    "the text is not JSON", \
    "check that this is a glTF 2.0 file; export or copy it again") \
  X(JSON_TOO_DEEP, kInput, \
    "the JSON nests deeper than any glTF", \
    "remove the nested extras") \
  X(MAP_INVALID, kInput, \
    "the --map file is not a JSON object of names", \
    "write {\"name in the rig\": \"name in the clip's file\", ...}") \
  X(MAP_WITHOUT_CLIP_FILE, kUsage, \
    "--map was given, but --clip names no file", \
    "name the clip's file with --clip FILE[#ID]") \
  X(MATRIX_NOT_AFFINE, kInput, \
    "a matrix that is used is not finite, or its last row is not 0 0 0 1", \
    "export the file again") \
  X(MEMORY_LIMIT, kInput, \
    "the file declares, or a clip needs for its rig, more than --max-memory allows to allocate", \
    "give as much --max-memory as the message names, or more, or split the file") \
  X(MESHOPT_INVALID, kInput, \
    "a meshopt stream is broken, or of a version that the library does not know", \
    "export the file again with gltfpack -c") \
  X(MESH_AMBIGUOUS, kUsage, \
    "several mesh nodes could be meant, and one is", \
    "choose one with --mesh, by its number where names are equal") \
  X(MESH_TOO_LARGE, kInput, \
    "a mesh has more triangles than method dm can count", \
    "use another method, or split the mesh") \
  X(MESH_UNKNOWN, kUsage, \
    "there is no such mesh node", \
    "take one of those that the message lists") \
  X(METHOD_PARAMETER_INVALID, kUsage, \
    "a method's parameter is out of its range, given twice, or contradicts another", \
    "take a value that `skinbake list methods` shows") \
  X(METHOD_PARAMETER_UNKNOWN, kUsage, \
    "the method has no such parameter", \
    "take one that `skinbake list methods` shows") \
  X(METHOD_TWICE, kUsage, \
    "a method is named twice in one list", \
    "name it once, or give it other parameters") \
  X(METHOD_UNKNOWN, kUsage, \
    "there is no such method", \
    "take one that `skinbake list methods` shows") \
  X(MODIFIER_INVALID, kUsage, \
    "a rig modifier has a value that it cannot have", \
    "take one that the message lists") \
  X(MODIFIER_UNKNOWN, kUsage, \
    "there is no such rig modifier", \
    "take one that the message lists") \
  X(MORPH_TARGETS_DIFFER, kInput, \
    "primitives of one mesh have different numbers of morph targets", \
    "export the mesh again") \
  X(NODE_CYCLE, kInput, \
    "a node is its own ancestor", \
    "export the file again") \
  X(NODE_PARENTS, kInput, \
    "a node has more than one parent", \
    "export the file again") \
  X(NON_FINITE_POSITION, kInput, \
    "a baked position is infinite or not a number", \
    "look for huge or zero scales at the vertex and frame that the message names") \
  X(NOTHING_TO_BAKE, kInput, \
    "there is no mesh in the scene", \
    "choose another scene, export the mesh with the scene, or give the clips to a rig with --clip") \
  X(NOTHING_TO_DO, kUsage, \
    "neither a cache nor a report was asked for", \
    "give -o, --report or both") \
  X(NOT_COMPARABLE, kNotComparable, \
    "what is to be compared has not the same numbers of vertices and frames, or is not of one kind", \
    "compare caches of the same mesh and frames") \
  X(OUTPUT_AMBIGUOUS, kUsage, \
    "one output for several meshes or clips", \
    "put {mesh} or {clip} into the path") \
  X(OUTPUT_IS_INPUT, kUsage, \
    "an output would replace a file that is read", \
    "choose another name") \
  X(OUTPUT_NOT_WRITTEN, kOutput, \
    "an output could not be written", \
    "do what the message says: a folder, its permissions, free space") \
  X(OUTPUT_TWICE, kUsage, \
    "two outputs have one path", \
    "name them differently") \
  X(OUT_OF_MEMORY, kInput, \
    "the system has no more memory, though the file keeps within --max-memory", \
    "free some memory, or split the file") \
  X(PER_VERTEX_INVALID, kInput, \
    "a report's errors per vertex, in a file beside it, are not those that were written with it", \
    "copy the report and its .npy files again, or write them again") \
  X(PLACEHOLDER_UNKNOWN, kUsage, \
    "an output path has an unknown {placeholder}", \
    "take one that the message lists") \
  X(REFERENCE_AMBIGUOUS, kUsage, \
    "one cache as the reference of several meshes or clips", \
    "put {mesh} or {clip} into its path, or choose one with --mesh or --clip") \
  X(REFERENCE_INVALID, kInput, \
    "the file refers to an element that does not exist", \
    "export the file again") \
  X(REFERENCE_MISSING, kUsage, \
    "an error was to be measured without a reference", \
    "plan the bake with a reference") \
  X(REPORTS_HAVE_A_TOLERANCE, kUsage, \
    "two reports were to be compared with options that are for caches", \
    "give --tolerance") \
  X(REPORT_FORMAT_UNKNOWN, kUsage, \
    "a report cannot be shown in a format of this extension", \
    "name the output .html, .md or .xml, or give --format") \
  X(REPORT_INVALID, kInput, \
    "a file is not a JSON report, or not of a version that can be read", \
    "give a report as `skinbake bake --report` writes it") \
  X(RIG_DIFFERS, kNotComparable, \
    "a file of report --rig is not the one that the report was made of", \
    "give the files that the report is of, or make the report anew") \
  X(RIG_INVALID, kInput, \
    "a rig breaks a rule that the library relies on", \
    "see rig.h for the rules") \
  X(SCENE_UNKNOWN, kUsage, \
    "--scene names a scene that the file does not have", \
    "take one of those that the message lists") \
  X(SCHEMA_VIOLATION, kInput, \
    "a member of the JSON is missing, or not what glTF 2.0 says", \
    "export the file again") \
  X(SKIN_EMPTY, kInput, \
    "a skin has no joints", \
    "export the skin again, or take it off the node") \
  X(SURFACE_TANGLED, kInput, \
    "a mesh whose triangles join points from all over it; method ddm cannot factorise it", \
    "use another method") \
  X(TARGET_UNKNOWN, kUsage, \
    "SKINBAKE_TARGET names an instruction set that is not there", \
    "take one that `skinbake list targets` shows") \
  X(TIMES_INVALID, kInput, \
    "key times are negative, descend, or are centuries away", \
    "export the clip again") \
  X(TOO_MANY_FRAMES, kUsage, \
    "the clip has more frames than --max-frames allows", \
    "choose a smaller --fps, some --frames, or a larger --max-frames") \
  X(TWIST_IMPOSSIBLE, kUsage, \
    "a joint's bone cannot be split", \
    "see the cause in the message, or choose another joint") \
  X(TWIST_JOINT_AMBIGUOUS, kUsage, \
    "several joints have the name that --twist gives", \
    "write the number that the message names") \
  X(TWIST_JOINT_UNKNOWN, kUsage, \
    "no mesh has the joint that --twist names, or no limb is known by its name", \
    "take one of those that the message lists") \
  X(TWIST_TOO_LONG, kInput, \
    "a clip is too long to follow twists through it", \
    "leave out --twist, or cut the clip") \
  X(URI_INVALID, kInput, \
    "a data URI is broken", \
    "export the file again") \
  X(URI_REFUSED, kInput, \
    "a buffer's URI leads out of the file's folder, or is no path of a file", \
    "put the buffer beside the glTF, or give --allow-outside for a file that you trust") \
  X(VALUE_NOT_FINITE, kInput, \
    "vertices, weights or keys have a NaN or an infinity", \
    "export the mesh or clip again") \
  X(VERIFICATION_FAILED, kOutput, \
    "what was written is not what was computed, within the format's bound", \
    "write it elsewhere; if it happens again, report it") \
  X(VERSION_UNSUPPORTED, kInput, \
    "the file is not glTF 2.0", \
    "convert the file to glTF 2.0") \
  X(VIEWER_MISSING, kUsage, \
    "--view or --rig asks for the mesh in space, and this build has no 3D viewer", \
    "install npm, run scripts/setup and build again, or leave the option out") \
  X(VIEW_TOO_LARGE, kUsage, \
    "a single frame of all meshes and methods is more than a page may hold", \
    "take fewer methods or meshes at a time") \
  X(VIEW_WITHOUT_RIG, kUsage, \
    "report --rig is given a report of no rig, or not the file of its clips", \
    "give a report of bake or compare, and --clip as the bake had it")
// clang-format on

struct ErrorInfo {
  std::string_view code;
  ErrorKind kind;
  std::string_view meaning;
  std::string_view remedy;
};

// The table, in alphabetical order.
std::span<const ErrorInfo> error_table();

}  // namespace skinbake

// The table of error codes: reasons that end a run. A code never changes its meaning.
// scripts/make_issues.py makes ISSUES.md from this table and the table of issue.h; it also reports
// codes that are used but not listed. Texts follow the rules of issue.h.

#pragma once

#include <span>
#include <string_view>

#include "skinbake/error.h"

namespace skinbake {

// clang-format off
// X(code, kind, meaning, remedy)
#define SKINBAKE_ERRORS(X) \
  X(ACCESSOR_COUNT, kInput, \
    "an accessor's element count differs from the count that its use requires", \
    "export the file again") \
  X(ACCESSOR_FORMAT, kInput, \
    "an accessor's type, component type or count does not fit its use", \
    "export the file again") \
  X(ACCESSOR_OUT_OF_RANGE, kInput, \
    "an accessor's elements end past its bufferView", \
    "export or copy the file again") \
  X(AXES_INVALID, kUsage, \
    "the axes of a cache do not have a positive, finite scale", \
    "give a scale above 0") \
  X(BIND_CACHE_UNTRUSTED, kInput, \
    "other users can write to the folder of the bind cache", \
    "choose a folder that only you can write to, or remove the rights of others") \
  X(BUFFER_MISSING, kInput, \
    "a buffer's file does not exist, or the file does not have a binary chunk for it", \
    "put the buffer's file where the URI points, or export as .glb") \
  X(BUFFER_TOO_SHORT, kInput, \
    "a buffer has fewer bytes than it declares", \
    "export or copy the file again: it is truncated") \
  X(BUFFER_VIEW_OUT_OF_RANGE, kInput, \
    "a bufferView ends past its buffer", \
    "export or copy the file again") \
  X(CACHE_INVALID, kInput, \
    "a cache's header or size contradicts its format", \
    "copy or export the cache again; its extension must be that of its format") \
  X(CACHE_TIMES_COLLIDE, kUsage, \
    "two frames have the same time in the precision that the format stores", \
    "lower the frame rate, bake fewer frames, or choose another format") \
  X(CACHE_TIMES_UNKNOWN, kUsage, \
    "the format stores times, but a cache without a sidecar does not have any", \
    "give the frame rate") \
  X(CACHE_TOO_LARGE, kUsage, \
    "a cache would exceed the largest size that its format can store", \
    "bake fewer frames, or split the mesh") \
  X(CACHE_UNSUITABLE, kUsage, \
    "a cache format cannot store the requested content", \
    "choose another format, or drop the setting that the message names") \
  X(CACHE_UNSUPPORTED, kInput, \
    "caches with this extension cannot be read", \
    "use a cache of a format that can be read") \
  X(CLIP_AMBIGUOUS, kUsage, \
    "the file has several clips, and none was chosen, or by a word with two meanings", \
    "choose a clip") \
  X(CLIP_INVALID, kInput, \
    "a clip does not meet a condition of `validate`, or moves nodes of another file", \
    "take a clip of the rig's file, or correct the clip: validate.h lists the conditions") \
  X(CLIP_MOVES_NOTHING, kInput, \
    "none of the channels of a clip of another file moves a mesh of the rig, or a range of motion moves no bone of it", \
    "pair the names of the nodes in a map of names, export the clip for this rig, or choose a part that the rig has") \
  X(CLIP_TWICE, kUsage, \
    "two selected clips of different files have the same name", \
    "choose one of them, or rename it") \
  X(CLIP_UNKNOWN, kUsage, \
    "the file does not have the requested clip, or does not have clips", \
    "choose one of the clips that the message lists, or a file with an animation") \
  X(DEPFILE_NAME, kOutput, \
    "a file name contains a character that a Make rule cannot express: an equals sign, semicolon, bar, percent sign or control character", \
    "rename the file, or run without a dependency file") \
  X(DRACO_INVALID, kInput, \
    "a Draco stream is damaged, or does not have the attributes that the file names", \
    "export the file again") \
  X(EXTENSION_UNSUPPORTED, kInput, \
    "the file requires an extension that changes geometry and is not supported", \
    "export without it") \
  X(FILE_UNREADABLE, kInput, \
    "an input does not exist, is not a regular file, or may not be read", \
    "check the path and its permissions") \
  X(FIT_COUNT_INVALID, kUsage, \
    "a fit of influences is asked for a number of influences that it cannot search", \
    "keep from 1 to 12 influences") \
  X(FIT_WITHOUT_CLIPS, kUsage, \
    "a fit of influences does not have a clip to learn from", \
    "name clips of the run, or add an animation to the rig's file") \
  X(FORMAT_OPTION_UNKNOWN, kUsage, \
    "a cache format does not have the given option or value", \
    "use one of the options that the message lists") \
  X(FORMAT_UNKNOWN, kUsage, \
    "no cache format has this extension", \
    "choose one of the supported formats") \
  X(FPS_INSUFFICIENT, kUsage, \
    "no common frame rate up to 240 fps keeps the error between frames within the limit", \
    "raise the limit, or give a rate") \
  X(FPS_INVALID, kUsage, \
    "the frame rate is not a number from 1e-15 to 1e15", \
    "give a rate from 1e-15 to 1e15 frames per second") \
  X(FRAMES_INVALID, kUsage, \
    "a frame range does not have the form A:B[:STEP]", \
    "write A:B or A:B:STEP with A <= B and STEP >= 1") \
  X(FRAMES_OUTSIDE, kUsage, \
    "the frame range contains frames that the clip does not have", \
    "choose frames within the range that the message shows") \
  X(GLB_INVALID, kInput, \
    "the container of a .glb file is damaged: header, lengths or chunks", \
    "export or copy the file again") \
  X(GLB_TOO_LARGE, kInput, \
    "a rig with its clips would exceed 4 GiB, the greatest size of a GLB", \
    "lower the frame rate, write fewer clips, or reduce the images of the rig") \
  X(GLTF_INVALID, kInput, \
    "tinygltf refuses a file that passed all earlier checks", \
    "please report the file") \
  X(GOLDEN_INVALID, kInput, \
    "a golden does not have the form of one, or its members contradict one another", \
    "make the golden again from its cache") \
  X(HALF_OVERFLOW, kUsage, \
    "a scaled position is too large for half precision, which ends at 65504", \
    "use single precision or a smaller scale") \
  X(HELPERS_IMPOSSIBLE, kInput, \
    "the joints of the vertices of a helper joint are sheared or change their scale", \
    "fit with correctives alone, or remove the shear and the animated scale") \
  X(HUMANOID_FILE_INVALID, kInput, \
    "the humanoid map is not a JSON object of bones and nodes, or a bone or a node does not exist or is used twice", \
    "write {\"hips\": \"pelvis\", \"leftUpperLeg\": \"#12\", ...}") \
  X(HUMANOID_INCOMPLETE, kInput, \
    "a humanoid map does not have all bones that a T-pose needs", \
    "give a map that has them") \
  X(HUMANOID_NOT_FINITE, kInput, \
    "the rest pose does not determine a T-pose: bones coincide, have huge positions, or are the nodes of other bones", \
    "move the bones apart, correct the humanoid map, or export the file again") \
  X(HUMANOID_UNKNOWN, kInput, \
    "a file does not have the bones of a human body that an option needs", \
    "give a humanoid map of the file") \
  X(INDEX_OUT_OF_RANGE, kInput, \
    "an index names a vertex or an element that does not exist", \
    "export the mesh again") \
  X(INSTANCING_UNSUPPORTED, kInput, \
    "EXT_mesh_gpu_instancing multiplies meshes, which is not supported", \
    "export without instancing") \
  X(JOINT_CHAINS_TOO_LONG, kInput, \
    "vertices depend on chains of more joints than the method supports", \
    "choose another method, or remove joints") \
  X(JOINT_OUT_OF_RANGE, kInput, \
    "a vertex gives weight to a joint that its skin does not have", \
    "export the mesh and its skin again") \
  X(JOINT_PARAMETERS_INVALID, kInput, \
    "the file of joint parameters does not have the required form", \
    "write {\"elbow\": {\"r0\": 0.05, \"r1\": 0.04, \"s\": 0.5}, ...}") \
  X(JOINT_UNKNOWN, kInput, \
    "the joint parameters name a joint that does not exist in any mesh, or that does not have a parent joint", \
    "use one of the joints that the message lists") \
  X(JSON_INVALID, kInput, \
    "the text is not JSON", \
    "check that this is a glTF 2.0 file; export or copy it again") \
  X(JSON_TOO_DEEP, kInput, \
    "the JSON is nested deeper than any glTF requires", \
    "remove the nested extras") \
  X(LIBRARY_TOO_LARGE, kInput, \
    "a folder of a library has more files than are compared", \
    "compare the folders in it one by one") \
  X(LIBRARY_UNSUPPORTED, kInput, \
    "one side of a comparison is a library, and the other is not", \
    "compare two folders, two manifests or two rigs") \
  X(MANIFEST_INVALID, kInput, \
    "a manifest of a batch has an unknown key, a value of a wrong type, or two jobs of one name", \
    "follow the message, which names the place; the schema of manifests describes every key") \
  X(MAP_INVALID, kInput, \
    "the map of names is not a JSON object of strings", \
    "write {\"name in the rig\": \"name in the clip's file\", ...}") \
  X(MATRIX_NOT_AFFINE, kInput, \
    "a matrix that is used is not finite, or its last row is not 0 0 0 1", \
    "export the file again") \
  X(MATRIX_SHEARED, kInput, \
    "a bone has a matrix with shear or a scale of zero, which an animation cannot move", \
    "apply the scales of the nodes above the bone, and export the file again") \
  X(MEMORY_LIMIT, kInput, \
    "loading the file, or its bake, would need more memory than the limit allows", \
    "raise the limit to the size that the message names, split the file, or bake fewer meshes at a time") \
  X(MESHOPT_INVALID, kInput, \
    "a meshopt stream is damaged, or has an unknown version", \
    "export the file again with gltfpack -c") \
  X(MESH_AMBIGUOUS, kUsage, \
    "several mesh nodes fit a request for a single one", \
    "choose one, by its number where names are equal") \
  X(MESH_TOO_LARGE, kInput, \
    "a mesh has more triangles than method dm can index", \
    "choose another method, or split the mesh") \
  X(MESH_UNKNOWN, kUsage, \
    "the requested mesh node does not exist", \
    "choose one of those that the message lists") \
  X(METHOD_PARAMETER_INVALID, kUsage, \
    "a method's parameter is out of range, is given twice, or contradicts another parameter", \
    "use a value within the range of the parameter") \
  X(METHOD_PARAMETER_UNKNOWN, kUsage, \
    "the method does not have this parameter", \
    "use one of the method's parameters") \
  X(METHOD_TWICE, kUsage, \
    "a list names a method twice", \
    "name it once, or give it other parameters") \
  X(METHOD_UNKNOWN, kUsage, \
    "the requested method does not exist", \
    "choose one of the available methods") \
  X(METRIC_UNKNOWN, kUsage, \
    "the requested metric does not exist", \
    "choose one of the metrics that the message lists") \
  X(MODIFIER_INVALID, kUsage, \
    "a rig modifier has an invalid value", \
    "use one of the values that the message lists") \
  X(MODIFIER_UNKNOWN, kUsage, \
    "the requested rig modifier does not exist", \
    "use one of the modifiers that the message lists") \
  X(MORPH_TARGETS_DIFFER, kInput, \
    "primitives of one mesh have different numbers of morph targets", \
    "export the mesh again") \
  X(MORPH_WEIGHTS_HUGE, kInput, \
    "default morph weights make a mesh more than 1000 times as large as weights of 1 do, so that every relative error would be nearly 0", \
    "correct the default weights of the mesh or node, and export it again") \
  X(MUSCLE_RANGES_INVALID, kInput, \
    "the file of muscle ranges is not a JSON object of muscles, or a range is not two angles from -180 to 180 degrees with 0 between them", \
    "write {\"leftForearmTwist\": [-90, 90], ...}") \
  X(NODE_CYCLE, kInput, \
    "a node is its own ancestor", \
    "export the file again") \
  X(NODE_PARENTS, kInput, \
    "a node has more than one parent", \
    "export the file again") \
  X(NON_FINITE_POSITION, kInput, \
    "a position, baked or at bind, is infinite or not a number", \
    "export the element that the message names again, or look for huge or zero scales and morph weights at the vertex") \
  X(NOTHING_PAIRS, kNotComparable, \
    "two libraries have no file, mesh and clip of one name", \
    "compare folders with the same paths, or pair other names by a map") \
  X(NOTHING_TO_BAKE, kInput, \
    "the scene does not have a mesh", \
    "choose another scene, export the mesh with the scene, or apply the clips to a rig") \
  X(NOTHING_TO_DO, kUsage, \
    "neither a cache nor a report was requested", \
    "request a cache, a report or both") \
  X(NOTHING_TO_FIT, kInput, \
    "the meshes of a fit do not have a skin, or the file does not have a clip", \
    "choose a mesh that joints move, or add a clip to the file") \
  X(NOT_COMPARABLE, kNotComparable, \
    "the two sides of a comparison have different numbers of vertices or frames, or are of different kinds", \
    "compare caches of the same mesh and frames; match the surfaces of files whose vertices differ") \
  X(OUTPUT_AMBIGUOUS, kUsage, \
    "one output path is given for several meshes, clips or methods", \
    "put {mesh}, {clip} or {method} into the path") \
  X(OUTPUT_IS_INPUT, kUsage, \
    "an output would replace a file that is read", \
    "choose another name") \
  X(OUTPUT_NOT_WRITTEN, kOutput, \
    "an output could not be written", \
    "follow the message: it names the folder, its permissions or the free space") \
  X(OUTPUT_TWICE, kUsage, \
    "two outputs have the same path, or are one file through a link", \
    "give them different names") \
  X(OUT_OF_MEMORY, kInput, \
    "the system is out of memory, although the file stays within the memory limit", \
    "free memory, or split the file") \
  X(PATTERN_UNMATCHED, kInput, \
    "a pattern of files, clips or jobs matches nothing", \
    "correct the pattern; paths are relative to the folder of the manifest") \
  X(PER_VERTEX_INVALID, kInput, \
    "a file with the report's errors per vertex differs from the one that was written with the report", \
    "copy the report and its .npy files again, or write them again") \
  X(PLACEHOLDER_UNKNOWN, kUsage, \
    "an output path contains an unknown {placeholder}", \
    "use one of those that the message lists") \
  X(PLAN_INVALID, kUsage, \
    "a plan does not meet a condition of `validate`", \
    "correct what the message lists; if the command-line tool prints this, report it") \
  X(POSES_INVALID, kInput, \
    "the file of poses is not a JSON list of poses, or a bone, a muscle or a value does not exist or is out of range", \
    "write [{\"name\": \"wave\", \"bones\": {\"leftUpperArm\": {\"degrees\": [0, 0, 60]}}}]") \
  X(QUANTUM_INVALID, kUsage, \
    "a position of a golden is too many quanta from the origin", \
    "choose a larger quantum") \
  X(REFERENCE_AMBIGUOUS, kUsage, \
    "one cache is given as the reference of several meshes or clips", \
    "put {mesh} or {clip} into its path, or choose one mesh and one clip") \
  X(REFERENCE_INVALID, kInput, \
    "the file refers to an element that does not exist", \
    "export the file again") \
  X(REFERENCE_MISSING, kUsage, \
    "an error metric was requested without a reference", \
    "plan the bake with a reference") \
  X(REPORTS_HAVE_A_TOLERANCE, kUsage, \
    "two reports were to be compared with thresholds that apply to caches only", \
    "give a tolerance instead") \
  X(REPORT_FORMAT_UNKNOWN, kUsage, \
    "reports cannot be converted to a format with this extension", \
    "name the output .html, .md or .xml, or name the format") \
  X(REPORT_INVALID, kInput, \
    "a file is not a JSON report, or has an unsupported version", \
    "give a JSON report as this program writes it") \
  X(RIG_INVALID, kInput, \
    "a rig does not meet a condition that the library requires", \
    "correct the element that the message names; validate.h lists the conditions") \
  X(SCENE_UNKNOWN, kUsage, \
    "the file does not have the requested scene", \
    "choose one of those that the message lists") \
  X(SCHEMA_VIOLATION, kInput, \
    "a member of the JSON is missing, or violates the glTF 2.0 schema", \
    "export the file again") \
  X(SKIN_EMPTY, kInput, \
    "a skin does not have joints", \
    "export the skin again, or remove it from the node") \
  X(STATE_INVALID, kInput, \
    "a file is not the state of a batch, or not of this batch", \
    "name another file for the state, or the state files of this batch") \
  X(STATE_IN_USE, kOutput, \
    "another batch writes to the state file", \
    "wait until it ends, or name another file for the state") \
  X(SURFACES_TOO_DENSE, kInput, \
    "so many triangles of a surface share a place that closest points would be searched for hours", \
    "remove duplicate triangles, or pair the vertices by their order or index") \
  X(SURFACE_TANGLED, kInput, \
    "the triangles of a mesh connect distant points so densely that method ddm cannot factorise its matrix", \
    "choose another method") \
  X(TARGET_UNKNOWN, kUsage, \
    "this processor or this build does not have the requested instruction set", \
    "use one of the available targets") \
  X(TIMES_INVALID, kInput, \
    "key times are negative, descend, or exceed 10,000,000,000 seconds", \
    "export the clip again") \
  X(TOO_MANY_FRAMES, kUsage, \
    "the clip has more frames than the limit allows", \
    "lower the frame rate, choose a frame range, or raise the limit") \
  X(TOO_MANY_MESHES, kInput, \
    "the mesh nodes times the nodes of the scene exceed 3,000,000,000, or a surface has more than 256 mesh nodes", \
    "choose fewer of the meshes, or join them into one") \
  X(TWIST_IMPOSSIBLE, kUsage, \
    "a joint segment cannot be split into twist joints", \
    "see the cause in the message, or choose another joint") \
  X(TWIST_JOINT_AMBIGUOUS, kUsage, \
    "several joints have the name that was given for twist joints", \
    "write the number that the message names") \
  X(TWIST_JOINT_UNKNOWN, kUsage, \
    "no mesh has the joint that was named for twist joints, or no limb was recognised by its name", \
    "choose one of those that the message lists") \
  X(TWIST_TOO_LONG, kInput, \
    "the clip is too long to track twist continuously", \
    "bake without twist joints, or cut the clip") \
  X(T_POSE_INVALID, kUsage, \
    "the instant of a clip that is to be the T-pose does not exist or does not pose the body", \
    "name a clip of the same file that moves its bones, and an instant within it") \
  X(URI_INVALID, kInput, \
    "a data URI is malformed", \
    "export the file again") \
  X(URI_REFUSED, kInput, \
    "a buffer's URI leads out of the file's folder, or is not a path to a file", \
    "put the buffer beside the glTF; a buffer outside its folder is read only from a trusted file") \
  X(VALUE_NOT_FINITE, kInput, \
    "vertices, weights or keys contain a NaN or an infinity", \
    "export the mesh or clip again") \
  X(VERIFICATION_FAILED, kOutput, \
    "the written file differs from the computed frames by more than the format's bound", \
    "write it elsewhere; if it happens again, report it") \
  X(VERSION_UNSUPPORTED, kInput, \
    "the file is not glTF 2.0", \
    "convert the file to glTF 2.0") \
  X(VIEWER_MISSING, kUsage, \
    "a 3D view of the mesh was requested, but this build does not contain the viewer", \
    "install npm, run scripts/setup and build again, or leave the 3D view out") \
  X(VIEW_TOO_LARGE, kUsage, \
    "a single frame of all meshes and methods exceeds the size that a page may have", \
    "choose fewer methods or meshes at a time")
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

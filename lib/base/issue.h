// The table of issue codes: what can be said of an input without ending the run.
// A code never changes its meaning. ISSUES.md is made from this table and that of error_codes.h by
// scripts/make_issues.py.
// A remedy fits every cause that has the code; the script reads texts that are one literal, on one
// line.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "skinbake/error.h"

namespace skinbake {

// clang-format off
// X(code, severity, meaning, remedy)
#define SKINBAKE_ISSUES(X) \
  X(ACCESSOR_MISALIGNED, kInfo, \
    "elements do not start at multiples of their component's size", \
    "nothing: the data is read all the same; re-export to please other readers") \
  X(ANIMATION_BYTE_STRIDE, kInfo, \
    "keys lie in a bufferView with a byteStride, which is for vertices", \
    "nothing: the data is read with its stride") \
  X(ATTRIBUTE_IGNORED, kWarning, \
    "a vertex attribute that glTF does not define", \
    "check that nothing but looks depends on it") \
  X(ATTRIBUTE_LEFT_OUT, kWarning, \
    "texture coordinates or colours with a NaN or an infinity; what is baked has none", \
    "export the mesh again") \
  X(BASELINE_DEGENERATE, kWarning, \
    "the bind matrix has no inverse; raw positions are measured", \
    "give the joints' nodes a scale that is not zero") \
  X(BIND_CACHE_DAMAGED, kWarning, \
    "a file of --bind-cache that is not the bind that its name says; it is made again", \
    "nothing: it is replaced; if it happens again, give another folder") \
  X(BIND_CACHE_NOT_WRITTEN, kWarning, \
    "a bind that could not be kept in the folder of --bind-cache; the run is unharmed", \
    "give a folder that can be written") \
  X(CHANNEL_IGNORED, kWarning, \
    "an animation channel that cannot move anything; it is left out", \
    "export the animation again: a property moved once, of a node that has it and has no matrix") \
  X(CHANNEL_OF_LOOKS, kInfo, \
    "an animation channel of a material or another thing that moves no vertex; it is not baked", \
    "nothing needs to be done") \
  X(CLIP_EMPTY, kWarning, \
    "the clip has no channel that can be used; the rest pose is baked", \
    "choose another clip, or export the animation again") \
  X(CLIP_NODE_AMBIGUOUS, kWarning, \
    "several nodes of the rig have the name that the clip moves; the first is taken", \
    "name the rig's nodes apart, or choose with --map") \
  X(CLIP_NODE_CASE, kWarning, \
    "a node of the clip was matched to a node of the rig whose name differs in case", \
    "rename one of them, or name the pair in --map") \
  X(CLIP_NODE_UNMATCHED, kWarning, \
    "the clip moves a node that the rig does not have, or pairs with another; it is left out", \
    "name the pair in --map, or export the clip for this rig") \
  X(COMPANION_OLDER, kWarning, \
    "a file of an earlier bake is beside a cache, and this bake writes none there", \
    "remove it if nothing needs it") \
  X(CUBIC_KEY_MISSING, kInfo, \
    "a spline with a single key has no tangents; its value is held", \
    "nothing needs to be done") \
  X(ELEMENTS_OVERLAP, kWarning, \
    "a byteStride that is less than an element; elements are read as they lie", \
    "export the file again") \
  X(EXTENSION_IGNORED, kWarning, \
    "an extension that is not known, or moves nodes by simulation; what is baked is without it", \
    "check that it does not change geometry, skin or animation") \
  X(FRAMES_UNLIKE, kWarning, \
    "two sides of a diff are of other rates or in other spaces; they are compared as they are", \
    "bake both with the same --fps and --space") \
  X(FRAME_NUMBERS_DIFFER, kWarning, \
    "two caches number their frames differently; the first is compared with the first", \
    "check that both are of the same frames of the clip") \
  X(GLB_TRAILING_BYTES, kInfo, \
    "a .glb that is longer than it says; the rest is ignored", \
    "nothing needs to be done") \
  X(HUMANOID_MAP_INVALID, kWarning, \
    "an entry of a VRM file's map of bones that is not what VRM defines; it is left out", \
    "export the file again: a bone has one node of the file, and a node at most one bone") \
  X(HUMANOID_UNSCALED, kWarning, \
    "humanoids whose hips are not above the ground at rest; the clip's way is not scaled", \
    "export the rig and the clip in a T-pose that stands on the ground, in metres") \
  X(IMAGE_LEFT_OUT, kWarning, \
    "an image that cannot be read; what is baked has no such texture", \
    "put the file where the URI says, or give --allow-outside if you trust the file") \
  X(INFLUENCE_SET_SKIPPED, kWarning, \
    "sets of joints and weights whose numbers are not 0, 1, 2 …; all are read, in ascending order", \
    "export the mesh again, and check that no set was lost") \
  X(INTEGERS_NOT_NORMALISED, kWarning, \
    "integer weights whose accessor does not say that they are normalised; they are read as fractions", \
    "export the mesh again: programs that believe the accessor take weights of up to 65535") \
  X(INTERSECTIONS_NOT_COUNTED, kWarning, \
    "poses in which so many triangles overlap that it would take too long to count crossings", \
    "split triangles that reach across the mesh, or leave out the metric self_intersection") \
  X(INVERSE_BIND_MISSING, kInfo, \
    "a skin without inverse bind matrices; they are the identity, as the specification says", \
    "nothing needs to be done") \
  X(INVERSE_BIND_SINGULAR, kWarning, \
    "an inverse bind matrix that flattens space; what follows its joint is flattened", \
    "give the joint a scale that is not zero in the bind pose, and export the skin again") \
  X(INVERSE_BIND_SINGULAR_UNUSED, kInfo, \
    "an inverse bind matrix that flattens space, of a joint that no vertex uses", \
    "nothing needs to be done") \
  X(INVERSE_BIND_UNUSABLE, kInfo, \
    "an inverse bind matrix that is not affine, of a joint that no vertex uses", \
    "nothing: identity is taken") \
  X(JOINTS_MISSING, kWarning, \
    "weights without the joints of the same number; they are ignored", \
    "export the mesh with joints and weights") \
  X(JOINTS_REPEATED, kWarning, \
    "a skin that lists a node more than once; each place is a joint of its own", \
    "nothing if it bends as it should; else merge the joints and export again") \
  X(JOINTS_TOO_WIDE, kWarning, \
    "joints of 32 bits, which glTF does not allow; they are read all the same", \
    "export joints as unsigned bytes or shorts: other programs refuse these") \
  X(JOINTS_WITHOUT_SKIN, kInfo, \
    "a mesh with joints and weights at a node without a skin; the mesh follows its node", \
    "give the node its skin if the mesh should bend") \
  X(JOINT_PARAMETERS_UNUSED, kWarning, \
    "--joint-params was given, but no method of the run takes numbers for single joints", \
    "choose a method that takes them, such as sbs-conic") \
  X(KEY_TIMES_REPEATED, kInfo, \
    "key times that equal the one before; the last of equal keys counts", \
    "nothing needs to be done") \
  X(MAP_NAME_UNKNOWN, kWarning, \
    "a name in the --map file that the rig or the clip's file does not have", \
    "correct the name, or take the line out") \
  X(MATRIX_BESIDE_PARTS, kWarning, \
    "a node with a matrix and with translation, rotation or scale; the matrix is used", \
    "export the file again: a node has one or the other") \
  X(MESHES_NOT_IN_SCENE, kInfo, \
    "mesh nodes that are not in the scene; they are not baked", \
    "add them to this scene to bake them, or choose the one that has them with --scene") \
  X(MESH_UNUSED, kInfo, \
    "a mesh that no node shows; it is not baked", \
    "give it to a node of the scene to bake it") \
  X(MORPH_WEIGHTS_COUNT, kWarning, \
    "another number of morph weights than targets; missing ones are zero, others are ignored", \
    "export the mesh again") \
  X(NORMALS_LEFT_OUT, kInfo, \
    "normals or tangents, which a cache does not have; programs compute flat normals", \
    "keep normals with --format glb:normals=1, usda:normals=1 or vat:normals=1, and tangents with glb:tangents=1") \
  X(NORMALS_MISSING, kInfo, \
    "a primitive without normals; the mesh is read without normals", \
    "export normals if a cache should have them") \
  X(NORMALS_NOT_FINITE, kWarning, \
    "normals with a NaN or an infinity; they are set to zero", \
    "recompute the normals") \
  X(NORMALS_RECOMPUTED, kInfo, \
    "a method that moves points and turns no normals; caches have those of the posed triangles", \
    "choose a method that turns normals to have the mesh's own") \
  X(NORMALS_UNAVAILABLE, kWarning, \
    "a mesh without the normals that a cache was to have; the cache has none of it", \
    "export normals, or take --normals geometric for those of the triangles") \
  X(NO_NORMALS, kInfo, \
    "the mesh or the method has no normals; normal_deviation is not measured", \
    "export normals, or choose a method that turns them") \
  X(NO_VOLUME, kWarning, \
    "no part of the mesh is closed or nearly so; volume is not measured", \
    "close the mesh's holes, or measure with --metrics error") \
  X(PER_VERTEX_MISSING, kWarning, \
    "a report's errors per vertex are in a file that is not beside it; nothing is drawn of them", \
    "put the .npy files beside the report") \
  X(PRIMITIVE_EMPTY, kWarning, \
    "a primitive without positions; nothing of it can be baked", \
    "delete it, or export it with positions") \
  X(QUATERNION_NOT_UNIT, kInfo, \
    "rotations that are not of unit length; they are normalised", \
    "nothing needs to be done") \
  X(QUATERNION_ZERO, kWarning, \
    "a rotation of length zero; no rotation is taken", \
    "export the file again") \
  X(SCENE_NODE_HAS_PARENT, kWarning, \
    "a scene that lists a node which has a parent; the node still moves with its parent", \
    "list the topmost node in the scene, or take the node out of its parent's children") \
  X(SIDECAR_IGNORED, kWarning, \
    "the file beside a cache is not the sidecar of the cache as it is now; it is not believed", \
    "bake the cache again, or remove the file") \
  X(SKELETON_INVALID, kInfo, \
    "a skin's skeleton that is not the number of a node; nothing of what is baked needs it", \
    "nothing: it is ignored; re-export to please other readers") \
  X(SKIN_WITHOUT_JOINTS, kWarning, \
    "a primitive without joints and weights at a node with a skin; it follows the node", \
    "export joints and weights, or take the skin off the node") \
  X(SPARSE_UNORDERED, kWarning, \
    "indices of a sparse accessor that do not ascend; of equal ones the last counts", \
    "export the file again") \
  X(SURFACE_NOT_CLOSED, kInfo, \
    "a surface with holes; they are capped for the volume", \
    "close the holes for an exact volume") \
  X(TANGENTS_INVALID, kWarning, \
    "tangents with a NaN or an infinity, which are replaced by a vector across the normal, or whose w is neither 1 nor -1, which becomes the nearer of both", \
    "recompute the tangents") \
  X(TANGENTS_UNAVAILABLE, kWarning, \
    "a mesh without the tangents that a cache was to have, or a method that turns none; the cache has none of it", \
    "export tangents, and choose a method that turns normals") \
  X(TRIANGLES_INCOMPLETE, kWarning, \
    "a primitive whose number of corners does not make whole triangles; those left over are not used", \
    "export the mesh again") \
  X(TRIANGLE_DEGENERATE, kInfo, \
    "triangles without area; they are left out of the measurements", \
    "nothing needs to be done") \
  X(TWIST_LIMB_LEFT, kWarning, \
    "a limb that --twist auto leaves as it is", \
    "nothing, if the message's cause is as it should be; or name the joint: --twist JOINT") \
  X(WEIGHTS_MISSING, kWarning, \
    "joints without the weights of the same number; they count as zero", \
    "export weights") \
  X(WEIGHTS_NEGATIVE, kWarning, \
    "negative weights; they are clamped to zero", \
    "clean the weights in the modelling tool") \
  X(WEIGHTS_RENORMALISED, kWarning, \
    "weights that do not sum to 1; they are divided by their sum", \
    "normalise weights at export") \
  X(WEIGHTS_ZERO, kWarning, \
    "vertices without any weight; the first listed joint takes the whole vertex", \
    "paint weights")
// clang-format on

enum class IssueCode {
#define SKINBAKE_ISSUE_ENUM(code, severity, meaning, remedy) code,
  SKINBAKE_ISSUES(SKINBAKE_ISSUE_ENUM)
#undef SKINBAKE_ISSUE_ENUM
};

struct IssueInfo {
  std::string_view code;
  Severity severity;
  std::string_view meaning;
  std::string_view remedy;
};

// The table, in the order of IssueCode.
std::span<const IssueInfo> issue_table();

// An issue with its severity from the table.
Issue make_issue(IssueCode code, std::string file, std::string pointer, std::string message,
                 std::int64_t count = 1);

// As sorted_unique, and of a code that a file has in more than kPlacesListed places only the first
// ones: the others become one issue, with their counts added up.
Issues fold_repeated(Issues issues);
inline constexpr std::size_t kPlacesListed = 20;

}  // namespace skinbake

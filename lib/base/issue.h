// The table of issue codes: findings about an input that do not end the run.
// A code never changes its meaning. scripts/make_issues.py makes ISSUES.md from this table and the
// table of error_codes.h.
// A remedy fits every cause of its code and names settings of the library, never options of a
// command line. The script requires each text to be a single literal on one line.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "skinbake/error.h"

namespace skinbake {

// clang-format off
// X(code, severity, meaning, remedy)
#define SKINBAKE_ISSUES(X) \
  X(ACCESSOR_MISALIGNED, kInfo, \
    "an accessor's elements do not start at multiples of their component size", \
    "nothing: the data is read correctly; re-export the file for readers that require alignment") \
  X(ANIMATION_BYTE_STRIDE, kInfo, \
    "animation keys lie in a bufferView with a byteStride, which glTF reserves for vertex attributes", \
    "nothing: the data is read with its stride") \
  X(ATTRIBUTE_IGNORED, kWarning, \
    "glTF does not define this vertex attribute; it is ignored", \
    "check that only the appearance depends on it") \
  X(ATTRIBUTE_LEFT_OUT, kWarning, \
    "texture coordinates or colours contain a NaN or an infinity; the baked file does not have them", \
    "export the mesh again") \
  X(BASELINE_DEGENERATE, kWarning, \
    "the bind matrix is singular; raw positions are measured", \
    "give the joints' nodes a scale that is not zero") \
  X(BIND_CACHE_DAMAGED, kWarning, \
    "a file of the bind cache does not contain the bind data that its name promises; the data is computed again", \
    "nothing: the file is replaced; if this happens again, choose another folder") \
  X(BIND_CACHE_NOT_WRITTEN, kWarning, \
    "bind data could not be written to the folder of the bind cache; the results are not affected", \
    "choose a writable folder") \
  X(CACHE_OF_OTHER_RIG, kWarning, \
    "the rig that was given for a cache is not the file that the cache was baked from; its points may be paired wrongly", \
    "give the rig that the cache was baked from, or bake the cache again") \
  X(CHANNEL_IGNORED, kWarning, \
    "an animation channel does not move anything; it is ignored", \
    "export the animation again: one channel for each property, of a node that has the property and does not have a matrix") \
  X(CHANNEL_OF_MATERIAL, kInfo, \
    "an animation channel changes a material or another element that does not move vertices; it is not baked", \
    "nothing needs to be done") \
  X(CLIP_EMPTY, kWarning, \
    "the clip does not have a usable channel; the rest pose is baked", \
    "choose another clip, or export the animation again") \
  X(CLIP_LENGTHS_DIFFER, kWarning, \
    "the lengths of two clips that are compared differ by more than a frame; the frames that both have are compared", \
    "compare clips of one length") \
  X(CLIP_NODE_AMBIGUOUS, kWarning, \
    "several nodes of the rig have the name that the clip moves; the first one is used", \
    "give the rig's nodes distinct names, or choose one in the map of names") \
  X(CLIP_NODE_CASE, kWarning, \
    "a node of the clip was matched with a node of the rig whose name differs in case", \
    "rename one of the nodes, or pair them in the map of names") \
  X(CLIP_NODE_UNMATCHED, kWarning, \
    "the clip moves a node that the rig does not have, that is paired with another node, or that is not a bone of two humanoids; its channels are ignored", \
    "pair the names in the map of names, where \"#7\" is node 7, or export the clip for this rig") \
  X(CLIP_OF_OTHER_NAME, kWarning, \
    "two clips of different names are compared, because no other clips have their names", \
    "give the clips the same names, if they are the same clip; else delete one") \
  X(CLIP_UNPAIRED, kWarning, \
    "a clip of one file has no partner in the other; it is not compared; if it is one of the reference, the comparison fails", \
    "keep the clip; if it was removed on purpose, choose the clips that are compared, or allow this finding") \
  X(COMPANION_OLDER, kWarning, \
    "an auxiliary file of an earlier bake lies beside a cache, and this bake does not write one", \
    "delete the file if it is no longer needed") \
  X(CUBIC_KEY_MISSING, kInfo, \
    "a cubic spline has a single key, so its tangents are undefined; the value stays constant", \
    "nothing needs to be done") \
  X(DRACO_TRIANGLES_FEWER, kWarning, \
    "a Draco stream has fewer triangles than the accessor of its indices, because an encoder left out degenerate ones or the stream is of another mesh", \
    "compare the mesh with its source, and compress the file again if triangles are missing") \
  X(ELEMENTS_OVERLAP, kWarning, \
    "a byteStride is smaller than an element; overlapping elements are read at their stride", \
    "export the file again") \
  X(EXCLUSION_UNMATCHED, kWarning, \
    "a name or pattern that omits clips or meshes matches none, so that it omits nothing", \
    "correct the name or pattern, or remove it") \
  X(EXPRESSION_INVALID, kWarning, \
    "a part of an expression, or of the look-at, of a VRM file does not follow the VRM specification; it is left out", \
    "export the file again, and check the expressions and morph targets of the avatar") \
  X(EXTENSION_IGNORED, kWarning, \
    "an extension is unknown, or moves nodes by simulation; the baked file ignores it", \
    "check that the extension does not change geometry, skin or animation") \
  X(EXTENSION_LEFT_OUT, kInfo, \
    "materials, textures or primitives have extensions that a baked GLB does not keep; programs that know the extensions show it differently", \
    "nothing, if the baked file looks right; otherwise add the extensions to it in another program") \
  X(FIT_BETWEEN_FRAMES, kWarning, \
    "at an instant that is not a frame, where programs interpolate or hold keys, a fitted rig exceeds the bound that it keeps in the frames", \
    "fit at a higher frame rate") \
  X(FIT_BOUND_EXCEEDED, kWarning, \
    "the fitted rig exceeds the bound of its distance from the target", \
    "raise the bound, or allow more helper joints or correctives") \
  X(FIT_CLIP_UNMEASURED, kWarning, \
    "helper joints or fitted influences move a clip that the fit does not contain and that has too many frames to be measured", \
    "allow more frames, or fit every clip that the rig plays; correctives alone leave other clips as they are") \
  X(FIT_CLIP_WORSE, kWarning, \
    "helper joints or fitted influences make a clip worse that the fit does not contain", \
    "fit every clip that the rig plays; correctives alone leave other clips as they are") \
  X(FIT_COLLAPSE, kWarning, \
    "linear blending flattens the surface between two joints, as in the middle of a twist by half a turn; no corrective restores it", \
    "allow helper joints") \
  X(FRAMES_UNLIKE, kWarning, \
    "the two sides of a diff have different frame rates or spaces, or other clips or clips in another order; their frames are compared by index", \
    "bake both sides with the same rate, in the same space, and with the same clips in the same order") \
  X(FRAME_NUMBERS_DIFFER, kWarning, \
    "two caches number their frames differently; the first frame is compared with the first", \
    "check that both caches contain the same frames of the clip") \
  X(GLB_CHUNK_IGNORED, kInfo, \
    "a .glb file has chunks that glTF does not define; they are ignored, and no written file has them", \
    "nothing, unless another program needs the chunks") \
  X(GLB_MANY_TARGETS, kWarning, \
    "a baked GLB has more than 2048 morph targets: three.js, Babylon.js and <model-viewer>, which store the targets as layers of a WebGL texture array, show its mesh standing still", \
    "write several meshes with the format's option split=1 (not with quantize=1), bake fewer frames, or bake a vertex animation texture; Blender and programs that do not use such a texture play the file") \
  X(GLB_TRAILING_BYTES, kInfo, \
    "a .glb file is longer than the length that it declares; the remaining bytes are ignored", \
    "nothing needs to be done") \
  X(HALF_COARSE, kWarning, \
    "half precision moves the positions of a mesh by more than 0.3 % of its bind diagonal: it is far from the origin, or smaller than these numbers can hold", \
    "use single precision, or a scale that makes the positions larger if the mesh is tiny") \
  X(HUMANOID_BONE_MISPLACED, kWarning, \
    "a humanoid bone's node is not below the node of its parent bone; rotations of the parent bone do not move it", \
    "map the bone to a node below its parent's, or change the hierarchy of the rig") \
  X(HUMANOID_BONE_MISSING, kWarning, \
    "a humanoid map does not have a bone that every human body needs; the T-pose cannot be computed", \
    "write a humanoid map that names the bone's node") \
  X(HUMANOID_HIPS_LOW, kWarning, \
    "the hips of a humanoid are not above the ground at rest, so that they do not tell the size of the body", \
    "export the rig standing upright on the ground") \
  X(HUMANOID_MAP_INVALID, kWarning, \
    "an entry of a VRM file's humanoid map does not follow the VRM specification; it is ignored", \
    "export the file again: a bone refers to one node of the file, and a node to at most one bone") \
  X(HUMANOID_REST_POSE, kInfo, \
    "the rest pose of a humanoid is not a T-pose", \
    "nothing: the T-pose is computed") \
  X(HUMANOID_ROLL_UNKNOWN, kInfo, \
    "the rest pose does not tell how a bone rolls about its own direction: a knee or an elbow is straight, or a hand does not have fingers; the roll at rest is kept", \
    "nothing, if palms face down and knees forward at rest; otherwise bend the joint a little at rest") \
  X(HUMANOID_SCALE, kWarning, \
    "the node of a humanoid bone has a negative or uneven scale at rest, or a node above bones a negative one, which mirrors, turns or shears the bones below it; their poses are wrong", \
    "apply the scale before the export") \
  X(HUMANOID_SIDES_SWAPPED, kWarning, \
    "a left bone of a humanoid is on the right of the body, or the toes point backward", \
    "exchange left and right in the humanoid map") \
  X(HUMANOID_UNSCALED, kWarning, \
    "the hips of a humanoid are not above the ground at rest; the clip's translations are not scaled", \
    "export the rig and the clip in a T-pose that stands on the ground, in metres") \
  X(IMAGE_LEFT_OUT, kWarning, \
    "an image cannot be read; the baked file does not have the textures that need it", \
    "put the image where its URI points; an image outside the glTF's folder is read only from a trusted file") \
  X(IMAGE_NOT_EMBEDDED, kWarning, \
    "an image cannot be read; the written file refers to it as the rig's file does", \
    "put the image where its URI points; an image outside the glTF's folder is read only from a trusted file") \
  X(INFLUENCE_SET_SKIPPED, kWarning, \
    "the sets of joints and weights are not numbered 0, 1, 2 …; all sets are read, in ascending order", \
    "export the mesh again, and check that no set was lost") \
  X(INTEGERS_NOT_NORMALISED, kWarning, \
    "integer weights lie in an accessor that is not marked as normalised; they are read as fractions", \
    "export the mesh again: a program that follows the accessor reads weights of up to 65535") \
  X(INTERSECTIONS_NOT_COUNTED, kWarning, \
    "in some poses so many triangles overlap that counting their intersections would take too long", \
    "split triangles that reach across the mesh, or leave out the metric self_intersection") \
  X(INVERSE_BIND_MISSING, kInfo, \
    "a skin does not have inverse bind matrices; they are the identity, as the specification says", \
    "nothing needs to be done") \
  X(INVERSE_BIND_SINGULAR, kWarning, \
    "an inverse bind matrix is singular; the vertices of its joint are flattened", \
    "give the joint a scale that is not zero in the bind pose, and export the skin again") \
  X(INVERSE_BIND_SINGULAR_UNUSED, kInfo, \
    "an inverse bind matrix is singular, and no vertex uses its joint", \
    "nothing needs to be done") \
  X(INVERSE_BIND_UNUSABLE, kInfo, \
    "an inverse bind matrix is not affine, and no vertex uses its joint", \
    "nothing: the identity is used instead") \
  X(JOINTS_MISSING, kWarning, \
    "a set of weights does not have joints of the same number; it is ignored", \
    "export the mesh with joints and weights") \
  X(JOINTS_REPEATED, kWarning, \
    "a skin lists a node more than once; each entry becomes a separate joint", \
    "nothing if the deformation is correct; otherwise merge the joints and export again") \
  X(JOINTS_TOO_WIDE, kWarning, \
    "joint indices have 32 bits, which glTF does not allow; they are read correctly", \
    "export joint indices as unsigned bytes or shorts: other programs refuse 32 bits") \
  X(JOINTS_WITHOUT_SKIN, kInfo, \
    "a mesh has joints and weights, but its node does not have a skin; the mesh follows the node", \
    "give the node its skin if the mesh should deform") \
  X(JOINT_PARAMETERS_UNUSED, kWarning, \
    "joint parameters were given, but no method of the run uses parameters of single joints", \
    "choose a method that uses them, for example sbs-conic") \
  X(KEY_TIMES_REPEATED, kInfo, \
    "key times equal the time before them; of equal times the last key is used", \
    "nothing needs to be done") \
  X(LOOP_OPEN, kWarning, \
    "the last frame of a clip does not repeat the first, within 1e-3 of the mesh's diagonal; played as a loop, the clip jumps", \
    "choose a rate at which the clip has a whole number of frames, bake its last frame too, or key the last pose as the first; a clip that moves the whole character needs its root motion removed") \
  X(MAP_NAME_UNKNOWN, kWarning, \
    "the map of names contains a name that the rig or the clip's file does not have", \
    "correct the name, or remove the entry") \
  X(MAP_NODE_OF_BODY, kWarning, \
    "the map of names pairs a node with bones of the human body below it, but the clip moves the rig as a human body, which determines the motion of these bones; the pair is ignored", \
    "remove the pair, or match the clip by names instead of as a human body") \
  X(MATRIX_BESIDE_PARTS, kWarning, \
    "a node has a matrix and also a translation, rotation or scale; the matrix is used", \
    "export the file again: a node has either a matrix or the separate properties") \
  X(MESHES_NOT_IN_SCENE, kInfo, \
    "mesh nodes do not belong to the scene; they are not baked", \
    "add the nodes to the scene, or choose the scene that contains them") \
  X(MESHES_OVER_LIMIT, kWarning, \
    "the mesh nodes times the nodes of the scene exceed 3,000,000,000; a bake of all of them is refused", \
    "bake fewer of the meshes at a time, or join them into one") \
  X(MESH_UNUSED, kInfo, \
    "no node refers to this mesh; it is not baked", \
    "give the mesh to a node of the scene") \
  X(MORPH_NAMES_DIFFER, kWarning, \
    "a clip moves the weights of a mesh whose morph targets have other names than those of the rig; targets that the clip does not name keep their rest weights, and weights without a target are left out", \
    "give the targets of both meshes the same names, or export the clip for this rig") \
  X(MORPH_WEIGHTS_COUNT, kWarning, \
    "the number of morph weights differs from the number of targets; missing weights are zero, surplus weights are ignored", \
    "export the mesh again") \
  X(NORMALS_LEFT_OUT, kInfo, \
    "the cache does not contain the mesh's normals or tangents; programs compute flat normals", \
    "keep normals with the format option normals=1 of glb, usda or vat, and tangents with tangents=1 of glb") \
  X(NORMALS_MISSING, kInfo, \
    "a primitive does not have normals; the mesh is read without normals", \
    "export normals if a cache should contain them") \
  X(NORMALS_NOT_FINITE, kWarning, \
    "normals contain a NaN or an infinity; they are set to zero", \
    "recompute the normals") \
  X(NORMALS_RECOMPUTED, kInfo, \
    "the method does not deform normals; caches contain the normals of the posed triangles", \
    "choose a method that deforms normals") \
  X(NORMALS_UNAVAILABLE, kWarning, \
    "a cache with normals was requested, but the mesh does not have normals; the cache is written without them", \
    "export normals, or request the geometric normals of the triangles") \
  X(NO_NORMALS, kInfo, \
    "the mesh does not have normals, or the method does not deform them; normal_deviation is not measured", \
    "export normals, or choose a method that deforms them") \
  X(NO_VOLUME, kWarning, \
    "no part of the mesh is closed or nearly closed and encloses a volume; volume is not measured", \
    "close the mesh's holes, look for huge coordinates and inverse bind matrices, or measure the position error only") \
  X(PER_VERTEX_MISSING, kWarning, \
    "a file with the report's errors per vertex is not beside the report; these errors are not drawn", \
    "put the .npy files beside the report") \
  X(PRIMITIVE_EMPTY, kWarning, \
    "a primitive does not have positions; it is not baked", \
    "delete the primitive, or export it with positions") \
  X(QUATERNION_NOT_UNIT, kInfo, \
    "rotations do not have unit length; they are normalised", \
    "nothing needs to be done") \
  X(QUATERNION_ZERO, kWarning, \
    "a rotation has length zero; the identity is used instead", \
    "export the file again") \
  X(REPORT_SKIPPED, kWarning, \
    "a JSON file among the reports is the sidecar of a cache, not a report; it is skipped", \
    "name the reports only, or give them names that a pattern tells from those of sidecars") \
  X(REPORT_UNPAIRED, kWarning, \
    "an older report has no rig, clip and method of a newer one; it changes nothing on the overview", \
    "name older reports of the same rigs; a rig is known by the name of its file") \
  X(REST_POSES_DIFFER, kWarning, \
    "a clip of another file rotates nodes whose rest rotations differ from those of the rig; its rotations give another pose than in its own file", \
    "export the clip for this rig, so that both files have one rest pose, or give both files a VRM map") \
  X(RIG_DATA_DIFFERS, kInfo, \
    "the data of two rigs that are compared differ: weights, the order of vertices, inverse binds, nodes at rest, channels or positions", \
    "nothing, if the change was meant; it is a cause of different frames") \
  X(SCENE_NODE_HAS_PARENT, kWarning, \
    "a scene lists a node that has a parent; the node still moves with its parent", \
    "list the topmost node in the scene, or remove the node from its parent's children") \
  X(SIDECAR_IGNORED, kWarning, \
    "the file beside a cache is not the sidecar of the cache in its present state; it is ignored", \
    "bake the cache again, or delete the file") \
  X(SKELETON_INVALID, kInfo, \
    "a skin's skeleton is not the index of a node; baking does not need the skeleton", \
    "nothing: the skeleton is ignored; re-export the file for readers that need it") \
  X(SKIN_WITHOUT_JOINTS, kWarning, \
    "a primitive does not have joints and weights, but its node has a skin; the primitive follows the node", \
    "export joints and weights, or remove the skin from the node") \
  X(SPARSE_UNORDERED, kWarning, \
    "the indices of a sparse accessor do not ascend; of equal indices the last one is used", \
    "export the file again") \
  X(SURFACE_NOT_CLOSED, kInfo, \
    "a surface has holes; they are capped to measure the volume", \
    "close the holes for an exact volume") \
  X(TANGENTS_INVALID, kWarning, \
    "a tangent contains a NaN or an infinity and is replaced by a vector perpendicular to the normal, or its w is neither 1 nor -1 and is rounded to the nearer of both", \
    "recompute the tangents") \
  X(TANGENTS_UNAVAILABLE, kWarning, \
    "a cache with tangents was requested, but the mesh does not have tangents or the method does not deform them; the cache is written without them", \
    "export tangents, and choose a method that deforms normals") \
  X(TRIANGLES_DIFFER, kWarning, \
    "the triangles of two rigs differ: some are missing, added or inside out, or the surfaces are not of one area", \
    "compare the surfaces, and export the mesh again if they should have the same triangles") \
  X(TRIANGLES_INCOMPLETE, kWarning, \
    "a primitive's vertex count does not complete its last triangle; the remaining vertices are ignored", \
    "export the mesh again") \
  X(TRIANGLE_DEGENERATE, kInfo, \
    "triangles have zero area; the measurements leave them out", \
    "nothing needs to be done") \
  X(TWIST_LIMB_LEFT, kWarning, \
    "the automatic twist joints leave a limb unchanged", \
    "nothing if the message's cause is intended; otherwise name the joint explicitly") \
  X(VERTEX_ORDER_DIFFERS, kWarning, \
    "the vertices of two caches have different orders, so that their differences mean little", \
    "compare them by order or by surface, with the rig of each cache") \
  X(WEIGHTS_MISSING, kWarning, \
    "a set of joints does not have weights of the same number; its weights count as zero", \
    "export weights") \
  X(WEIGHTS_NEGATIVE, kWarning, \
    "weights are negative; they are clamped to zero", \
    "clean the weights in the modelling tool") \
  X(WEIGHTS_RENORMALISED, kWarning, \
    "weights do not sum to 1; they are divided by their sum", \
    "normalise weights at export") \
  X(WEIGHTS_ZERO, kWarning, \
    "vertices do not have a positive weight; the first listed joint moves the whole vertex", \
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

// Returns an issue with the severity that the table gives its code.
Issue make_issue(IssueCode code, std::string file, std::string pointer, std::string message,
                 std::int64_t count = 1);

// Returns sorted_unique(issues), where a code keeps its first kPlacesListed locations in a file:
// the remaining ones are merged into one issue, and their counts are added.
Issues fold_repeated(Issues issues);
inline constexpr std::size_t kPlacesListed = 20;

// Bounds a list of issues: a hostile file has a finding every few bytes. Beyond the first thousands
// of a code, only the count of the last one grows.
class IssueLimit {
 public:
  // Precondition: the issues that were added before are at their places in the list.
  void add(Issue issue, Issues& issues);

 private:
  struct Added {
    std::size_t issues = 0;
    std::size_t last = 0;  // position in the list
  };
  std::map<std::string, Added> added_;  // by code
};

}  // namespace skinbake

#include "skinbake/rig.h"

#include <doctest/doctest.h>

#include "rig/joint_tree.h"
#include "rig/surface/weld.h"
#include "skinbake/error.h"
#include "support/near.h"
#include "support/twisted_arm.h"

namespace skinbake {
namespace {

std::string message_of(std::string_view kind, std::string_view value) {
  try {
    parse_modifier(kind, value);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kUsage);
    return error.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string round_trip(std::string_view kind, std::string_view value) {
  return canonical(parse_modifier(kind, value));
}

std::vector<ModifiedRig> modified(const std::vector<const Rig*>& rigs,
                                  const std::vector<std::pair<std::string, std::string>>& given,
                                  const std::vector<HumanoidBone>& humanoid = {}) {
  std::vector<Modifier> modifiers;
  for (const auto& [kind, value] : given) modifiers.push_back(parse_modifier(kind, value));
  return modify(rigs, modifiers, {humanoid});
}

std::string failure(const Rig& rig, const std::string& twist) {
  try {
    modified({&rig}, {{"twist", twist}});
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kUsage);
    return error.what();
  }
  return "";
}

// One vertex with four joints.
Rig four() {
  return test::loose({{0, 0, 0}}, {Node{}, Node{}, Node{}, Node{}},
                     {{{0, 0.4}, {1, 0.3}, {2, 0.2}, {3, 0.1}}});
}

}  // namespace

TEST_CASE("modifiers: the canonical text of a parsed modifier") {
  CHECK(round_trip("influences", "4") == "influences=4");
  CHECK(round_trip("influences", "4:fit") == "influences=4:fit=all");
  CHECK(round_trip("influences", "12:fit=all") == "influences=12:fit=all");
  CHECK(round_trip("influences", "2:fit=Walk,rom:arms") == "influences=2:fit=Walk,rom:arms");
  CHECK(round_trip("weights", "u8") == "weights=u8");
  CHECK(round_trip("weights", "u16") == "weights=u16");
  CHECK(round_trip("twist", "arm") == "twist=arm:n=3,from=child");
  CHECK(round_trip("twist", "arm:n=5") == "twist=arm:n=5,from=child");
  CHECK(round_trip("twist", "arm:from=self,n=1") == "twist=arm:n=1,from=self");
  CHECK(round_trip("twist", "auto:n=2") == "twist=auto:n=2");
  for (const EngineProfile& profile : engine_profiles()) {
    CHECK(round_trip("profile", profile.id) == "profile=" + std::string(profile.id));
  }
}

TEST_CASE("modifiers: the name of a joint may contain colons") {
  CHECK(round_trip("twist", "mixamorig:LeftForeArm") ==
        "twist=mixamorig:LeftForeArm:n=3,from=child");
  CHECK(round_trip("twist", "a:b:n=2") == "twist=a:b:n=2,from=child");
}

TEST_CASE("modifiers: messages name the invalid value and the valid ones") {
  for (const char* value : {"", "0", "-1", "x", "4x", "1.5", "99999999999"}) {
    CHECK(has(message_of("influences", value), "whole number"));
  }
  for (const char* value : {":fit", "0:fit", "13:fit", "-1:fit", "x:fit=all"}) {
    CHECK(has(message_of("influences", value), "whole number from 1 to 12"));
  }
  for (const char* value : {"4:", "4:fi", "4:fits", "4:largest"}) {
    CHECK(has(message_of("influences", value), "after the colon comes fit"));
  }
  for (const char* value : {"4:fit=", "4:fit=a,", "4:fit=,a", "4:fit=a,,b"}) {
    CHECK(has(message_of("influences", value), "without a name"));
  }
  CHECK(has(message_of("influences", "4:fit=a,b,a"), "'a' is given twice"));
  CHECK(has(message_of("influences", "4:fit=a,all"), "'all' contains every clip"));
  CHECK(has(message_of("weights", "u9"), "u8, u16"));
  CHECK(has(message_of("profile", "quake"), "unity-1, unity-2, unity-4, unreal-4, unreal-8"));
  CHECK(has(message_of("twist", ""), "JOINT"));
  CHECK(has(message_of("twist", ":n=3"), "JOINT"));
  CHECK(has(message_of("twist", "a:n=0"), "from 1 to 64"));
  CHECK(has(message_of("twist", "a:from=hand"), "child or self"));
  CHECK(has(message_of("twist", "a:m=3"), "parameters: n, from"));
  CHECK(has(message_of("twist", "auto:from=self"), "remove the parameter"));
  CHECK(has(message_of("twist", "a:n=3,n=4"), "'n' is given twice"));
  CHECK(has(message_of("twist", "a:n=3,"), "'' is not a parameter"));
  CHECK(has(message_of("twist", "a:n=3,,from=self"), "'' is not a parameter"));
  CHECK(has(message_of("twist", "a:"), "nothing follows the colon"));
  CHECK(has(message_of("bend", "a"), "influences, weights, profile, twist"));
}

TEST_CASE("modifiers: a fit of influences takes them from the caller, who has the clips") {
  Rig rig = test::loose({{0, 0, 0}}, {Node{}}, {{{0, 1}}});
  rig.skinned = false;
  rig.node = rig.joints.front().node;
  const Rig* const rigs[] = {&rig};
  const Modifier modifier = parse_modifier("influences", "2:fit=Walk");
  CHECK_THROWS_WITH_AS(modify(rigs, {&modifier, 1}, {}), doctest::Contains("learns from clips"),
                       Error);
  const auto fit = [](const Rig& of, const FitInfluences& asked) {
    CHECK(asked.count == 2);
    CHECK(asked.training == std::vector<std::string>{"Walk"});
    FittedInfluences fitted;
    for (VertexIndex v = 0; v < of.mesh->vertex_count(); ++v) {
      fitted.influences.push_back({1, 1});
      fitted.first_influence.push_back(v + 1);
    }
    fitted.errors.trained.fit.max_m = 0.5;
    return fitted;
  };
  Rig skinned = four();
  skinned.skinned = true;
  const Rig* const both[] = {&rig, &skinned};
  const std::vector<ModifiedRig> modified = modify(both, {&modifier, 1}, {{}, {}, fit});
  CHECK(modified[0].rig.influences.size() == rig.influences.size());  // it does not have a skin
  CHECK_FALSE(modified[0].changes[0].fit);
  CHECK(modified[1].rig.influences.size() == 1);
  CHECK(modified[1].changes[0].modifier == "influences=2:fit=Walk");
  CHECK(modified[1].changes[0].vertices_touched == 1);
  REQUIRE(modified[1].changes[0].fit);
  CHECK(modified[1].changes[0].fit->trained.fit.max_m == 0.5);
}

TEST_CASE("modifiers: each records its changes, in the given order") {
  const Rig rig = four();
  const ModifiedRig a =
      modified({&rig}, {{"influences", "3"}, {"weights", "u8"}, {"influences", "8"}}).front();
  REQUIRE(a.changes.size() == 3);
  CHECK(a.changes[0].modifier == "influences=3");
  CHECK(a.changes[0].vertices_touched == 1);
  CHECK(a.changes[0].largest_weight_moved == doctest::Approx(0.1));
  CHECK(a.changes[0].vertex == 0u);
  CHECK(a.changes[1].largest_weight_moved > 0);
  CHECK(a.changes[1].largest_weight_moved < 1.0 / 255);
  CHECK(a.changes[2].vertices_touched == 0);
  CHECK_FALSE(a.changes[2].vertex);
  // 4/9, 3/9, 2/9 of 255: 113.33, 85, 56.67
  CHECK(a.rig.influences[0].weight == 113.0 / 255);
  CHECK(a.rig.influences[1].weight == 85.0 / 255);
  CHECK(a.rig.influences[2].weight == 57.0 / 255);

  const ModifiedRig b = modified({&rig}, {{"weights", "u8"}, {"influences", "3"}}).front();
  // 102, 76.5 rounded up, 51, 25.5: the last influence is removed
  CHECK(b.rig.influences[0].weight == doctest::Approx(102.0 / 230).epsilon(1e-15));
}

TEST_CASE("modifiers: a profile equals its limit followed by its quantisation") {
  const Rig rig = test::tube({.rings = 30, .joints = 9, .influences = 9});
  const auto same = [&](const char* profile,
                        std::vector<std::pair<std::string, std::string>> parts) {
    const Rig a = modified({&rig}, {{"profile", profile}}).front().rig;
    const Rig b = modified({&rig}, parts).front().rig;
    REQUIRE(a.influences.size() == b.influences.size());
    for (std::size_t i = 0; i < a.influences.size(); ++i) {
      CHECK(a.influences[i].joint == b.influences[i].joint);
      CHECK(a.influences[i].weight == b.influences[i].weight);
    }
  };
  same("unity-1", {{"influences", "1"}});
  same("unity-2", {{"influences", "2"}});
  same("unity-4", {{"influences", "4"}});
  same("unreal-4", {{"influences", "4"}, {"weights", "u8"}});
  same("unreal-8", {{"influences", "8"}, {"weights", "u8"}});
}

TEST_CASE("modifiers: the input rig is not changed") {
  const Rig rig = four();
  const Rig changed = modified({&rig}, {{"influences", "1"}}).front().rig;
  CHECK(rig.influences.size() == 4);
  CHECK(changed.influences.size() == 1);
  CHECK(modified({&rig}, {}).front().rig.weld_before_modifiers == nullptr);
}

TEST_CASE("modifiers: points that become equal are one point for methods, not for measurements") {
  const Rig rig = test::loose({{0, 0, 0}, {0, 0, 0}}, std::vector<Node>(2),
                              {{{0, 0.75}, {1, 0.25}}, {{0, 0.5}, {1, 0.5}}});
  const Rig changed = modified({&rig}, {{"influences", "1"}, {"weights", "u8"}}).front().rig;
  CHECK(weld_vertices(changed, WeldBy::kFinal).count == 1);
  const Weld file = weld_vertices(changed, WeldBy::kFile);
  CHECK(file.count == 2);
  CHECK(file.cracked_positions == 1);
}

TEST_CASE("modifiers: a twist changes the rigs that have the joint, and fails if none has it") {
  const Rig arm = test::arm(), other = four();
  const auto both = modified({&other, &arm}, {{"twist", "elbow:n=2"}});
  CHECK(both[0].changes.empty());
  REQUIRE(both[1].changes.size() == 1);
  CHECK(both[1].changes[0].joints_added ==
        std::vector<std::string>{"elbow.twist1", "elbow.twist2", "elbow.twist3"});
  CHECK(both[1].changes[0].vertices_touched == 64);  // not the ring at the elbow
  CHECK(both[1].changes[0].largest_weight_moved == 1);
  CHECK(modified({&arm}, {{"twist", "#1"}}).front().rig.joints.size() == 7);

  CHECK(has(failure(arm, "knee"), "joints: 'shoulder', 'elbow', 'wrist'"));
  CHECK(has(failure(arm, "wrist"), "no joint is below it"));
  CHECK(has(failure(arm, "auto"), "is found by name"));
  Rig rigid = arm;
  rigid.skinned = false;
  CHECK(has(failure(rigid, "elbow"), "joints: none"));
}

namespace {

// The arm, cut in two: the part that the shoulder also moves, and the rest of the forearm. The skin
// of the rest lists only the joints that move it.
struct CutArm {
  Rig whole = test::arm(), upper, lower;
  CutArm() {
    auto skeleton = std::make_shared<Skeleton>(*whole.skeleton);
    const char* names[] = {"LeftArm", "LeftForeArm", "LeftHand"};
    for (int j = 0; j < 3; ++j) skeleton->nodes[j].name = names[j];
    whole.skeleton = skeleton;
    upper = part(40, whole.mesh->vertex_count(), 0);
    lower = part(0, 48, 1);
    lower.joints = {whole.joints[1]};
  }
  Rig part(VertexIndex from, VertexIndex to, JointIndex first_joint) const {
    Rig rig = whole;
    auto mesh = std::make_shared<Mesh>(*whole.mesh);
    mesh->positions.assign(whole.mesh->positions.begin() + from * 3,
                           whole.mesh->positions.begin() + to * 3);
    mesh->primitives = {{0, to - from}};
    mesh->triangles.clear();
    rig.mesh = mesh;
    rig.influences.assign(whole.influences.begin() + from, whole.influences.begin() + to);
    for (Influence& i : rig.influences) i.joint -= first_joint;
    rig.first_influence.resize(to - from + 1);  // one influence each
    return rig;
  }
};

// Compares by node, because joints have different numbers in the two rigs.
void check_same_motion(const Rig& a, VertexIndex v, const Rig& b, VertexIndex w) {
  REQUIRE(a.influences_of(v).size() == b.influences_of(w).size());
  for (std::size_t i = 0; i < a.influences_of(v).size(); ++i) {
    const Influence& x = a.influences_of(v)[i];
    const Influence& y = b.influences_of(w)[i];
    CHECK(x.weight == y.weight);
    CHECK(joint_id(a, x.joint) == joint_id(b, y.joint));
    CHECK(test::distance(a.joints[x.joint].joint_from_model, b.joints[y.joint].joint_from_model) ==
          0);
  }
}

void check_same_chain(const Rig& a, const Rig& b) {
  REQUIRE(a.twists.size() == 1);
  REQUIRE(b.twists.size() == 1);
  for (const auto end : {&TwistChain::joint, &TwistChain::from, &TwistChain::to}) {
    CHECK(a.joints[a.twists[0].*end].node == b.joints[b.twists[0].*end].node);
  }
  CHECK(test::distance(a.twists[0].axis, b.twists[0].axis) == 0);
  CHECK(test::distance(a.twists[0].pivot, b.twists[0].pivot) == 0);
}

}  // namespace

TEST_CASE("modifiers: all meshes of one body are split equally, also if only one is modified") {
  const CutArm arm;
  const Rig* const file[] = {&arm.upper, &arm.lower};
  for (const char* twist : {"auto", "LeftForeArm", "LeftForeArm:from=self"}) {
    CAPTURE(twist);
    const Modifier modifiers[] = {parse_modifier("twist", twist)};
    const auto both = modify(file, modifiers, {{}, file});
    const Rig& upper = both[0].rig;
    const Rig& lower = both[1].rig;
    check_same_chain(upper, lower);
    for (VertexIndex v = 0; v < 8; ++v) check_same_motion(upper, v, lower, 40 + v);
    const Rig* const one[] = {&arm.lower};
    const Rig alone = modify(one, modifiers, {{}, file}).front().rig;
    check_same_chain(lower, alone);
    CHECK(alone.influences.size() == lower.influences.size());
  }
}

TEST_CASE("modifiers: the segment of a leaf reaches to the farthest vertex of any mesh") {
  const CutArm arm;
  Rig far = arm.lower;
  auto mesh = std::make_shared<Mesh>(*far.mesh);
  for (std::size_t i = 1; i < mesh->positions.size(); i += 3) mesh->positions[i] += 3;
  far.mesh = mesh;
  far.joints = {arm.whole.joints[2]};  // the hand
  const Rig* const file[] = {&arm.upper, &far};
  const Modifier modifiers[] = {parse_modifier("twist", "LeftHand:n=1,from=self")};
  const auto both = modify(file, modifiers, {{}, file});
  check_same_chain(both[0].rig, both[1].rig);
  for (const ModifiedRig& part : both) {  // its helpers are at 0, 1/2 and 1 of the segment
    const Rig& rig = part.rig;
    const Vec3<double> tip = inverse(rig.joints.back().joint_from_model).translation;
    CHECK(test::distance(tip, {0, 4 + 5 / 8.0, 0}) < 1e-12);
  }
}

TEST_CASE("modifiers: joints with the same name are distinguished by their nodes") {
  std::vector<Node> nodes(3);
  for (int j = 1; j < 3; ++j) {
    nodes[j].name = "arm";
    nodes[j].parent = j - 1;
    nodes[j].translation = {0, 1, 0};
  }
  const Rig rig =
      test::loose({{0, 0, 0}, {0, 1, 0}, {0, 2, 0}}, nodes, {{{0, 1}}, {{1, 1}}, {{2, 1}}});
  CHECK(has(failure(rig, "arm"), "#1 or #2"));
  CHECK(modified({&rig}, {{"twist", "#1"}}).front().rig.joints.size() == 7);
}

TEST_CASE("modifiers: a joint without weight is not split") {
  Rig named = test::arm();
  named.influences.assign(named.influences.size(), {0, 1});
  const ModifiedRig result = modified({&named}, {{"twist", "elbow"}}).front();
  REQUIRE(result.changes.size() == 1);
  CHECK(result.changes[0].vertices_touched == 0);
  CHECK(result.rig.joints.size() == 3);
}

TEST_CASE("modifiers: auto skips limbs that already have a twist joint, with an issue") {
  const CutArm arm;
  Rig rig = arm.whole;
  auto skeleton = std::make_shared<Skeleton>(*rig.skeleton);
  skeleton->nodes[2].name = "forearm_twist_01_l";  // moves the rings beyond the forearm
  rig.skeleton = skeleton;
  CHECK(has(failure(rig, "auto"), "'forearm_twist_01_l' already shares its twist"));
  skeleton->nodes[2].name = "LeftHand";
  const ModifiedRig split = modified({&rig}, {{"twist", "auto"}}).front();
  CHECK(split.rig.twists.size() == 1);  // the upper arm does not have a parent
  REQUIRE(split.issues.size() == 1);
  CHECK(split.issues[0].code == "TWIST_LIMB_LEFT");
  CHECK(has(split.issues[0].message, "skips 'LeftArm': no joint with weight is above it"));
}

TEST_CASE("modifiers: auto makes one record per limb") {
  Rig rig = test::arm();
  auto skeleton = std::make_shared<Skeleton>(*rig.skeleton);
  skeleton->nodes[0].name = "LeftShoulder";
  skeleton->nodes[1].name = "LeftArm";
  skeleton->nodes[2].name = "LeftForeArm";
  rig.skeleton = skeleton;
  const ModifiedRig named = modified({&rig}, {{"twist", "auto:n=2"}}).front();
  REQUIRE(named.changes.size() == 1);  // no joint is below the forearm
  CHECK(named.changes[0].modifier == "twist=LeftArm:n=2,from=self");
  const std::vector<HumanoidBone> map{{"leftLowerArm", 1}};
  const ModifiedRig mapped = modified({&rig}, {{"twist", "auto:n=2"}}, map).front();
  REQUIRE(mapped.changes.size() == 1);
  CHECK(mapped.changes[0].modifier == "twist=LeftArm:n=2,from=child");
}

}  // namespace skinbake

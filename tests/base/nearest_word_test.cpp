#include "base/nearest_word.h"

#include <doctest/doctest.h>

namespace skinbake {
namespace {

using Words = std::vector<std::string>;

TEST_CASE("nearest word: a known word is its own nearest") {
  CHECK(nearest_word("walk", {"run", "walk"}) == "walk");
}

TEST_CASE("nearest word: differs in a third of the letters at most, rounded up") {
  CHECK(nearest_word("dsq", {"dqs"}) == "dqs");  // an exchange counts once
  CHECK(nearest_word("qds", {"dsq"}).empty());   // two of three letters
  CHECK(nearest_word("dqx", {"dqs"}) == "dqs");
  CHECK(nearest_word("metod", {"method", "mesh"}) == "method");
  CHECK(nearest_word("abcdef", {"abcxyz"}).empty());
  CHECK(nearest_word("abcdef", {"abcdyz"}) == "abcdyz");
}

TEST_CASE("nearest word: the first of several") {
  CHECK(nearest_word("bat", {"cat", "hat"}) == "cat");
}

TEST_CASE("nearest word: capital and small letters are equal") {
  CHECK(nearest_word("IDLE", {"Walk", "Idle"}) == "Idle");
  CHECK(nearest_word("idle_loop", {"IDLE_LOOP"}) == "IDLE_LOOP");
}

TEST_CASE("nearest word: the only word that contains the typed one, if none is close") {
  CHECK(nearest_word("run", {"Armature|Run", "Armature|Walk"}) == "Armature|Run");
  CHECK(nearest_word("armature", {"Armature|Run", "Armature|Walk"}).empty());
  CHECK(nearest_word("ru", {"Armature|Run"}).empty());  // two letters are in many words
}

TEST_CASE("nearest word: none for long words, empty ones and empty lists") {
  CHECK(nearest_word("walk", {}).empty());
  CHECK(nearest_word("", {"walk"}).empty());
  CHECK(nearest_word(std::string(65, 'a'), {std::string(65, 'a')}).empty());
  CHECK(nearest_word("aaa", {std::string(65, 'a')}).empty());
}

TEST_CASE("did you mean: ends a message, or is empty") {
  CHECK(did_you_mean("walc", {"walk"}) == "; did you mean 'walk'?");
  CHECK(did_you_mean("dance", {"walk"}).empty());
}

}  // namespace
}  // namespace skinbake

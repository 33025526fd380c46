#include "assay/core/instruction_set.hpp"

#include <catch2/catch.hpp>

using namespace assay;

TEST_CASE("instruction sets have names that are read back") {
  for (InstructionSet set : all_instruction_sets) CHECK(instruction_set_named(name_of(set)) == set);
  CHECK(!instruction_set_named("avx1024"));
}

TEST_CASE("the instruction set in use is one that this machine runs") {
  CHECK(instruction_set() <= widest_instruction_set());
  CHECK(instruction_set() == instruction_set());
}

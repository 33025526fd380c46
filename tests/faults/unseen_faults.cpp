#include "assay/faults/unseen_faults.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <string_view>

#include "assay/faults/common_fault.hpp"
#include "assay/faults/gemm_faults.hpp"

using namespace assay;

TEST_CASE("what is said to be unseen is a known fault, once, with a reason") {
  std::set<std::string> known, entries;
  for (const Fault& fault : common_operation_faults()) known.insert(fault.name);
  for (const Fault& fault : gemm_faults()) known.insert(fault.name);
  for (const UnseenFaults& entry : invisible_faults()) {
    CHECK(entry.why.size() > 20);
    for (const std::string_view operation : entry.operations)
      for (const std::string_view fault : entry.faults) {
        INFO(operation << ' ' << fault);
        CHECK(known.count(std::string(fault)) == 1);
        CHECK(entries.insert(std::string(operation) + " " + std::string(entry.formats) + " " + std::string(fault))
                  .second);
      }
  }
}

TEST_CASE("proofs are found by operation, fault and formats") {
  CHECK(proof_of_invisibility("gemm", "narrow_inputs", "bf16.f32.bf16").find("TF32") != std::string::npos);
  CHECK(proof_of_invisibility("gemm", "narrow_inputs", "f32.f32.f32").empty());
  CHECK_FALSE(proof_of_invisibility("softmax", "negative_zero").empty());
  CHECK(proof_of_invisibility("softmax", "zero_output").empty());
  CHECK(proof_of_invisibility("gather", "negative_zero").empty());  // which moves a zero as it is
}

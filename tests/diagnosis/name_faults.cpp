#include "assay/diagnosis/name_faults.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "assay/diagnosis/diagnose.hpp"
#include "assay/faults/softmax_faults.hpp"

using namespace assay;

TEST_CASE("a confusion matrix counts what was named rightly, wrongly and not at all") {
  const auto named = [](FaultClass declared, std::vector<Diagnosis> diagnoses) {
    return NamedFault{"op", "fault", "shape", declared, std::move(diagnoses), 0};
  };
  const Table table =
      confusion_matrix({named(FaultClass::memory, {{FaultClass::memory, "overrun", Confidence::certain, {}, {}}}),
                        named(FaultClass::memory, {{FaultClass::state, "race", Confidence::certain, {}, {}}}),
                        named(FaultClass::state, {}),
                        named(FaultClass::state, {{FaultClass::state, "race", Confidence::likely, {}, {}}})});
  REQUIRE(table.rows.size() == 3);
  CHECK(table.rows.back().front() == "all");
  const std::vector<std::string> shares(table.rows.back().end() - 4, table.rows.back().end());
  CHECK(shares == std::vector<std::string>{"4", "50.0 %", "25.0 %", "25.0 %"});
}

TEST_CASE("halves of the corpus hold every fault once") {
  std::size_t in_half[2] = {0, 0};
  for (const Fault& fault : OperationFaults<Softmax>::faults()) ++in_half[half_of(fault.name)];
  CHECK(in_half[0] > 0);
  CHECK(in_half[1] > 0);
}

TEST_CASE("most failures of softmax kernels are named rightly, few wrongly and for certain") {
  NameFaultsOptions options;
  options.diagnosis = {&diagnose, 1, true};
  options.seeds = {11};
  options.cases_a_fault = 1;
  options.most_tried = 30;
  options.formats = {element_format<float32>(), element_format<bfloat16>()};
  std::size_t right = 0, wrongly_certain = 0;
  const auto named = name_faults<Softmax>(options);
  std::string wrong;
  for (const NamedFault& one : named) {
    right += one.rightly() ? 1 : 0;
    wrongly_certain += one.wrongly_certain() ? 1 : 0;
    if (!one.rightly())
      wrong +=
          "\n" + one.fault + " on " + one.shape + ": " + (one.diagnosed() ? one.diagnoses.front().text() : "nothing");
  }
  INFO(right << " of " << named.size() << wrong);
  CHECK(named.size() >= 30);
  CHECK(right * 10 >= named.size() * 6);
  CHECK(wrongly_certain * 20 <= named.size());
}

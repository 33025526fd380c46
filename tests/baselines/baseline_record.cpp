#include "assay/baselines/baseline_record.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("subjects are equal where test, output and configuration are; records are of nobody and derived at first") {
  const BaselineSubject subject{"gemm", "C", {{"seed", "1"}}};
  CHECK(subject == BaselineSubject{"gemm", "C", {{"seed", "1"}}});
  CHECK_FALSE(subject == BaselineSubject{"gemm", "D", {{"seed", "1"}}});
  CHECK_FALSE(subject == BaselineSubject{"gemm", "C", {{"seed", "2"}}});
  CHECK_FALSE(subject == BaselineSubject{"gemm", "C", {}});
  CHECK(BaselineRecord{}.tolerance == "derived");
  CHECK(BaselineRecord{}.approved_by.empty());
}

#include "assay/core/diagnosis.hpp"

#include <catch2/catch.hpp>

using namespace assay;

TEST_CASE("a diagnosis reads as one line, its class and kind first") {
  const Diagnosis diagnosis{FaultClass::missing_work,
                            "bias_ignored",
                            Confidence::certain,
                            {"all elements are right without it", "of 12 hypotheses, 1 left nothing unexplained"},
                            {}};
  CHECK(diagnosis.text() ==
        "certain: missing_work, bias_ignored: all elements are right without it; of 12 hypotheses, 1 left nothing "
        "unexplained");
  CHECK(name_of(Confidence::likely) == "likely");
}

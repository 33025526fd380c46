#include "assay/profile/matrix_unit.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("A unit of one's own is a function from probes to codes") {
  MatrixUnit unit;
  unit.name = "in double";
  unit.ask = [&](const std::vector<DotProbe>& probes) -> Result<std::vector<std::uint64_t>> {
    std::vector<std::uint64_t> codes;
    for (const DotProbe& probe : probes) {
      double sum = 0;
      for (std::size_t k = 0; k < probe.a.size(); ++k) sum += unit.a.decode(probe.a[k]) * unit.b.decode(probe.b[k]);
      codes.push_back(unit.c.encode(sum));
    }
    return codes;
  };
  const auto answers = unit.ask({{{unit.a.encode(2), unit.a.encode(3)}, {unit.b.encode(5), unit.b.encode(7)}}});
  REQUIRE(answers);
  CHECK(answers.value() == std::vector<std::uint64_t>{unit.c.encode(31)});
}

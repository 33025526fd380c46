#include "assay/tensor/fill_operand.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "assay/backends/host.hpp"

using namespace assay;

namespace {
struct Counting {
  double operator()(Index element) const { return static_cast<double>(element) + 0.0009765625; }
};
}  // namespace

TEST_CASE("an operand is filled in row-major order, rounded to its format, gaps left alone") {
  Host host(2);
  auto stream = host.make_stream().value();
  std::vector<float> wide(3 * 5000, -1);
  Operand operand = contiguous_operand(wide.data(), {3, 4099});
  operand.strides[0] = 5000;
  REQUIRE(fill_operand(host, stream, operand, Counting{}));
  CHECK(wide[0] == 0.0009765625f);
  CHECK(wide[5000 + 7] == 4106.0009765625f);
  CHECK(wide[4099] == -1);
  std::vector<bfloat16> narrow(300);
  REQUIRE(fill_operand(host, stream, contiguous_operand(narrow.data(), {300}), Counting{}));
  CHECK(decode(narrow[299]) == 300);
}

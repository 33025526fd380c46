#include "assay/gpgpu/clblast/clblast.hpp"

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "assay/gpgpu/opencl/opencl_device.hpp"
#include "gpgpu/device_or_skip.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

/// C = A·B of (2, m, k) and (2, k, n), row-major, each within guards of 64 bytes.
struct Products {
  static constexpr Index m = 3, n = 4, guard = 16;
  Index k = 5;
  std::vector<float> a, b, c;

  Result<void> run() {
    PluginRequest request{"gemm", "small", "f32.f32.f32", {}, {}};
    const auto integer = [&](const char* name, Index value) {
      request.attributes.push_back({name, PluginAttributeKind::integer, value, static_cast<double>(value), ""});
    };
    integer("m", m), integer("n", n), integer("k", k), integer("batch", 2);
    integer("transpose_a", 0), integer("transpose_b", 0);
    request.attributes.push_back({"order", PluginAttributeKind::text, 0, 0, "row_major"});
    request.attributes.push_back({"alpha", PluginAttributeKind::real, 0, 2, "2"});
    request.attributes.push_back({"beta", PluginAttributeKind::real, 0, 0, "0"});
    const auto add = [&](const char* name, std::vector<float>& data, Index rows, Index columns, float value) {
      data.assign(static_cast<std::size_t>(2 * rows * columns + 2 * guard), value);
      Operand operand = contiguous_operand(data.data() + guard, {2, rows, columns});
      operand.guard_bytes = guard * 4;
      request.tensors.push_back({name, OperandRole::input, element_format<float32>(), operand});
    };
    add("A", a, m, k, 1.5f);
    add("B", b, k, n, 2);
    add("C", c, m, n, -1);
    return clblast_functions().front().run(request);
  }
};

}  // namespace

TEST_CASE("CLBlast multiplies batches of matrices and writes nothing else", "[.opencl]") {
  testing::device_or_skip<OpenClDevice>();
  Products products;
  const auto ran = products.run();
  if (!ran && ran.error().kind == ErrorKind::unsupported) {
    std::printf("skipped: %s\n", ran.error().message.c_str());
    std::fflush(nullptr);
    std::_Exit(77);
  }
  if (!ran) FAIL(ran.error().message);
  for (std::size_t i = 0; i < products.c.size(); ++i) CHECK(products.c[i] == (i >= 16 && i < 16 + 24 ? 30.0f : -1.0f));
  products.k = 0;
  const auto empty = products.run();
  REQUIRE_FALSE(empty);
  CHECK(empty.error().kind == ErrorKind::unsupported);
}

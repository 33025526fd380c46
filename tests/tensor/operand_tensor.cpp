#include "assay/tensor/operand_tensor.hpp"

#include <catch2/catch.hpp>

#include "assay/backends/host.hpp"
#include "assay/formats/small_formats.hpp"

using namespace assay;

namespace {
using Made = OperandTensor<Host>;
}

TEST_CASE("an operand's tensor tells what was not written, what was written beside it, and that it changed") {
  Host host(1);
  auto stream = host.make_stream().value();
  for (const ElementFormat& format : {element_format<float32>(), element_format<bfloat16>(), element_format<float16>(),
                                      element_format<float64>(), element_format<float8_e5m2>()}) {
    INFO(format.name);
    for (const Index misalignment : {0, 1, 3}) {
      auto tensor = Made::create(host, stream, format, {3, 2, 5}, 3, misalignment);
      REQUIRE(tensor);
      Operand view = tensor.value().view();
      CHECK(reinterpret_cast<std::uintptr_t>(view.data) % 64 ==
            static_cast<std::uintptr_t>(misalignment * format.bytes) % 64);
      CHECK(view.strides[2] == 1);
      CHECK(view.strides[1] == 8);
      CHECK(view.strides[0] == 16);
      CHECK(tensor.value().count_unwritten(host, stream).value() == 30);
      const std::uint64_t before = tensor.value().fingerprint(host, stream).value();
      for (Index e = 0; e < 29; ++e) view.store(e, 1);
      CHECK(tensor.value().count_unwritten(host, stream).value() == 1);
      CHECK(tensor.value().count_overwritten_gaps(host, stream).value() == 0);
      CHECK(tensor.value().fingerprint(host, stream).value() != before);
      format.store(view.data, 5, 1);  // behind the first row
      CHECK(tensor.value().count_overwritten_gaps(host, stream).value() == 1);
      CHECK(tensor.value().check_canaries(host, stream).value().intact());
      format.store(view.data, 6 * 8 + 8, 1);  // behind all
      CHECK_FALSE(tensor.value().check_canaries(host, stream).value().intact());
      REQUIRE(tensor.value().poison(host, stream));
      CHECK(tensor.value().count_overwritten_gaps(host, stream).value() == 0);
      CHECK(tensor.value().count_unwritten(host, stream).value() == 30);
    }
  }
}

TEST_CASE("formats whose every code may be a result do not tell what was not written") {
  Host host(1);
  auto stream = host.make_stream().value();
  for (const ElementFormat& format :
       {element_format<std::int8_t>(), element_format<std::int32_t>(), element_format<float4_e2m1fn>()})
    CHECK(Made::create(host, stream, format, {16}).value().count_unwritten(host, stream).value() == 0);
}

TEST_CASE("a tensor without elements, of rank 0, and with extents that cannot be") {
  Host host(1);
  auto stream = host.make_stream().value();
  const ElementFormat format = element_format<float32>();
  CHECK(Made::create(host, stream, format, {0, 7}).value().view().size() == 0);
  CHECK(Made::create(host, stream, format, {}).value().view().size() == 1);
  CHECK(Made::create(host, stream, format, {2, -1}).error().message.find("dimension 1") != std::string::npos);
  CHECK(Made::create(host, stream, format, {Index{1} << 40, Index{1} << 40, 2}).error().kind == ErrorKind::invalid);
  CHECK(Made::create(host, stream, format, {1, 1, 1, 1, 1, 1, 1}).error().kind == ErrorKind::invalid);
  CHECK_FALSE(Made::create(host, stream, format, {Index{1} << 50}));
}

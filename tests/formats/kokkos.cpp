#include "assay/formats/kokkos.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("Kokkos' half type is a format", "[formats]") {
  using Half = Kokkos::Experimental::half_t;
  static_assert(Format<Half>);
  if constexpr (std::is_same_v<Half, float>)
    CHECK(std::string(FormatTraits<Half>::name()) == "f32");
  else
    CHECK(std::string(FormatTraits<Half>::name()) == "f16");
  CHECK(decode(encode<Half>(1.5)) == 1.5);
  CHECK(static_cast<float>(Kokkos::Experimental::cast_to_half(1.5f)) == 1.5f);
}

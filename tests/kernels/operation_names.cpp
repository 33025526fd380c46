#include "assay/kernels/operation_names.hpp"

#include <catch2/catch.hpp>

using namespace assay;

TEST_CASE("extents and numbers have short names") {
  CHECK(extents_name({4, 1000, 1}) == "4x1000x1");
  CHECK(extents_name({}).empty());
  CHECK(plain_number(0.5) == "0.5");
  CHECK(plain_number(1e-5) == "1e-05");
}

TEST_CASE("extents and formats that cannot be are named") {
  CHECK(check_extents({{"m", 0}, {"n", 7}}));
  CHECK(check_extents({{"m", 3}, {"n", -7}}).error().message.find("n is -7") == 0);
  CHECK(check_extents({{"m", Index{1} << 40}, {"n", Index{1} << 40}}).error().message.find("n = ") !=
        std::string::npos);
  CHECK(check_float_formats({{"input", element_format<bfloat16>()}}));
  CHECK(check_float_formats({{"input", element_format<bfloat16>()}, {"output", element_format<std::int32_t>()}})
            .error()
            .message == "output is int32; it must be a floating-point format");
}

#include "assay/fleet/capacity/storage_format.hpp"

#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;

TEST_CASE("formats of blocks count their scales") {
  CHECK(storage_format_named("q8_0").value().bytes * 32 == 34);
  CHECK(storage_format_named("mxfp4").value().bytes * 32 == 17);
  CHECK(storage_format_named("nvfp4").value().bytes * 16 == 9);
  CHECK(storage_format_named("bf16").value().bytes == 2);
  CHECK_THAT(storage_format_named("bf61").error().message, contains("nearest: bf16"));
}

#include "assay/telemetry/open_vendor_library.hpp"

#include "testing/catch.hpp"

TEST_CASE("libraries by name") {
  for (const std::string& name : assay::vendor_library_names()) {
    const auto library = assay::open_vendor_library(name, "/absent/library.so");
    REQUIRE(!library);
    CHECK(library.error().kind == assay::ErrorKind::unsupported);
    CHECK(library.error().message.find("/absent/library.so") != std::string::npos);
  }
  const auto unknown = assay::open_vendor_library("nvlm");
  REQUIRE(!unknown);
  CHECK(unknown.error().message.find("nvml") != std::string::npos);
}

#include "assay/hardware/pools/poisoning_resource.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("a write after a free is found, with its place; what is used rightly is not accused") {
  PoisoningResource<> resource;
  auto* const right = static_cast<unsigned char*>(resource.allocate(100, 64));
  right[50] = 1;
  resource.deallocate(right, 100, 64);
  resource.release();
  CHECK(resource.findings().empty());
  auto* const wrong = static_cast<unsigned char*>(resource.allocate(100, 64));
  resource.deallocate(wrong, 100, 64);
  CHECK(wrong[7] == PoisoningResource<>::poison);  // still mapped: it is held back
  wrong[42] = 0;
  resource.release();
  REQUIRE(resource.findings().size() == 1);
  CHECK(resource.findings()[0].find("1 bytes, the first at 42") != std::string::npos);
}

TEST_CASE("no more is held back than the capacity") {
  PoisoningResource<> resource(150);
  void* const first = resource.allocate(100, 16);
  void* const second = resource.allocate(100, 16);
  static_cast<unsigned char*>(first)[0] = 1;
  resource.deallocate(first, 100, 16);
  static_cast<unsigned char*>(first)[3] = 9;
  CHECK(resource.findings().empty());
  resource.deallocate(second, 100, 16);  // the first goes back, and is looked at
  CHECK(resource.findings().size() == 1);
}

#include "assay/hardware/memory/background.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("of the backgrounds of a width, any two bits hold every pair of values in one or its complement") {
  for (const unsigned width : {1u, 2u, 7u, 8u, 64u}) {
    const auto words = backgrounds_of_width(width);
    unsigned logarithm = 0;
    while ((1u << logarithm) < width) ++logarithm;
    CHECK(words.size() == logarithm + 1);
    for (unsigned a = 0; a < width; ++a)
      for (unsigned b = 0; b < a; ++b) {
        bool differ = false;
        for (const std::uint64_t word : words) differ = differ || (word >> a & 1) != (word >> b & 1);
        CHECK(differ);
      }
  }
  CHECK(backgrounds_of_width(64)[1] == 0x5555555555555555u);
  CHECK(backgrounds_of_width(64)[6] == 0x00000000FFFFFFFFu);
}

TEST_CASE("backgrounds depend on the place as they say") {
  using Kind = Background::Kind;
  CHECK(Background{Kind::solid, 7}.at(99) == 7);
  CHECK(Background{Kind::alternating, 7}.at(3) == ~std::uint64_t{7});
  CHECK(Background{Kind::address, 0}.at(3) == 24);
  CHECK(Background{Kind::random, 1}.at(3) != Background{Kind::random, 1}.at(4));
  CHECK(Background{Kind::random, 1}.at(3) == Background{Kind::random, 1}.at(3));
  CHECK(Background{Kind::solid, 255}.text() == "0x00000000000000ff");
  CHECK(Background{Kind::random, 5}.text() == "random(5)");
  CHECK(backgrounds_of(BackgroundSet::walking, 8, 1).size() == 8);
  CHECK(backgrounds_of(BackgroundSet::addresses, 64, 1).size() == 1);
}

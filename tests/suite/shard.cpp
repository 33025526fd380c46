#include "assay/suite/shard.hpp"

#include <string>

#include "testing/catch.hpp"

using assay::parse_shard;

TEST_CASE("a shard is read from i/n", "[suite]") {
  CHECK(parse_shard("1/1").value().index == 1);
  CHECK(parse_shard("3/16").value().index == 3);
  CHECK(parse_shard("3/16").value().count == 16);
  CHECK(name_of(parse_shard("16/16").value()) == "16/16");
}

TEST_CASE("a shard outside 1 ≤ i ≤ n is refused", "[suite]") {
  for (const char* text : {"0/4", "5/4", "1/0", "0/0"}) {
    INFO(text);
    REQUIRE_FALSE(parse_shard(text));
    CHECK(parse_shard(text).error().kind == assay::ErrorKind::invalid);
    CHECK(parse_shard(text).error().message.find(std::string("shard ") + text +
                                                 " does not exist; give i/n with 1 ≤ i ≤ n") == 0);
  }
}

TEST_CASE("what is not i/n is refused", "[suite]") {
  for (const char* text :
       {"", "/", "1", "1/", "/4", "a/4", "1/4x", "-1/4", "1/ 4", "1/4/4", "99999999999999999999999/4"}) {
    INFO(text);
    REQUIRE_FALSE(parse_shard(text));
    CHECK(parse_shard(text).error().message.find("cannot be read") != std::string::npos);
  }
}

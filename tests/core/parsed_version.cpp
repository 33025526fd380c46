#include "assay/core/parsed_version.hpp"

#include <random>
#include <string>
#include <vector>

#include "testing/catch.hpp"

using namespace assay;

namespace {

Version version_of(const std::string& text) {
  const auto read = parse_version(text);
  INFO(text << (read ? std::string() : ": " + read.error().message));
  REQUIRE(read);
  return read.value();
}

Version semantic(const std::string& text) {
  const auto read = parse_semantic_version(text);
  INFO(text << (read ? std::string() : ": " + read.error().message));
  REQUIRE(read);
  return read.value();
}

/// Every version is before all that follow it, and after none of them.
template <class Parse>
void check_chain(const std::vector<std::string>& chain, Parse parse) {
  for (std::size_t i = 0; i < chain.size(); ++i)
    for (std::size_t j = 0; j < chain.size(); ++j) {
      INFO(chain[i] << " and " << chain[j]);
      CHECK(((parse(chain[i]) <=> parse(chain[j])) < 0) == (i < j));
      CHECK((parse(chain[i]) == parse(chain[j])) == (i == j));
    }
}

}  // namespace

TEST_CASE("drivers are ordered number by number, not letter by letter") {
  check_chain({"9", "450.80.02", "450.80.3", "450.80.10", "525.60.13", "550.9", "550.54", "550.54.15", "580.1", "1000"},
              version_of);
  CHECK(version_of("12") == version_of("12.0.0"));
  CHECK(version_of("450.80.02") == version_of("450.80.2"));
  CHECK(version_of("00.0") == version_of("0"));
}

TEST_CASE("the chain of the specification of SemVer") {
  check_chain({"1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11",
               "1.0.0-rc.1", "1.0.0"},
              semantic);
  check_chain({"1.9.0", "1.10.0", "1.11.0", "2.0.0", "2.1.0", "2.1.1"}, semantic);
  check_chain({"1.0.0-1", "1.0.0-2", "1.0.0-11", "1.0.0--", "1.0.0-1a", "1.0.0-A", "1.0.0-a"}, semantic);
}

TEST_CASE("versions as people write them") {
  check_chain({"2.6.0~rc1", "2.6.0.dev20250101", "2.6.0a0", "2.6.0-beta", "2.6.0rc1", "2.6.0-rc.2", "2.6.0", "2.6.0-1",
               "2.6.0-43", "2.6.0-66", "2.6.0-66-generic", "2.6.0.post1", "v2.6.1", "R535", "1:1.0"},
              version_of);
  CHECK(version_of("v2.18") == version_of("2.18.0"));
  CHECK(version_of("2.6.0a0+git1234").build == "git1234");
  CHECK(version_of("2.6.0a0+git1234") < version_of("2.6.0"));
  CHECK(version_of("6.2.0-66") > version_of("6.2"));
  CHECK(version_of("5.15.0-91-generic").revision == std::vector<std::string>{"91", "generic"});
  CHECK(version_of("1.0-alpha1") == version_of("1.0a1"));
  CHECK(version_of("1.0a1.dev1") < version_of("1.0a1"));
}

TEST_CASE("a build says nothing about the order") {
  CHECK(semantic("1.0.0+20130313144700") == semantic("1.0.0"));
  CHECK(semantic("1.0.0-beta+exp.sha.5114f85") == semantic("1.0.0-beta+21AF26D3---117B344092BD"));
  CHECK(semantic("1.0.0-x-y-z.--").prerelease == std::vector<std::string>{"x-y-z", "--"});
  CHECK(semantic("1.0.0+0017").build == "0017");
}

TEST_CASE("numbers of any size") {
  check_chain({"18446744073709551615.0", "18446744073709551616.0", "99999999999999999999999.999999999999999999"},
              version_of);
  check_chain({"1.0.0-99999999999999999999998", "1.0.0-99999999999999999999999", "1.0.0"}, semantic);
}

TEST_CASE("what is no version is refused, with the reason") {
  for (const char* text : {"", ".", "1.", ".1", "1..2", "12abc", "12.x", "-1", "1 .2", "1.2-", "1.2-a..b", "1.2-ä",
                           "1.2+", "1.2+a b", "H100", "1,2", "1.2-a_b"}) {
    INFO(text);
    const auto read = parse_version(text);
    REQUIRE_FALSE(read);
    CHECK(read.error().kind == ErrorKind::malformed);
    CHECK_THAT(read.error().message, testing::contains("is no version") && testing::contains("550.54.15"));
  }
  for (const char* text :
       {"1", "1.2", "1.2.3.4", "01.2.3", "1.02.3", "1.2.03", "1.2.3-01", "1.2.3-a.00", "1.2.3-", "1.2.3+"}) {
    INFO(text);
    CHECK_FALSE(parse_semantic_version(text));
  }
  for (const char* text :
       {"0.0.0", "1.2.3-0", "1.2.3-0a", "1.2.3-01a", "1.2.3+01", "1.2.3----RC-SNAPSHOT.12.9.1--.12"}) {
    INFO(text);
    CHECK(parse_semantic_version(text));
  }
  CHECK_FALSE(parse_version(std::string(257, '1')));
  CHECK(parse_version(std::string(256, '1')));
}

TEST_CASE("the order is one, whatever versions are compared") {
  std::mt19937 random(1);
  std::vector<Version> versions;
  for (int i = 0; i < 60; ++i) {
    std::string text = std::to_string(random() % 3);
    for (auto part = random() % 3; part > 0; --part) text += "." + std::to_string(random() % 3);
    if (random() % 2 == 0) text += random() % 2 == 0 ? "-rc." + std::to_string(random() % 3) : "-a";
    versions.push_back(version_of(text));
  }
  for (const Version& a : versions)
    for (const Version& b : versions) {
      REQUIRE(((a <=> b) < 0) == ((b <=> a) > 0));
      for (const Version& c : versions)
        if (a <= b && b <= c) REQUIRE(a <= c);
    }
}

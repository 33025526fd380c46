#include "assay/core/detect_environment.hpp"

#include <cctype>
#include <string>

#include "testing/catch.hpp"

using assay::detail::iso_8601;
using assay::detail::pretty_name_of;

TEST_CASE("the host's environment is known", "[core]") {
  const assay::Environment environment = assay::detect_environment();
  CHECK(environment.assay_version == assay::version);
  CHECK_FALSE(environment.processor.empty());
  CHECK(environment.processor.find('\n') == std::string::npos);
  CHECK(environment.processor.front() != ' ');
  CHECK(environment.logical_processors >= 1);
#if defined(__linux__)
  CHECK_FALSE(environment.host_name.empty());
  CHECK_THAT(environment.operating_system, assay::testing::contains("Linux"));
  CHECK(environment.memory_bytes > 1e8);
#endif
#if defined(__x86_64__)
  CHECK_THAT(environment.instruction_sets, assay::testing::contains("sse2"));
#endif
#if defined(__clang__)
  CHECK(environment.compiler.substr(0, 6) == "clang ");
#elif defined(__GNUC__)
  CHECK(environment.compiler.substr(0, 4) == "g++ ");
#endif
  CHECK_THAT(environment.started_at,
             assay::testing::matches("20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]Z"));
}

TEST_CASE("times are written as ISO 8601 has it", "[core]") {
  using std::chrono::seconds;
  const std::chrono::system_clock::time_point epoch{};
  CHECK(iso_8601(epoch) == "1970-01-01T00:00:00Z");
  CHECK(iso_8601(epoch + seconds(1709251199)) == "2024-02-29T23:59:59Z");
  CHECK(iso_8601(epoch + seconds(1709251200)) == "2024-03-01T00:00:00Z");
  CHECK(iso_8601(epoch + std::chrono::milliseconds(1999)) == "1970-01-01T00:00:01Z");
  CHECK(iso_8601(epoch - seconds(1)) == "1969-12-31T23:59:59Z");
}

TEST_CASE("the distribution's name is found in an os-release file", "[core]") {
  CHECK(pretty_name_of("ID=x\nPRETTY_NAME=\"Some Linux 1 (name)\"\nVERSION=1\n") == "Some Linux 1 (name)");
  CHECK(pretty_name_of("PRETTY_NAME='Some Linux'") == "Some Linux");
  CHECK(pretty_name_of("PRETTY_NAME=Some") == "Some");
  CHECK(pretty_name_of("MY_PRETTY_NAME=Other\nNAME=x\n").empty());
  CHECK(pretty_name_of("PRETTY_NAME=\"").size() == 1);
  CHECK(pretty_name_of("").empty());
}

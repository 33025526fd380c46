#include "assay/performance/import_options.hpp"

#include "performance/history_conformance.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("what the user says of a file wins over what the file says") {
  Imported imported{{run_of("1", {point_of("a", {1})}), run_of("2", {})}, {}, false};
  ImportOptions options;
  options.labels = {{"version", "9"}, {"commit", "abc"}};
  options.time = UtcTime(std::chrono::hours(5));
  detail::finish_import(imported, options);
  REQUIRE(imported.runs.size() == 1);  // of the second nothing was measured
  CHECK(imported.runs[0].origin.labels == std::map<std::string, std::string>{{"version", "9"}, {"commit", "abc"}});
  CHECK(imported.runs[0].origin.time == *options.time);
  CHECK(imported.has_time);
  options.directions = {{"seconds", Direction::higher_is_better}};
  CHECK(detail::direction_of(options, "seconds", "s") == Direction::higher_is_better);
  CHECK(detail::direction_of(options, "time", "s") == Direction::lower_is_better);
  CHECK_FALSE(detail::direction_of(options, "tiles", "1"));
}

TEST_CASE("a note stands once") {
  std::vector<std::string> notes;
  for (const char* note : {"a", "b", "a"}) detail::note_once(notes, note);
  CHECK(notes == std::vector<std::string>{"a", "b"});
}

#include "assay/release/calendar_date.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("days come back as they were read, in order") {
  for (const char* text : {"1970-01-01", "2024-02-29", "2026-01-31", "2026-12-31", "0001-01-01", "9999-12-31"})
    CHECK(date_text(parse_calendar_date(text).value()) == text);
  CHECK(parse_calendar_date("2026-01-31").value() < parse_calendar_date("2026-02-01").value());
  CHECK((parse_calendar_date("2024-03-01").value() - parse_calendar_date("2024-02-28").value()).count() == 2);
}

TEST_CASE("what is no day is refused") {
  for (const char* text : {"", "2026-1-31", "2026-02-29", "2026-13-01", "2026-00-10", "2026-04-31", "31.01.2026",
                           "2026-01-31T00", "2026/01/31", "tomorrow", "-026-01-31", "2026-01-3x"}) {
    INFO(text);
    const auto read = parse_calendar_date(text);
    REQUIRE_FALSE(read);
    CHECK(read.error().kind == ErrorKind::malformed);
    CHECK_THAT(read.error().message, testing::contains("2026-01-31"));
  }
}

TEST_CASE("the clock shows a day of this age") {
  CHECK(current_date() > parse_calendar_date("2024-01-01").value());
  CHECK(current_date() < parse_calendar_date("2200-01-01").value());
}

#include "assay/report/progress.hpp"

#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

/// `count` cases of `seconds` each, one after the other, from `now` on.
double finish(Progress& progress, int count, double seconds, double now) {
  for (int i = 0; i < count; ++i) {
    progress.case_started("a/case", now);
    now += seconds;
    progress.case_finished("a/case", false, now);
  }
  return now;
}

}  // namespace

TEST_CASE("a rough duration is no more precise than it deserves") {
  CHECK(rough_duration_text(0) == "a few seconds");
  CHECK(rough_duration_text(9.9) == "a few seconds");
  CHECK(rough_duration_text(41) == "about 45 s");
  CHECK(rough_duration_text(78) == "about 1 min 20 s");
  CHECK(rough_duration_text(60) == "about 1 min");
  CHECK(rough_duration_text(2045) == "about 35 min");
  CHECK(rough_duration_text(7900) == "about 2 h 20 min");
  CHECK(rough_duration_text(1e6) == "more than 100 h");
  CHECK(rough_duration_text(1e300) == "more than 100 h");
}

TEST_CASE("the remaining time is the mean cost times what is left") {
  Progress progress(100);
  CHECK_FALSE(progress.remaining_seconds(0));
  double now = finish(progress, 4, 1.0, 0);
  CHECK_FALSE(progress.remaining_seconds(now));
  now = finish(progress, 6, 1.0, now);
  REQUIRE(progress.remaining_seconds(now));
  CHECK(*progress.remaining_seconds(now) == Approx(90));
  CHECK(*progress.remaining_seconds(now + 0.5) == Approx(89.5));
}

TEST_CASE("a case that hangs counts as one case, and the rest never becomes absurd or negative") {
  Progress progress(20);
  const double now = finish(progress, 10, 1.0, 0);
  progress.case_started("hangs", now);
  CHECK(*progress.remaining_seconds(now + 1) == Approx(9));
  CHECK(*progress.remaining_seconds(now + 3600) == Approx(9));
  Progress last(10);
  const double then = finish(last, 9, 1.0, 0);
  last.case_started("hangs", then);
  CHECK(*last.remaining_seconds(then + 3600) == Approx(0).margin(1e-12));
  CHECK_THAT(last.line(then + 3600), contains("a few seconds left  hangs for 60 min 0 s"));
}

TEST_CASE("a thousandfold dearer case is not taken for the rule") {
  Progress progress(1000);
  double now = finish(progress, 500, 0.01, 0);
  now = finish(progress, 1, 10, now);
  now = finish(progress, 99, 0.01, now);
  CHECK(*progress.remaining_seconds(now) < 12);
  CHECK(*progress.remaining_seconds(now) > 3);
}

TEST_CASE("too many finishes, or more than planned, leave no time") {
  Progress progress(10);
  const double now = finish(progress, 12, 1.0, 0);
  CHECK_FALSE(progress.remaining_seconds(now));
  CHECK(progress.line(now) == "12/10  1/s  12 s");
}

TEST_CASE("the line tells what is done, what is bad, how fast, how long, and what runs") {
  Progress progress(340);
  CHECK(progress.line(0) == "0/340");
  progress.case_started("first", 0);
  progress.case_finished("first", true, 0.5);
  double now = finish(progress, 99, 0.5, 0.5);
  progress.case_started("x/\x1b[2J", now);
  progress.case_started("y", now);
  CHECK(progress.line(now) == "100/340, 1 bad  2/s  50 s, about 2 min left  x/\\x1b[2J and 1 more");
  progress.nothing_runs();
  CHECK(progress.line(now) == "100/340, 1 bad  2/s  50 s, about 2 min left");
}

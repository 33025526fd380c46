#include "assay/performance/history.hpp"

#include <set>

#include "assay/performance/detail/version_order.hpp"
#include "performance/history_conformance.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;
using detail::compare_versions;

TEST_CASE("a series has a key that nothing else has") {
  CHECK(series_key("gemm/onednn", {}, "seconds") == "gemm/onednn/seconds");
  CHECK(series_key("gemm", {{"n", "2"}, {"m", "1"}}, "seconds") == "gemm{m=1,n=2}/seconds");
  CHECK(series_key("a%\n", {{"k=", "v,w"}}, "x/y") == "a%25%0A{k%3D=v%2Cw}/x%2Fy");
  const std::vector<std::string> parts{"a", "a/b", "a{b=c}", "b=c", "a%7B", "", "b", "a,b", "[s]"};
  std::set<std::string> keys;
  std::size_t made = 0;
  for (const auto& name : parts)
    for (const auto& metric : parts)
      for (const auto& key : parts)
        for (const auto& value : parts) {
          keys.insert(series_key(name, {{key, value}}, metric));
          keys.insert(series_key(name, {{key, value}, {"z", ""}}, metric));
          made += 2;
        }
  for (const auto& name : parts)
    for (const auto& metric : parts) keys.insert(series_key(name, {}, metric)), ++made;
  CHECK(keys.size() == made);
}

TEST_CASE("the text of a map is read back, and no other text is") {
  for (const detail::TextMap& map :
       {detail::TextMap{}, {{"a", ""}}, {{"", ""}}, {{"a", "1"}, {"b", "=,{}%"}, {std::string("\0", 1), "ü"}}})
    CHECK(detail::parse_canonical_text(detail::canonical_text(map)) == map);
  for (const char* wrong : {"a", "a=1,", ",a=1", "a=1,a=2", "a=%", "a=%4", "a=%4g", "a=%4a", "%zz=1", ","}) {
    CAPTURE(wrong);
    CHECK_FALSE(detail::parse_canonical_text(wrong));
  }
}

TEST_CASE("versions are put in order by their numbers") {
  const std::vector<std::string> ascending{"",
                                           "1.2-rc1",
                                           "1.2-rc2",
                                           "1.2-rc10",
                                           "1.2",
                                           "1.2.1",
                                           "1.9",
                                           "v1.10",
                                           "2",
                                           "450.80.02",
                                           "550.9",
                                           "550.54",
                                           "550.54.1",
                                           "550.54.14",
                                           "551",
                                           "99999999999999999999999999",
                                           "100000000000000000000000000"};
  for (std::size_t i = 0; i < ascending.size(); ++i)
    for (std::size_t j = 0; j < ascending.size(); ++j) {
      CAPTURE(ascending[i], ascending[j]);
      CHECK(compare_versions(ascending[i], ascending[j]) == (i < j ? -1 : i == j ? 0 : 1));
    }
  CHECK(compare_versions("1.02", "1.2") == 0);
  const std::vector<std::string> written{"2.6~rc1", "2.6.dev20250101", "2.6a0+git12",    "2.6b1", "2.6rc2", "2.6",
                                         "2.6-43",  "2.6-66",          "2.6-66-generic", "2.6w",  "2.6.1",  "R535",
                                         "1:1"};
  for (std::size_t i = 0; i < written.size(); ++i)
    for (std::size_t j = 0; j < written.size(); ++j) {
      CAPTURE(written[i], written[j]);
      CHECK(compare_versions(written[i], written[j]) == (i < j ? -1 : i == j ? 0 : 1));
    }
}

TEST_CASE("prereleases are before their release however they are written, as the gate has them") {
  const std::vector<std::vector<std::string>> ascending{
      {"1.1"},
      {"1.2-SNAPSHOT", "1.2-snapshot", "1.2-canary", "1.2.dev", "1.2-NIGHTLY", "1.2-Canary"},
      {"1.2-canary.5", "1.2.dev5"},
      {"1.2-alpha", "1.2a", "1.2-Alpha"},
      {"1.2-BETA"},
      {"1.2-RC1", "1.2ea1", "1.2-preview1"},
      {"1.2", "v1.2.0", "1.2+cu121"},
      {"1.2-66"},
      {"1.2.1-SNAPSHOT"},
      {"1.2.1"}};
  for (std::size_t i = 0; i < ascending.size(); ++i)
    for (std::size_t j = 0; j < ascending.size(); ++j)
      for (const std::string& left : ascending[i])
        for (const std::string& right : ascending[j]) {
          CAPTURE(left, right);
          CHECK(compare_versions(left, right) == (i < j ? -1 : i == j ? 0 : 1));
        }
}

TEST_CASE("labels that are no versions come first, by their letters") {
  const std::vector<std::string> ascending{"", "12abc", "main", "main-2", "next", "0", "1.2"};
  for (std::size_t i = 0; i < ascending.size(); ++i)
    for (std::size_t j = 0; j < ascending.size(); ++j) {
      CAPTURE(ascending[i], ascending[j]);
      CHECK(compare_versions(ascending[i], ascending[j]) == (i < j ? -1 : i == j ? 0 : 1));
    }
}

TEST_CASE("the order of versions is an order, whatever the texts") {
  detail::RandomSequence random(7);
  const auto text = [&] {
    std::string made;
    for (std::uint32_t left = random.below(5); left > 0; --left) made += "019.-av~:+rc"[random.below(12)];
    return made;
  };
  for (int i = 0; i < 20000; ++i) {
    const std::string a = text(), b = text(), c = text();
    REQUIRE(compare_versions(a, b) == -compare_versions(b, a));
    if (compare_versions(a, b) < 0 && compare_versions(b, c) < 0) {
      CAPTURE(a, b, c);
      REQUIRE(compare_versions(a, c) < 0);
    }
    if (compare_versions(a, b) == 0) REQUIRE(compare_versions(a, c) == compare_versions(b, c));
  }
}

TEST_CASE("points are put in order by time or by version") {
  History history;
  const auto add = [&](const std::string& version, int hours) {
    HistoryRun run = run_of(version, {point_of("a", {double(hours)})});
    run.origin.time = UtcTime(std::chrono::hours(hours));
    history.add(run);
  };
  add("1.10", 3);
  add("1.9", 5);
  add("1.10", 1);
  add("1.9", 5);
  REQUIRE(history.series.size() == 1);
  CHECK(history.ordered(history.series[0]) == std::vector<std::size_t>{2, 0, 1, 3});
  CHECK(history.ordered(history.series[0], SeriesOrder::version) == std::vector<std::size_t>{1, 3, 2, 0});
}

TEST_CASE("samples of another unit are converted, or are another series; a direction that changes is told") {
  History history;
  HistoryRun run = run_of("1", {point_of("a", {1})});
  history.add(run);
  run.points[0].metric.unit = "ms";
  history.add(run);
  REQUIRE(history.series.size() == 1);
  CHECK(history.series[0].points[1].samples == std::vector<double>{1e-3});
  CHECK(history.series[0].unit == "s");
  run.points[0].metric.unit = "J";
  history.add(run);
  history.add(run);
  REQUIRE(history.series.size() == 2);
  CHECK(history.series[1].key == "a/seconds[J]");
  CHECK(history.series[1].points.size() == 2);
  CHECK(history.warnings.empty());
  run.points[0].metric.direction = Direction::higher_is_better;
  history.add(run);
  CHECK(history.find("a/seconds[J]")->direction == Direction::higher_is_better);
  REQUIRE(history.warnings.size() == 1);
  CHECK_THAT(history.warnings[0], contains("a/seconds[J] was lower_is_better and is higher_is_better"));
}

TEST_CASE("times are read with every offset, and texts that are no times are not") {
  const auto text = [](const char* given) {
    const auto time = parse_utc_time(given);
    return time ? utc_time_text(*time) : "none";
  };
  CHECK(text("2025-01-02T03:04:05Z") == "2025-01-02T03:04:05.000Z");
  CHECK(text("2025-01-02T03:04:05.678901+02:00") == "2025-01-02T01:04:05.678Z");
  CHECK(text("2025-01-02T00:04:05-05:30") == "2025-01-02T05:34:05.000Z");
  CHECK(text("2025-01-02T03:04:05") == "2025-01-02T03:04:05.000Z");
  for (const char* wrong : {"", "2025-01-02", "2025-02-30T00:00:00Z", "2025-01-02T03:04:05+2:00",
                            "2025-01-02T03:04:05+24:00", "2025-01-02T03:04:05 Z", "-01:00", "2025-01-02T03:04-01:00"}) {
    CAPTURE(wrong);
    CHECK(text(wrong) == "none");
  }
}

TEST_CASE("an environment's summary leaves out what is not known") {
  Environment environment;
  environment.processor = "EPYC";
  environment.devices = {"H200", "H200"};
  environment.libraries = {{"OpenBLAS", "0.3.21"}};
  CHECK(environment_summary(environment) == std::map<std::string, std::string>{{"processor", "EPYC"},
                                                                               {"devices", "H200; H200"},
                                                                               {"library OpenBLAS", "0.3.21"}});
}

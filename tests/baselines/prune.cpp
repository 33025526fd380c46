#include "assay/baselines/prune.hpp"

#include "assay/baselines/memory_store.hpp"
#include "baselines/sample_record.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("rules choose by age, by use and candidates, and never what cannot be read") {
  Baseline baseline{MemoryStore()};
  const auto put = [&](const std::string& test, const char* created, const char* approved, bool candidate) {
    BaselineRecord record = sample_record();
    record.subject.test = test;
    record.key = baseline_key(record.subject);
    record.created_at = created;
    record.approved_at = approved;
    static_cast<void>(baseline.store()
                          .save(record.key + (candidate ? ".candidate" : ""), record_text(record), SaveMode::create)
                          .value());
    return record.key;
  };
  const std::string old = put("old", "2020-01-01T00:00:00Z", "", false),
                    renewed = put("renewed", "2020-01-01T00:00:00Z", "2025-12-01T00:00:00Z", false);
  const std::string fresh = put("fresh", "2025-12-01T00:00:00Z", "", false),
                    timeless = put("timeless", "long ago", "", false);
  put("old", "2020-01-01T00:00:00Z", "", true);
  put("fresh", "2025-12-01T00:00:00Z", "", true);
  REQUIRE(baseline.store().save("damaged", "x", SaveMode::create));
  const auto now = std::chrono::sys_days(std::chrono::year(2026) / 1 / 1);
  const auto chosen = [&](const PruneRule& rule) {
    std::set<std::string> keys;
    const auto entries = chosen_by(rule, baseline, now).value();
    for (const PruneEntry& entry : entries) {
      if (entry.chosen) keys.insert(entry.key);
      if (entry.key == "damaged") CHECK_THAT(entry.reason, contains("damaged"));
    }
    return keys;
  };
  using Keys = std::set<std::string>;
  CHECK(chosen({}) == Keys{});
  CHECK(chosen({std::chrono::days(200'000), {}, false}) == Keys{});  // more nanoseconds than 64 bits count
  CHECK(chosen({std::chrono::days(365), {}, false}) == Keys{old, old + ".candidate"});
  CHECK(chosen({std::chrono::days(1), {}, false}) ==
        Keys{old, old + ".candidate", renewed, fresh, fresh + ".candidate"});
  CHECK(chosen({{}, Keys{fresh, renewed}, false}) == Keys{old, old + ".candidate", timeless});
  CHECK(chosen({std::chrono::days(365), Keys{old}, false}) == Keys{});
  CHECK(chosen({{}, {}, true}) == Keys{old + ".candidate", fresh + ".candidate"});
  CHECK(chosen({std::chrono::days(365), {}, true}) == Keys{old + ".candidate"});
  CHECK(baseline.store().list().value().size() == 7);
}

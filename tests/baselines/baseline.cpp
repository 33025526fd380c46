#include "assay/baselines/baseline.hpp"

#include "assay/baselines/memory_store.hpp"
#include "baselines/sample_record.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

const BaselineSubject subject{"gemm/x", "C", {{"seed", "1"}}};
const std::string key = baseline_key(subject);

ObservedOutput output_of(std::vector<float> values, double allowed = 0.25) {
  const auto size = static_cast<std::int64_t>(values.size());
  return f32_output(values, {size}, allowed);
}

Environment here() {
  Environment environment;
  environment.host_name = "node1";
  environment.libraries = {{"driver", "550.54"}};
  return environment;
}

/// A store whose operations fail when told to.
struct FailingStore {
  MemoryStore inner;
  std::string failing;
  static Failure failed() { return failure(ErrorKind::io, "the disk is full"); }
  [[nodiscard]] Result<std::optional<std::string>> load(const std::string& k) const {
    return failing == "load" ? Result<std::optional<std::string>>(failed()) : inner.load(k);
  }
  [[nodiscard]] Result<bool> save(const std::string& k, std::string_view record, SaveMode mode) {
    return failing == "save" ? Result<bool>(failed()) : inner.save(k, record, mode);
  }
  [[nodiscard]] Result<std::vector<std::string>> list() const { return inner.list(); }
  [[nodiscard]] Result<bool> erase(const std::string& k) {
    return failing == "erase" ? Result<bool>(failed()) : inner.erase(k);
  }
  [[nodiscard]] std::string describe() const { return "a failing store"; }
};

}  // namespace

TEST_CASE("without a golden output the verdict is new_baseline, and comparing writes nothing") {
  Baseline baseline{MemoryStore()};
  const Outcome outcome = baseline.compare(subject, output_of({1, 2}));
  CHECK(outcome.verdict == Verdict::new_baseline);
  CHECK(outcome.id == "baseline/gemm/x/C");
  CHECK(outcome.label("baseline") == key);
  CHECK_THAT(outcome.reason, contains("no golden output"));
  CHECK(baseline.store().list().value().empty());
}

TEST_CASE("what is recorded is compared with: pass, fail, inconclusive, and the rule is told") {
  Baseline baseline{MemoryStore()};
  const Outcome recorded = baseline.record(subject, output_of({1, 2}), here(), {{"kernel_seconds", 0.5, "s"}});
  CHECK(recorded.verdict == Verdict::new_baseline);
  CHECK_THAT(recorded.reason, contains("approved by nobody yet"));
  const Outcome same = baseline.compare(subject, output_of({1, 2}, -1));
  CHECK(same.verdict == Verdict::pass);
  CHECK(same.label("rule") == "identical");
  const Outcome near = baseline.compare(subject, output_of({1.5f, 2}));
  CHECK(near.verdict == Verdict::pass);
  CHECK(near.measurement(measurement::worst_error_ratio) == 1);
  CHECK(near.measurement("differing_elements") == 1);
  std::string derivation;
  for (const std::string& line : near.derivation) derivation += line + "\n";
  CHECK_THAT(derivation, contains("on node1, driver 550.54") && contains("approved by nobody yet") &&
                             contains("compared by derived: |new - golden| <= 2*allowed"));
  const Outcome far = baseline.compare(subject, output_of({1, 2.75f}));
  CHECK(far.verdict == Verdict::fail);
  CHECK(far.measurement(measurement::violations) == 1);
  CHECK(far.measurement("worst_element") == 1);
  CHECK_FALSE(far.reason.empty());
  CHECK(baseline.compare(subject, output_of({1, 2.75f}, std::numeric_limits<double>::infinity())).verdict ==
        Verdict::inconclusive);
  CHECK(baseline.compare(subject, output_of({1, 2.75f}, -1)).verdict == Verdict::inconclusive);
  CHECK(baseline.compare(subject, output_of({1, 2, 3})).verdict == Verdict::fail);
  CHECK(baseline.load(key).value()->metrics.size() == 1);

  BaselineOptions exact;
  exact.tolerance = "exact";
  Baseline strict{MemoryStore(), exact};
  static_cast<void>(strict.record(subject, output_of({1, 2}), here()));
  CHECK(strict.compare(subject, output_of({1, std::nextafter(2.0f, 3.0f)})).verdict == Verdict::fail);
  exact.tolerance = "ulps";
  Baseline misspelled{MemoryStore(), exact};
  CHECK(misspelled.record(subject, output_of({1, 2}), here()).verdict == Verdict::error);
}

TEST_CASE("nothing is overwritten without approval") {
  Baseline baseline{MemoryStore()};
  static_cast<void>(baseline.record(subject, output_of({1, 2}), here()));
  CHECK(baseline.record(subject, output_of({1, 2}), here()).verdict == Verdict::pass);
  CHECK(baseline.store().list().value().size() == 1);

  const Outcome refused = baseline.record(subject, output_of({1, 2.25f}), here());
  CHECK(refused.verdict == Verdict::fail);
  CHECK_THAT(refused.reason, contains("not recorded") && contains("within tolerance") &&
                                 contains("assay baseline approve " + key.substr(0, 12)));
  CHECK_THAT(baseline.record(subject, output_of({1, 9}), here()).reason, contains("1 of 2 elements differ"));
  CHECK(baseline.compare(subject, output_of({1, 2}, -1)).verdict == Verdict::pass);
  CHECK(baseline.compare(subject, output_of({1, 9})).verdict == Verdict::fail);
  CHECK(baseline.store().list().value() == std::vector<std::string>{key, key + ".candidate"});

  CHECK(baseline.approve(key, "").error().kind == ErrorKind::invalid);
  const auto approved = baseline.approve(key, "Ada", "driver 560 rounds right");
  REQUIRE(approved);
  CHECK(approved.value().approved_by == "Ada");
  CHECK(approved.value().replaces == detail::observe_tensor(output_of({1, 2}), 100, 2).value().digest);
  CHECK(baseline.store().list().value() == std::vector<std::string>{key});
  CHECK(baseline.compare(subject, output_of({1, 9}, -1)).verdict == Verdict::pass);
  CHECK(baseline.compare(subject, output_of({1, 2})).verdict == Verdict::fail);
  const auto again = baseline.approve(key, "Ada");
  REQUIRE_FALSE(again);
  CHECK(again.error().kind == ErrorKind::not_found);
  CHECK_THAT(again.error().message, contains("was approved by Ada"));
  CHECK(baseline.approve(baseline_key({"other", "", {}}), "Ada").error().kind == ErrorKind::not_found);
}

TEST_CASE("a first record is signed by who records it, or approved later") {
  BaselineOptions signed_by;
  signed_by.recorded_by = "Grace";
  Baseline baseline{MemoryStore(), signed_by};
  CHECK_THAT(baseline.record(subject, output_of({1}), here()).reason, contains("approved by Grace"));
  static_cast<void>(baseline.record(subject, output_of({2}), here()));
  CHECK(baseline.load(key + ".candidate").value()->approved_by.empty());
  Baseline later{MemoryStore()};
  static_cast<void>(later.record(subject, output_of({1}), here()));
  CHECK(later.approve(key, "Ada").value().approved_by == "Ada");
}

TEST_CASE("a candidate does not replace a golden output that it was not held against") {
  Baseline baseline{MemoryStore()};
  static_cast<void>(baseline.record(subject, output_of({1}), here()));
  static_cast<void>(baseline.record(subject, output_of({2}), here()));
  const std::string candidate = baseline.store().load(key + ".candidate").value().value();
  REQUIRE(baseline.approve(key, "Ada"));
  REQUIRE(baseline.store().save(key + ".candidate", candidate,
                                SaveMode::create));  // as after an approval that was cut short
  REQUIRE(baseline.approve(key, "Ada"));
  CHECK(baseline.store().list().value() == std::vector<std::string>{key});
  REQUIRE(baseline.store().save(key + ".candidate", candidate,
                                SaveMode::create));  // as of a process that recorded at the same time
  REQUIRE(baseline.record(subject, output_of({3}), here()).verdict == Verdict::fail);
  REQUIRE(baseline.approve(key, "Ada"));
  REQUIRE(baseline.store().save(key + ".candidate", candidate, SaveMode::replace));
  const auto stale = baseline.approve(key, "Bob");
  REQUIRE_FALSE(stale);
  CHECK(stale.error().kind == ErrorKind::invalid);
  CHECK_THAT(stale.error().message, contains("was replaced meanwhile") && contains("by Ada"));
  CHECK(baseline.compare(subject, output_of({3}, -1)).verdict == Verdict::pass);
}

TEST_CASE("damaged, misplaced and newer records are errors, never loaded, and never overwritten by recording") {
  Baseline baseline{MemoryStore()};
  static_cast<void>(baseline.record(subject, output_of({1, 2}), here()));
  const std::string text = baseline.store().load(key).value().value();
  std::string damaged = text;
  damaged.back() = static_cast<char>(damaged.back() ^ 1);
  const std::string newer = sealed("{}", "", "2");
  const std::string misplaced = record_text(sample_record());
  for (const auto& [record, says] :
       {std::pair(damaged, "its data"), std::pair(newer, "schema '2'"),
        std::pair(misplaced, "lies the record of another"), std::pair(std::string(), "damaged")}) {
    REQUIRE(baseline.store().save(key, record, SaveMode::replace));
    const Outcome compared = baseline.compare(subject, output_of({1, 2}));
    CHECK(compared.verdict == Verdict::error);
    CHECK_THAT(compared.reason, contains(says) && contains(key));
    CHECK(baseline.record(subject, output_of({1, 2}), here()).verdict == Verdict::error);
    CHECK_FALSE(baseline.approve(key, "Ada"));
    CHECK(baseline.store().load(key).value() == record);
  }
  // A candidate mends a damaged golden record once somebody approves it; a newer one is left to newer versions.
  std::string candidate = text;
  REQUIRE(baseline.store().save(key + ".candidate", candidate, SaveMode::replace));
  REQUIRE(baseline.store().save(key, newer, SaveMode::replace));
  CHECK(baseline.approve(key, "Ada").error().kind == ErrorKind::unsupported);
  REQUIRE(baseline.store().save(key, damaged, SaveMode::replace));
  CHECK(baseline.approve(key, "Ada"));
  CHECK(baseline.compare(subject, output_of({1, 2})).verdict == Verdict::pass);
}

TEST_CASE("a store that fails makes errors") {
  for (const char* operation : {"load", "save", "erase"}) {
    FailingStore store;
    Baseline baseline{std::move(store)};
    static_cast<void>(baseline.record(subject, output_of({1}), here()));
    static_cast<void>(baseline.record(subject, output_of({2}), here()));
    baseline.store().failing = operation;
    const std::string failing = operation;
    if (failing != "erase") CHECK(baseline.record(subject, output_of({3}), here()).verdict == Verdict::error);
    if (failing == "load") CHECK(baseline.compare(subject, output_of({1})).verdict == Verdict::error);
    CHECK_FALSE(baseline.approve(key, "Ada"));
    baseline.store().failing.clear();
    if (failing == "save") CHECK(baseline.compare(subject, output_of({1}, -1)).verdict == Verdict::pass);
    CHECK(baseline.load(key).value().has_value());
  }
}

TEST_CASE("large outputs are kept by digest, samples and sums, and never pass as a full check") {
  BaselineOptions small;
  small.most_bytes = 1000;
  small.samples = 50;
  Baseline baseline{MemoryStore(), small};
  std::vector<float> values = numbers(10'000, 3);
  const BaselineSubject large{"large", "C", {}};
  CHECK(baseline.record(large, f32_output(values, {100, 100}, 1e-3), here()).verdict == Verdict::new_baseline);
  CHECK(baseline.store().load(baseline_key(large)).value()->size() < 8'000);
  const Outcome same = baseline.compare(large, f32_output(values, {100, 100}, 1e-3));
  CHECK(same.verdict == Verdict::pass);
  CHECK(same.label("check").empty());  // the digest covers every bit
  for (float& value : values) value += 1e-4f;
  const Outcome near = baseline.compare(large, f32_output(values, {100, 100}, 1e-3));
  CHECK(near.verdict == Verdict::pass);
  CHECK(near.label("check") == "sampled");
  CHECK(baseline.compare(large, f32_output(values, {100, 100}, 1e-6)).verdict == Verdict::fail);
  CHECK(baseline.compare(large, f32_output(values, {10'000}, 1e-3)).verdict == Verdict::fail);
}

TEST_CASE("outputs that contradict themselves are errors") {
  Baseline baseline{MemoryStore()};
  ObservedOutput wrong = output_of({1, 2});
  wrong.extents = {3};
  CHECK(baseline.record(subject, wrong, here()).verdict == Verdict::error);
  wrong.extents = {-2};
  CHECK(baseline.record(subject, wrong, here()).verdict == Verdict::error);
  wrong = output_of({1, 2});
  wrong.codes.pop_back();
  CHECK(baseline.record(subject, wrong, here()).verdict == Verdict::error);
  wrong = output_of({1, 2});
  wrong.allowed.pop_back();
  static_cast<void>(baseline.record(subject, output_of({1, 2}), here()));
  CHECK(baseline.compare(subject, wrong).verdict == Verdict::error);
  CHECK(baseline.record({"bad utf-8 \xFF", "", {}}, output_of({1}), here()).verdict == Verdict::error);
  CHECK(baseline.store().list().value().size() == 1);
}

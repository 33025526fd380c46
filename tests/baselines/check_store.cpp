#include "assay/baselines/check_store.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "assay/baselines/memory_store.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

/// A store in memory, of one place, that breaks one promise.
class FaultyStore {
 public:
  using Place = std::pair<std::mutex, std::map<std::string, std::string>>;

  FaultyStore(std::shared_ptr<Place> place, std::string fault) : place_(std::move(place)), fault_(std::move(fault)) {}

  [[nodiscard]] Result<std::optional<std::string>> load(const std::string& key) const {
    if (!has("takes any key")) expect_store_key(key);
    const std::lock_guard<std::mutex> lock(place_->first);
    const auto found = records().find(key);
    if (found == records().end()) {
      if (has("absent fails")) return failure(ErrorKind::not_found, "there is no " + key);
      return std::optional<std::string>();
    }
    std::string text = found->second;
    if (has("ends at zero")) text = text.c_str();
    if (has("loses the last byte") && text.size() > 70'000) text.pop_back();
    return std::optional<std::string>(text);
  }
  [[nodiscard]] Result<bool> save(const std::string& key, std::string_view record, SaveMode mode) {
    if (!has("takes any key")) expect_store_key(key);
    if (has("full") && key == "replaced") return failure(ErrorKind::io, "no space left");
    bool there = false;
    {
      const std::lock_guard<std::mutex> lock(place_->first);
      there = records().count(key) > 0;
      if (there && mode == SaveMode::create && !has("creates twice")) return false;
      if (!has("creates late")) records()[has("cuts keys") ? key.substr(0, 64) : key] = record;
    }
    if (has("creates late")) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      const std::lock_guard<std::mutex> lock(place_->first);
      records()[key] = record;
    }
    if (has("writes in two steps") && record.size() > 5000 && key == "replaced") {
      const std::lock_guard<std::mutex> lock(place_->first);
      records()[key] = record.substr(0, 5000);
    }
    return true;
  }
  [[nodiscard]] Result<std::vector<std::string>> list() const {
    const std::lock_guard<std::mutex> lock(place_->first);
    std::vector<std::string> keys;
    for (const auto& [key, record] : records()) keys.push_back(key);
    if (has("lists backwards")) return std::vector<std::string>(keys.rbegin(), keys.rend());
    return keys;
  }
  [[nodiscard]] Result<bool> erase(const std::string& key) {
    if (!has("takes any key")) expect_store_key(key);
    const std::lock_guard<std::mutex> lock(place_->first);
    if (has("erases what continues")) records().erase(key + ".candidate");
    return records().erase(key) > 0 || has("erases nothing gladly");
  }
  [[nodiscard]] std::string describe() const { return has("nameless") ? "" : "a store that " + fault_; }

 private:
  [[nodiscard]] bool has(const char* fault) const { return fault_ == fault; }
  [[nodiscard]] std::map<std::string, std::string>& records() const { return place_->second; }

  std::shared_ptr<Place> place_;
  std::string fault_;
};

Outcome outcome_of(const std::string& fault, StorePlace place = StorePlace::shared) {
  const auto records = std::make_shared<FaultyStore::Place>();
  return check_store([&] { return FaultyStore(records, fault); }, place);
}

}  // namespace

TEST_CASE("a store that keeps its promises passes, and its place is empty again") {
  const auto records = std::make_shared<FaultyStore::Place>();
  const Outcome outcome = check_store([&] { return FaultyStore(records, "has no fault"); });
  INFO(outcome.reason);
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.diagnosis.empty());
  CHECK(records->second.empty());
  CHECK(check_store([] { return MemoryStore(); }, StorePlace::own).verdict == Verdict::pass);
}

TEST_CASE("a store that breaks a promise fails, and the promise is told") {
  const std::vector<std::pair<const char*, const char*>> faults{
      {"takes any key", "is no key, and misuse"},
      {"absent fails", "load() of an absent record succeeds"},
      {"ends at zero", "zeros, quotes, backslashes"},
      {"loses the last byte", "3000000 bytes"},
      {"full", "saving from 8 threads"},
      {"creates twice", "save() to create gives false"},
      {"creates late", "exactly one is told"},
      {"cuts keys", "every record can be erased"},
      {"writes in two steps", "is read whole"},
      {"lists backwards", "in ascending order"},
      {"erases what continues", "erase() leaves other records"},
      {"erases nothing gladly", "erase() of an absent record"},
      {"nameless", "describe() gives a name"}};
  for (const auto& [fault, promise] : faults) {
    const Outcome outcome = outcome_of(fault);
    INFO("a store that " << fault << ": " << outcome.reason);
    CHECK(outcome.verdict == Verdict::fail);
    bool told = false;
    for (const std::string& line : outcome.diagnosis) told = told || line.find(promise) != std::string::npos;
    CHECK(told);
    CHECK(outcome.measurement("broken") == static_cast<double>(outcome.diagnosis.size()));
  }
}

TEST_CASE("stores of places of their own are no stores of one place") {
  CHECK(check_store([] { return MemoryStore(); }, StorePlace::shared).verdict == Verdict::fail);
}

TEST_CASE("a place with records in it is not touched") {
  const auto records = std::make_shared<FaultyStore::Place>();
  records->second["precious"] = "record";
  const Outcome outcome = check_store([&] { return FaultyStore(records, "has no fault"); });
  CHECK(outcome.verdict == Verdict::error);
  CHECK(outcome.reason.find("not empty") != std::string::npos);
  CHECK(records->second == std::map<std::string, std::string>{{"precious", "record"}});
}

#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/baselines/store.hpp"

namespace assay::inline v0 {

/// Records in this process, gone with the store: for tests, and to collect before deciding what to keep. A `Store`.
class MemoryStore {
 public:
  MemoryStore() : state_(std::make_unique<State>()) {}

  [[nodiscard]] Result<std::optional<std::string>> load(const std::string& key) const {
    expect_store_key(key);
    const std::lock_guard<std::mutex> lock(state_->mutex);
    const auto found = state_->records.find(key);
    return found == state_->records.end() ? std::optional<std::string>() : std::optional<std::string>(found->second);
  }

  [[nodiscard]] Result<bool> save(const std::string& key, std::string_view record, SaveMode mode) {
    expect_store_key(key);
    const std::lock_guard<std::mutex> lock(state_->mutex);
    const auto [position, created] = state_->records.try_emplace(key, record);
    if (!created && mode == SaveMode::create) return false;
    if (!created) position->second = record;
    return true;
  }

  [[nodiscard]] Result<std::vector<std::string>> list() const {
    const std::lock_guard<std::mutex> lock(state_->mutex);
    std::vector<std::string> keys;
    for (const auto& [key, record] : state_->records) keys.push_back(key);
    return keys;
  }

  [[nodiscard]] Result<bool> erase(const std::string& key) {
    expect_store_key(key);
    const std::lock_guard<std::mutex> lock(state_->mutex);
    return state_->records.erase(key) > 0;
  }

  [[nodiscard]] std::string describe() const { return "the store in memory"; }

 private:
  struct State {
    mutable std::mutex mutex;
    std::map<std::string, std::string> records;
  };
  std::unique_ptr<State> state_;
};

static_assert(Store<MemoryStore>);

}  // namespace assay::inline v0

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "assay/baselines/store.hpp"

namespace assay::inline v0 {

/// Any store behind one type, for programs that choose theirs at run time. A `Store` itself.
class AnyStore {
 public:
  /// Takes the store over.
  template <class S>
  requires(!std::is_same_v<S, AnyStore>) && Store<S> AnyStore(S store)
      : store_(std::make_unique<Model<S>>(std::move(store))) {}

  [[nodiscard]] Result<std::optional<std::string>> load(const std::string& key) const { return store_->load(key); }
  [[nodiscard]] Result<bool> save(const std::string& key, std::string_view record, SaveMode mode) {
    return store_->save(key, record, mode);
  }
  [[nodiscard]] Result<std::vector<std::string>> list() const { return store_->list(); }
  [[nodiscard]] Result<bool> erase(const std::string& key) { return store_->erase(key); }
  [[nodiscard]] std::string describe() const { return store_->describe(); }

 private:
  struct Interface {
    Interface() = default;
    Interface(const Interface&) = delete;
    Interface& operator=(const Interface&) = delete;
    virtual ~Interface() = default;
    [[nodiscard]] virtual Result<std::optional<std::string>> load(const std::string& key) const = 0;
    [[nodiscard]] virtual Result<bool> save(const std::string& key, std::string_view record, SaveMode mode) = 0;
    [[nodiscard]] virtual Result<std::vector<std::string>> list() const = 0;
    [[nodiscard]] virtual Result<bool> erase(const std::string& key) = 0;
    [[nodiscard]] virtual std::string describe() const = 0;
  };

  template <class S>
  struct Model final : Interface {
    explicit Model(S given) : store(std::move(given)) {}
    [[nodiscard]] Result<std::optional<std::string>> load(const std::string& key) const override {
      return store.load(key);
    }
    [[nodiscard]] Result<bool> save(const std::string& key, std::string_view record, SaveMode mode) override {
      return store.save(key, record, mode);
    }
    [[nodiscard]] Result<std::vector<std::string>> list() const override { return store.list(); }
    [[nodiscard]] Result<bool> erase(const std::string& key) override { return store.erase(key); }
    [[nodiscard]] std::string describe() const override { return store.describe(); }
    S store;
  };

  std::unique_ptr<Interface> store_;
};

}  // namespace assay::inline v0

#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/misuse.hpp"
#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// What `save` does where the store has a record under the key already.
enum class SaveMode {
  create,  ///< leaves it as it is, and says so
  replace  ///< puts the new one in its place
};

/// What opening a store does where there is none.
enum class StoreAccess {
  existing,  ///< fails: a path that was mistyped is no empty store
  create     ///< makes an empty one
};

/// Whether a text may be a key: 1 to 100 characters of a–z, 0–9, '.' and '-', the first a letter or digit.
[[nodiscard]] constexpr bool is_store_key(std::string_view key) {
  const auto alphanumeric = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9');
  };
  if (key.empty() || key.size() > 100 || !alphanumeric(key.front())) return false;
  for (const char letter : key)
    if (!alphanumeric(letter) && letter != '.' && letter != '-') return false;
  return true;
}

/// Keeps records, texts of any bytes, by key (`is_store_key`; others are misuse).
///
/// - `load` tells "absent" (success without a record) from "failed" (an error: nobody knows whether there is one). A
///   store that is not where it was, such as a file system that is no longer mounted, has failed.
/// - `save` is atomic: whoever loads, at any time and from any process, and whoever looks after the writer was killed
///   or the power failed, finds the old record or the new one, whole. When it returns true the new one is durable.
///   False: there was a record, which is as it was and durable (`SaveMode::create` only); of many that create under one
///   key, one gets true. An error: the record is not saved, and the old one is unharmed; where the store cannot know (a
///   connection broke while it committed), the message says so.
/// - `list` gives the keys in ascending order, those that are there throughout the call for certain.
/// - `erase` is durable when it returns: true if there was a record.
/// - `describe` names the store for messages.
///
/// A store hands back the bytes that it was given. That they are what was written years ago is proved by checksums in
/// the record itself (`record_form.hpp`), which whoever reads it verifies: from end to end, whatever lies between.
///
/// Thread safety: one store may be used by many threads at a time; durable stores by many processes, too, each with a
/// store of its own that it opened itself (not inherited through fork). Complexity: `load`, `save` and `erase` touch
/// one record, however many there are.
template <class S>
concept Store = std::movable<S> &&
    requires(S& store, const S& reader, const std::string& key, std::string_view record, SaveMode mode) {
  { reader.load(key) } -> std::same_as<Result<std::optional<std::string>>>;
  { store.save(key, record, mode) } -> std::same_as<Result<bool>>;
  { reader.list() } -> std::same_as<Result<std::vector<std::string>>>;
  { store.erase(key) } -> std::same_as<Result<bool>>;
  { reader.describe() } -> std::same_as<std::string>;
};

/// For stores: misuse unless `key` may be one, see `is_store_key`.
inline void expect_store_key(std::string_view key) {
  expect(is_store_key(key), [&] {
    return "'" + std::string(key) +
           "' is no key of a store; a key has 1 to 100 characters of a-z, 0-9, '.' and '-', and starts with a letter "
           "or digit";
  });
}

}  // namespace assay::inline v0

#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <string>
#include <thread>
#include <vector>

#include "assay/baselines/store.hpp"
#include "testing/catch.hpp"

/// What every store must do, whatever it keeps its records in. For the authors of stores:
///
///   TEST_CASE("my store is one") { assay::testing::check_store([] { return MyStore(…); }); }
///
/// `open()` gives another store of the same, initially empty place where `shared` (durable stores), a new empty one otherwise.
namespace assay::testing {

/// Every byte value, in an order that no text has, and different for every seed.
inline std::string bytes_of(std::size_t size, unsigned seed) {
  std::string bytes(size, '\0');
  unsigned state = seed * 2654435761u + 1;
  for (char& byte : bytes) {
    state = state * 1664525u + 1013904223u;
    byte = static_cast<char>(state >> 24);
  }
  return bytes;
}

template <Store S>
void check_store_basics(S& store) {
  CHECK_FALSE(store.describe().empty());
  REQUIRE(store.list());
  CHECK(store.list().value().empty());
  REQUIRE(store.load("absent"));
  CHECK_FALSE(store.load("absent").value().has_value());
  CHECK_FALSE(store.erase("absent").value());

  CHECK(store.save("k1", "one", SaveMode::create).value());
  CHECK(store.load("k1").value() == "one");
  CHECK_FALSE(store.save("k1", "two", SaveMode::create).value());
  CHECK(store.load("k1").value() == "one");
  CHECK(store.save("k1", "three", SaveMode::replace).value());
  CHECK(store.load("k1").value() == "three");
  CHECK(store.save("k0", "", SaveMode::replace).value());
  CHECK(store.load("k0").value() == "");

  CHECK(store.save("k1.candidate", "aside", SaveMode::create).value());
  CHECK(store.list().value() == std::vector<std::string>{"k0", "k1", "k1.candidate"});
  CHECK(store.erase("k1").value());
  CHECK_FALSE(store.erase("k1").value());
  CHECK_FALSE(store.load("k1").value().has_value());
  CHECK(store.load("k1.candidate").value() == "aside");
  CHECK(store.save("k1", "again", SaveMode::create).value());
  for (const char* key : {"k0", "k1", "k1.candidate"}) CHECK(store.erase(key).value());
  CHECK(store.list().value().empty());
}

template <Store S>
void check_store_bytes(S& store) {
  for (const std::size_t size : {1u, 255u, 4096u, 65537u, 3'000'000u}) {
    const std::string bytes = bytes_of(size, static_cast<unsigned>(size));
    INFO(size << " bytes");
    CHECK(store.save("bytes", bytes, SaveMode::replace).value());
    CHECK((store.load("bytes").value() == bytes));
  }
  const std::string nul("a\0b'; drop table x; --\\\\x", 25);
  CHECK(store.save("bytes", nul, SaveMode::replace).value());
  CHECK(store.load("bytes").value() == nul);
  CHECK(store.erase("bytes").value());
}

template <Store S>
void check_store_keys(S& store) {
  for (const char* key : {"", ".", "..", "../x", "a/b", "A", "-a", ".a", "a b", "a\n", "ü", "a'b", "a%b", "a_b"}) {
    INFO("key '" << key << "'");
    CHECK_THROWS_AS(store.load(key), Misuse);
    CHECK_THROWS_AS(store.save(key, "x", SaveMode::replace), Misuse);
    CHECK_THROWS_AS(store.erase(key), Misuse);
  }
  CHECK_THROWS_AS(store.load(std::string(101, 'a')), Misuse);
  std::vector<std::string> keys{"0", "a", "a-", "a.b", "as", "assay-baselines", std::string(100, 'z'), std::string(64, 'f') + ".candidate"};
  for (const std::string& key : keys) CHECK(store.save(key, "of " + key, SaveMode::create).value());
  std::sort(keys.begin(), keys.end());
  CHECK(store.list().value() == keys);
  for (const std::string& key : keys) CHECK(store.load(key).value() == "of " + key);
  for (const std::string& key : keys) CHECK(store.erase(key).value());
}

/// Of many that create one record one does; readers see one of the records, whole; nothing that was acknowledged is missing.
template <Store S, class Open>
void check_store_threads(S& store, const Open& open, bool shared) {
  std::atomic<int> created{0}, torn{0}, lost{0}, failed{0};
  const auto work = [&](unsigned number) {
    const auto with = [&](S& own) {
      const auto made = own.save("contended", bytes_of(20'000, number), SaveMode::create);
      if (!made)
        ++failed;
      else if (made.value())
        ++created;
      for (unsigned round = 0; round < 3; ++round) {
        const std::string mine = "t" + std::to_string(number) + "-" + std::to_string(round);
        if (!own.save(mine, mine, SaveMode::create)) ++failed;
        if (!own.save("replaced", bytes_of(10'000, number), SaveMode::replace)) ++failed;
        const auto seen = own.load("replaced");
        bool whole = false;
        for (unsigned writer = 0; writer < 8 && seen; ++writer) whole = whole || seen.value() == bytes_of(10'000, writer);
        if (!whole) ++torn;
        const auto own_record = own.load(mine);
        if (!own_record || own_record.value() != mine) ++lost;
      }
    };
    if (shared) {
      S own = open();
      with(own);
    } else {
      with(store);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned number = 0; number < 8; ++number) threads.emplace_back(work, number);
  for (std::thread& thread : threads) thread.join();
  CHECK(created == 1);
  CHECK(torn == 0);
  CHECK(lost == 0);
  CHECK(failed == 0);
  const std::vector<std::string> keys = store.list().value();
  CHECK(keys.size() == 8 * 3 + 2);
  for (const std::string& key : keys) CHECK(store.erase(key).value());
}

template <class Open>
void check_store(const Open& open, bool shared = true) {
  auto store = open();
  check_store_basics(store);
  check_store_bytes(store);
  check_store_keys(store);
  check_store_threads(store, open, shared);
  if (!shared) return;
  CHECK(store.save("kept", "by another", SaveMode::create).value());
  auto other = open();
  CHECK(other.load("kept").value() == "by another");
  CHECK_FALSE(other.save("kept", "not", SaveMode::create).value());
  CHECK(other.save("kept", "anew", SaveMode::replace).value());
  CHECK(store.load("kept").value() == "anew");
  CHECK(other.erase("kept").value());
  CHECK_FALSE(store.load("kept").value().has_value());
}

}  // namespace assay::testing

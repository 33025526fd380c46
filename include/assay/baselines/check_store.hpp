#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "assay/baselines/store.hpp"
#include "assay/core/outcome.hpp"
#include "assay/tensor/random_bits.hpp"

namespace assay::inline v0 {

/// Who shares the records of the stores that `check_store` opens.
enum class StorePlace {
  shared,  ///< every store that is opened is of one and the same place, as durable stores are
  own      ///< every store has records of its own, gone with it
};

namespace detail {

/// Asks a store for what `Store` promises, and writes down what it does not keep.
template <class Open>
class StoreInquiry {
 public:
  using S = std::invoke_result_t<const Open&>;

  StoreInquiry(const Open& open, StorePlace place) : open_(open), place_(place), store_(open()) {}

  [[nodiscard]] Outcome outcome() {
    Outcome outcome;
    const auto listed = store_.list();
    if (!listed || !listed.value().empty()) {
      outcome.verdict = Verdict::error;
      outcome.reason =
          listed ? "the store is not empty: check_store writes and erases records, so give it a place of its own"
                 : "the store cannot be listed: " + listed.error().message;
      return outcome;
    }
    ask_for_records();
    ask_for_bytes();
    ask_for_keys();
    ask_threads();
    if (place_ == StorePlace::shared) ask_another();
    erase_all();
    outcome.diagnosis = broken_;
    outcome.measure("promises", static_cast<double>(asked_));
    outcome.measure("broken", static_cast<double>(broken_.size()));
    outcome.verdict = broken_.empty() ? Verdict::pass : Verdict::fail;
    if (!broken_.empty())
      outcome.reason = std::to_string(broken_.size()) + " of " + std::to_string(asked_) +
                       " promises are not kept, the first: " + broken_[0];
    return outcome;
  }

 private:
  using Loaded = std::optional<std::string>;

  void promise(bool kept, const std::string& what) {
    ++asked_;
    if (!kept) broken_.push_back(what);
  }
  template <class Value>
  [[nodiscard]] static bool gives(const Result<Value>& result, const Value& due) {
    return result.has_value() && result.value() == due;
  }
  [[nodiscard]] bool save(const std::string& key, const std::string& record, SaveMode mode) {
    return gives(store_.save(key, record, mode), true);
  }
  bool erase(const std::string& key) { return gives(store_.erase(key), true); }
  void erase_all() {
    if (const auto keys = store_.list())
      for (const std::string& key : keys.value()) erase(key);
  }
  [[nodiscard]] bool holds(const std::string& key, const std::string& record) const {
    return gives<Loaded>(store_.load(key), Loaded(record));
  }

  /// Bytes in an order that no text has, others for every number.
  [[nodiscard]] static std::string bytes_of(std::size_t size, std::uint64_t number) {
    std::string bytes(size, '\0');
    for (std::size_t i = 0; i < size; ++i)
      bytes[i] = static_cast<char>(random_bits(number, i / 4, 0).words[i % 4] >> 24);
    return bytes;
  }

  void ask_for_records() {
    promise(!store_.describe().empty(), "describe() gives a name");
    promise(gives<Loaded>(store_.load("absent"), Loaded()), "load() of an absent record succeeds, and gives none");
    promise(gives(store_.erase("absent"), false), "erase() of an absent record succeeds, and gives false");
    promise(save("k1", "one", SaveMode::create) && holds("k1", "one"),
            "save() to create gives true, and load() what was saved");
    promise(gives(store_.save("k1", "two", SaveMode::create), false),
            "save() to create gives false where there is a record");
    promise(holds("k1", "one"), "save() to create leaves a record that is there as it was");
    promise(save("k1", "three", SaveMode::replace) && holds("k1", "three"),
            "save() to replace puts the new record in the old one's place");
    promise(save("k0", "", SaveMode::replace) && holds("k0", ""), "an empty record is a record");
    promise(save("k1.candidate", "aside", SaveMode::create), "a key may continue another");
    promise(gives(store_.list(), std::vector<std::string>{"k0", "k1", "k1.candidate"}),
            "list() gives every key, in ascending order");
    promise(erase("k1") && gives<Loaded>(store_.load("k1"), Loaded()),
            "erase() of a record gives true, and it is gone");
    promise(gives(store_.erase("k1"), false), "erase() of a record that is gone gives false");
    promise(holds("k1.candidate", "aside"), "erase() leaves other records as they were");
    promise(save("k1", "again", SaveMode::create) && holds("k1", "again"),
            "a record that was erased can be created again");
    promise(erase("k0") && erase("k1") && erase("k1.candidate") && gives(store_.list(), {}),
            "a store is empty when all was erased");
  }

  void ask_for_bytes() {
    for (const std::size_t size : {1U, 255U, 4096U, 65537U, 3'000'000U}) {
      const std::string bytes = bytes_of(size, size);
      promise(save("bytes", bytes, SaveMode::replace) && holds("bytes", bytes),
              "a record of " + std::to_string(size) + " bytes of any value comes back as it was saved");
    }
    const std::string text("a\0b'; drop table x; --\\\\x\r\n", 27);
    promise(save("bytes", text, SaveMode::replace) && holds("bytes", text) && erase("bytes"),
            "zeros, quotes, backslashes and ends of lines come back as they were saved");
  }

  void ask_for_keys() {
    std::vector<std::string> keys{
        "0", "a", "a-", "a.b", "as", "assay-baselines", std::string(100, 'z'), std::string(64, 'f') + ".candidate"};
    bool saved = true, held = true, erased = true;
    for (const std::string& key : keys) saved = save(key, "of " + key, SaveMode::create) && saved;
    promise(saved, "every key may be saved for which is_store_key() is true");
    std::sort(keys.begin(), keys.end());
    promise(gives(store_.list(), keys), "list() sorts keys by their bytes");
    for (const std::string& key : keys) held = holds(key, "of " + key) && held;
    promise(held, "records of keys that begin alike are kept apart");
    for (const std::string& key : keys) erased = erase(key) && erased;
    promise(erased, "every record can be erased");
#if defined(__cpp_exceptions)
    for (const char* key :
         {"", ".", "..", "../x", "a/b", "A", "-a", ".a", "a b", "a\n", "\xC3\xBC", "a'b", "a%b", "a_b"})
      promise(refuses(key), std::string("'") + key +
                                "' is no key, and misuse for load(), save() and erase(); call expect_store_key()");
    promise(refuses(std::string(101, 'a')), "a key of 101 characters is none, and misuse");
#endif
  }

#if defined(__cpp_exceptions)
  [[nodiscard]] bool refuses(const std::string& key) {
    const auto is_misuse = [](auto call) {
      try {
        static_cast<void>(call());
        return false;
      } catch (const Misuse&) {
        return true;
      }
    };
    return is_misuse([&] { return store_.load(key); }) &&
           is_misuse([&] { return store_.save(key, "x", SaveMode::replace); }) &&
           is_misuse([&] { return store_.erase(key); });
  }
#endif

  /// Of many that create one record one does; readers see one of the records, whole; nothing that was acknowledged is
  /// missing.
  void ask_threads() {
    constexpr unsigned writers = 8, rounds = 3;
    std::array<std::string, writers> small, large;
    for (unsigned number = 0; number < writers; ++number)
      large[number] = bytes_of(20'000, number), small[number] = bytes_of(10'000, writers + number);
    std::atomic<unsigned> created{0}, torn{0}, lost{0}, failed{0};
    const auto write = [&](S& own, unsigned number) {
      const auto made = own.save("contended", large[number], SaveMode::create);
      if (!made)
        ++failed;
      else if (made.value())
        ++created;
      for (unsigned round = 0; round < rounds; ++round) {
        const std::string mine = "t" + std::to_string(number) + "-" + std::to_string(round);
        if (!own.save(mine, mine, SaveMode::create) || !own.save("replaced", small[number], SaveMode::replace))
          ++failed;
        const auto seen = own.load("replaced");
        if (!seen || !seen.value() || std::find(small.begin(), small.end(), *seen.value()) == small.end()) ++torn;
        if (!gives<Loaded>(own.load(mine), Loaded(mine))) ++lost;
      }
    };
    std::vector<std::thread> threads;
    for (unsigned number = 0; number < writers; ++number)
      threads.emplace_back([&, number] {
        if (place_ == StorePlace::own) return write(store_, number);
        S own = open_();
        write(own, number);
      });
    for (std::thread& thread : threads) thread.join();
    promise(failed == 0, "saving from 8 threads at a time succeeds");
    promise(created == 1, "of 8 threads that create one record exactly one is told that it did");
    promise(torn == 0, "a record that is being replaced is read whole, the old one or the new one");
    promise(lost == 0, "a thread reads what it saved, whatever others save");
    const auto keys = store_.list();
    promise(keys && keys.value().size() == writers * rounds + 2, "list() gives all that 8 threads saved");
    erase_all();
  }

  void ask_another() {
    promise(save("kept", "by one", SaveMode::create), "save() goes on after other stores of the place were closed");
    S other = open_();
    promise(gives<Loaded>(other.load("kept"), Loaded("by one")), "a store that is opened later has the records");
    promise(gives(other.save("kept", "not", SaveMode::create), false),
            "two stores of a place do not create one record twice");
    promise(gives(other.save("kept", "anew", SaveMode::replace), true) && holds("kept", "anew"),
            "what one store replaces the other reads");
    promise(gives(other.erase("kept"), true) && gives<Loaded>(store_.load("kept"), Loaded()),
            "what one store erases is gone for the other");
  }

  const Open& open_;
  StorePlace place_;
  S store_;
  std::size_t asked_ = 0;
  std::vector<std::string> broken_;
};

}  // namespace detail

/// Whether a store keeps what `Store` promises, for those who write one: `pass`, or `fail` with a line of diagnosis for
/// each promise that is not kept. `open()` gives a store, of an empty place at first, and is called from several
/// threads at a time. Keys that are none are misuse; that is asked only where exceptions are enabled. Not asked: what a
/// loss of power leaves, and what other processes see.
///
///   const Outcome outcome = check_store([] { return MyStore("records.log"); });
///
/// The place is empty again afterwards. `error` where it was not empty before or cannot be listed. Time: 300 calls of
/// the store and 3 MB.
template <class Open>
requires Store<std::invoke_result_t<const Open&>>
[[nodiscard]] Outcome check_store(const Open& open, StorePlace place = StorePlace::shared) {
  return detail::StoreInquiry<Open>(open, place).outcome();
}

}  // namespace assay::inline v0

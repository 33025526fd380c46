#pragma once

#include <cstddef>
#include <string>

#include "assay/baselines/check_store.hpp"
#include "testing/catch.hpp"

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

/// A store keeps every promise that `assay::check_store` asks about.
template <class Open>
void check_store(const Open& open, bool shared = true) {
  const Outcome outcome = assay::check_store(open, shared ? StorePlace::shared : StorePlace::own);
  for (const std::string& broken : outcome.diagnosis) UNSCOPED_INFO(broken);
  INFO(outcome.reason);
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.measurement("promises").value_or(0) >= (shared ? 47 : 42));
}

}  // namespace assay::testing

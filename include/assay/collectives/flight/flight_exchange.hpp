#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/collectives/coordinator.hpp"
#include "assay/collectives/flight/rank_flight.hpp"

namespace assay::inline v0 {

namespace detail {

/// Numbers and the rest of a line, one after another.
struct FlightWords {
  std::string_view rest;
  bool good = true;

  template <class Integer>
  Integer next() {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    Integer value{};
    const auto [stop, error] = std::from_chars(rest.data(), rest.data() + end, value);
    good = good && error == std::errc() && stop == rest.data() + end;
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return value;
  }
  template <class Enum>
  Enum next_of(std::size_t values) {
    const auto value = next<std::uint64_t>();
    good = good && value < values;
    return good ? static_cast<Enum>(value) : Enum{};
  }
};

[[nodiscard]] inline std::string flight_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c >= 0 && c < ' '; }, '?');
  return text;
}

}  // namespace detail

/// A flight as text, to be sent: at most the last `most` records. Some 70 bytes a record.
[[nodiscard]] std::string text_of_flight(const RankFlight& flight, std::size_t most = 64);

/// Errors: `malformed`, with the line.
[[nodiscard]] Result<RankFlight> flight_of_text(std::string_view text);

/// What came of an exchange of flights.
struct FlightExchange {
  std::vector<RankFlight> flights;    ///< of those that answered
  std::vector<std::string> problems;  ///< of those whose answer cannot be read
};

/// Gives every rank's flight to every rank, where there is no folder that all can read. Ranks that had not come by the
/// deadline are absent: they hang elsewhere, or are dead. Errors: those of the coordinator.
[[nodiscard]] Result<FlightExchange> exchange_flights(Coordinator& coordinator, const RankFlight& mine,
                                                      Deadline deadline);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/flight/flight_exchange.ipp"
#endif

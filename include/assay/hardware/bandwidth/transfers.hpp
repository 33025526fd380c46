#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "assay/core/outcome.hpp"

namespace assay::inline v0 {

/// Which way bytes go between a host and its device.
enum class TransferDirection {
  to_device,  ///< from the host's memory
  to_host,    ///< from the device's memory
  both        ///< at once, on two streams
};

/// In the order in which they are measured.
inline constexpr std::array<TransferDirection, 3> all_transfer_directions{
    TransferDirection::to_device, TransferDirection::to_host, TransferDirection::both};

/// The name in tables and measurements.
[[nodiscard]] constexpr std::string_view name_of(TransferDirection direction) noexcept {
  return direction == TransferDirection::to_device ? "to_device"
         : direction == TransferDirection::to_host ? "to_host"
                                                   : "both";
}

/// What was measured of one direction.
struct TransferMeasurement {
  TransferDirection direction = TransferDirection::to_device;
  std::size_t bytes = 0;               ///< of a repetition, of both directions together
  double bytes_per_second = 0;         ///< the best of the repetitions
  double median_bytes_per_second = 0;  ///< of the repetitions
  std::uint64_t wrong_words = 0;       ///< of 64 bits, of all repetitions
  std::size_t first_wrong = 0;         ///< the place of the first of them
};

/// How transfers are measured and judged.
struct TransferOptions {
  std::size_t bytes = std::size_t{64} << 20;  ///< of one direction, where memory is not given
  unsigned repetitions = 5;                   ///< of each direction, after a warm-up
  std::optional<double> theoretical;          ///< bytes a second of one direction of the link; more fails
  double least_share = 0;                     ///< of the theoretical, of each single direction; less fails
  std::size_t fault_word = SIZE_MAX;          ///< a bit of this word is flipped, for tests of the check
};

/// `hardware/bandwidth/transfers`, labeled with `backend`. Fails: a word that did not arrive as it was sent; a rate of
/// 0, above the theoretical (twice of it for both directions at once), or below its least share. Measurements: the best
/// rate of each direction, and `overlap`: both at once over the faster of the two alone, 1 where they wait for each
/// other, 2 where they do not. Inconclusive: nothing was measured.
[[nodiscard]] Outcome judge_transfers(std::span<const TransferMeasurement> measurements, const std::string& backend,
                                      const TransferOptions& options);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/hardware/bandwidth/transfers.ipp"
#endif

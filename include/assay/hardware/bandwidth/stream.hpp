#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/core/result.hpp"
#include "assay/hardware/processor_topology.hpp"

namespace assay::inline v0 {

/// The loops of STREAM. Source: McCalpin, "Memory Bandwidth and Machine Balance", 1995.
enum class StreamForm {
  copy,   ///< c = a: 16 bytes an element
  scale,  ///< b = 3c: 16
  add,    ///< c = a + b: 24
  triad   ///< a = b + 3c: 24
};

/// The name in ids.
[[nodiscard]] constexpr std::string_view name_of(StreamForm form) noexcept {
  return form == StreamForm::copy    ? "copy"
         : form == StreamForm::scale ? "scale"
         : form == StreamForm::add   ? "add"
                                     : "triad";
}

/// One measurement: threads, where they ran, whose memory it was.
struct StreamMeasurement {
  StreamForm form = StreamForm::copy;
  std::vector<int> processors;  ///< one thread each
  int memory_node = -1;         ///< the NUMA node whose processors touched the memory first; −1: that of the threads
  std::size_t bytes = 0;        ///< of the three arrays
  double bytes_per_second = 0;  ///< the best of the repetitions, counted as STREAM does
  double median_bytes_per_second = 0;  ///< of the repetitions
  std::uint64_t wrong_elements = 0;    ///< of all arrays after all repetitions
  std::string first_wrong;             ///< one sentence; empty: none
  std::vector<std::string> missing;    ///< processors that took no part
};

/// How STREAM runs.
struct StreamOptions {
  std::size_t bytes = 0;              ///< of the three arrays together; 0: four times the last cache, 96 MiB at least
  unsigned repetitions = 5;           ///< of all forms
  std::vector<int> processors;        ///< empty: all that the process may use
  std::optional<double> theoretical;  ///< bytes a second of the machine; more fails
  double least_share = 0;             ///< of the theoretical; less fails
  std::size_t fault_element =
      SIZE_MAX;  ///< one bit of this element of the first array is flipped, for tests of the check
};

/// Runs the four forms with threads on `processors`, on memory that `first_touch` touched first (empty: the same
/// threads). Elements are whole numbers, so that what they must be is exact, and every one is compared at the end.
/// Error: `out_of_memory`.
[[nodiscard]] Result<std::vector<StreamMeasurement>> measure_stream(std::span<const int> processors,
                                                                    std::span<const int> first_touch,
                                                                    const StreamOptions& options);

/// `hardware/bandwidth/stream`: all forms by number of threads (1, 2, 4, …, all), then, with several NUMA nodes, each
/// node's processors on each node's memory. Fails: a wrong element; a rate of 0, or above the theoretical, or below its
/// least share. Without a theoretical figure a pass says that every element was right, and how fast.
[[nodiscard]] Outcome check_stream(const ProcessorTopology& topology, const StreamOptions& options = {});

/// The verdict on measurements.
[[nodiscard]] Outcome judge_stream(std::span<const StreamMeasurement> measurements, const StreamOptions& options);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/hardware/bandwidth/stream.ipp"
#endif

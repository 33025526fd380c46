#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace assay::inline v0 {

/// How far figures of a chip are to be believed: by the vendor and found again (high), by one good source or partly
/// recalled (medium), unclear or announced only (low). What rests on low confidence is shown as such and gates nothing.
enum class SourceConfidence { low, medium, high };

/// "low", "medium", "high".
[[nodiscard]] constexpr std::string_view name_of(SourceConfidence confidence) noexcept {
  return confidence == SourceConfidence::high ? "high" : confidence == SourceConfidence::medium ? "medium" : "low";
}

/// The number formats for which chips state peaks, as columns of `chips.csv` name them.
inline constexpr std::array<std::string_view, 8> chip_formats{"fp64", "tf32", "bf16", "fp16",
                                                              "fp8",  "fp6",  "fp4",  "int8"};

/// What a data sheet says of an accelerator. What it does not say is absent, never 0.
struct Chip {
  /// The clock and the units of which a peak consists.
  struct Derivation {
    double clock_hertz = 0;    ///< with which the peak is stated
    double units = 0;          ///< tensor cores, compute units, matrix units of the whole chip
    double fma_per_clock = 0;  ///< of one unit: fused multiply-adds, two operations each
    std::string format;        ///< whose peak this is

    /// Operations a second: clock · units · fused multiply-adds · 2.
    [[nodiscard]] double peak() const noexcept { return clock_hertz * units * fma_per_clock * 2; }
  };

  std::string name;                                                ///< by which it is found: "H100 SXM"
  std::string vendor;                                              ///< who makes it
  int year = 0;                                                    ///< of introduction; 0: not said
  std::array<std::optional<double>, chip_formats.size()> peaks{};  ///< dense operations a second, as `chip_formats`
  std::optional<double> memory_bytes;                              ///< as stated: 80 GB are 80·10⁹
  std::string memory_type;                                         ///< "HBM3"; empty: not said
  std::optional<double> memory_bandwidth;                          ///< bytes a second
  std::optional<double> power_watts;                               ///< the most that the board is specified to draw
  std::optional<double> link_bandwidth;                            ///< bytes a second, both directions, all links
  std::optional<Derivation> derivation;                            ///< absent: its peaks cannot be derived
  std::string as_of;                                               ///< year and month in which the source was read
  SourceConfidence confidence = SourceConfidence::low;
  std::string source;  ///< where the figures come from, in words
  std::string origin;  ///< the file that it came from; empty: ours

  /// The peak of a format by its name in `chip_formats`; nothing where the chip states none, or there is no such name.
  [[nodiscard]] std::optional<double> peak(std::string_view format) const noexcept {
    for (std::size_t i = 0; i < chip_formats.size(); ++i)
      if (chip_formats[i] == format) return peaks[i];
    return std::nullopt;
  }
  /// Whether a verdict may rest on these figures.
  [[nodiscard]] bool may_gate() const noexcept { return confidence != SourceConfidence::low; }
};

}  // namespace assay::inline v0

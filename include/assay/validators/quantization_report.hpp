#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "assay/core/printed_number.hpp"
#include "assay/core/table.hpp"
#include "assay/report/text.hpp"
#include "assay/validators/measure_quantization.hpp"

namespace assay::inline v0 {

/// What schemes make of the tensors of a file.
struct QuantizationReport {
  /// A tensor of a report.
  struct Tensor {
    std::string name;   ///< as the file names it
    std::string type;   ///< "BF16"
    std::string shape;  ///< "4096×1024"
    TensorQuality quality;
  };
  std::string source;   ///< the file
  std::string command;  ///< the command line that made the report
  std::vector<QuantizationScheme> schemes;
  std::vector<Tensor> tensors;
  std::vector<std::string> left_out;  ///< tensors that were not measured, and why
};

/// A scheme over all tensors of a report.
struct SchemeSummary {
  double bits_per_value = 0;                ///< of all tensors together
  double median_sqnr = 0;                   ///< of the tensors, the lower one of two
  double worst_sqnr = 0;                    ///< in dB, of the tensor with the least
  std::size_t worst_tensor = 0;             ///< its position among the report's tensors
  double worst_channel_sqnr = 0;            ///< in dB, of the channel with the least
  std::size_t tensor_of_worst_channel = 0;  ///< its tensor's position among the report's tensors
  Index worst_channel = -1;                 ///< −1: no tensor has channels
  double least_cosine = 1;                  ///< the smallest cosine of value and quantized value of any tensor
  QuantizationQuality all;                  ///< of all values together
  bool best = false;  ///< no other scheme is better on the median in as few bits, or as good in fewer
};

/// One summary a scheme. O(schemes · tensors · log tensors). Tensors without finite values do not count. Sizes that
/// differ by less than a tenth of a bit count as the same.
[[nodiscard]] std::vector<SchemeSummary> summarize(const QuantizationReport& report);

namespace detail {

[[nodiscard]] inline std::string fixed_text(double value, int decimals) {
  if (!is_finite(value) || std::fabs(value) >= 1e15) return number_text(value);
  return printed_number(value, decimals, std::chars_format::fixed);
}

/// At most `width` code points of valid UTF-8: the last ones, after "…", since the ends of tensors' names tell them
/// apart.
[[nodiscard]] std::string clipped_start(const std::string& text, std::size_t width);

/// A part of a whole as percent; "0" only where there is none.
[[nodiscard]] inline std::string per_cent_text(double part) {
  if (part == 0 || part != part) return part == 0 ? "0" : "-";
  return part < 1e-5 ? "<0.001 %" : fixed_text(100 * part, part < 0.01 ? 3 : 1) + " %";
}

}  // namespace detail

/// A ratio in dB: "31.4"; "inf" where nothing was lost, "-" where there is no value.
[[nodiscard]] inline std::string decibel_text(double ratio) {
  return ratio != ratio ? "-" : detail::fixed_text(ratio, 1);
}

/// The schemes over all tensors, one a row.
[[nodiscard]] Table quantization_table(const QuantizationReport& report);

/// Everything that was measured of one tensor, one scheme a row.
[[nodiscard]] Table quantization_table(const QuantizationReport& report, const QuantizationReport::Tensor& tensor);

/// Signal-to-noise ratios, a tensor a row, a scheme a column.
[[nodiscard]] Table quantization_matrix(const QuantizationReport& report);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/validators/quantization_report.ipp"
#endif

#pragma once

#include "assay/validators/quantization_report.hpp"

#include <algorithm>
#include <limits>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::vector<SchemeSummary> summarize(const QuantizationReport& report) {
  std::vector<SchemeSummary> summaries;
  for (std::size_t s = 0; s < report.schemes.size(); ++s) {
    SchemeSummary summary;
    std::vector<double> ratios;
    double bits = 0, values = 0;
    summary.worst_sqnr = summary.worst_channel_sqnr = std::numeric_limits<double>::infinity();
    for (std::size_t t = 0; t < report.tensors.size(); ++t) {
      const TensorQuality& tensor = report.tensors[t].quality;
      const SchemeQuality& quality = tensor.schemes[s];
      summary.all.join(quality.tensor);
      const double size = static_cast<double>(tensor.rows) * static_cast<double>(tensor.columns);
      bits += quality.bits_per_value * size;
      values += size;
      if (quality.tensor.count == 0) continue;
      const double ratio = quality.tensor.sqnr();
      if (ratios.empty() || ratio < summary.worst_sqnr) summary.worst_sqnr = ratio, summary.worst_tensor = t;
      if (quality.worst_channel >= 0 &&
          (summary.worst_channel < 0 || quality.worst.sqnr() < summary.worst_channel_sqnr))
        summary.worst_channel_sqnr = quality.worst.sqnr(), summary.tensor_of_worst_channel = t,
        summary.worst_channel = quality.worst_channel;
      summary.least_cosine = std::min(summary.least_cosine, quality.tensor.cosine());
      ratios.push_back(ratio);
    }
    std::sort(ratios.begin(), ratios.end());
    summary.median_sqnr = ratios.empty() ? std::numeric_limits<double>::quiet_NaN() : ratios[(ratios.size() - 1) / 2];
    summary.bits_per_value = values > 0 ? bits / values : 0;
    summaries.push_back(summary);
  }
  constexpr double same_size = 0.1;
  for (SchemeSummary& summary : summaries) {
    summary.best = summary.median_sqnr == summary.median_sqnr;
    for (const SchemeSummary& other : summaries)
      if ((other.median_sqnr > summary.median_sqnr && other.bits_per_value < summary.bits_per_value + same_size) ||
          (other.median_sqnr >= summary.median_sqnr && other.bits_per_value <= summary.bits_per_value - same_size))
        summary.best = false;
  }
  return summaries;
}

namespace detail {

ASSAY_DETAIL_HEADER_INLINE std::string clipped_start(const std::string& text, std::size_t width) {
  std::size_t excess = display_width(text);
  if (excess <= width) return text;
  std::size_t position = 0;
  for (excess -= width - 1; excess > 0; --excess) do
      ++position;
    while (position < text.size() && (static_cast<unsigned char>(text[position]) & 0xC0) == 0x80);
  return "…" + text.substr(position);
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Table quantization_table(const QuantizationReport& report) {
  Table table{"schemes",
              {"format", "bits/value", "SQNR dB, median", "worst", "worst tensor", "worst channel", "of", "clipped",
               "least cosine"},
              {}};
  const std::vector<SchemeSummary> summaries = summarize(report);
  const auto name = [&](std::size_t tensor) { return detail::clipped_start(visible(report.tensors[tensor].name), 22); };
  for (std::size_t s = 0; s < summaries.size(); ++s) {
    const SchemeSummary& summary = summaries[s];
    const bool some = !report.tensors.empty() && summary.median_sqnr == summary.median_sqnr;
    table.rows.push_back(
        {report.schemes[s].name + (summary.best ? " *" : ""), detail::fixed_text(summary.bits_per_value, 2),
         decibel_text(summary.median_sqnr), some ? decibel_text(summary.worst_sqnr) : "-",
         some ? name(summary.worst_tensor) : "",
         summary.worst_channel < 0 ? "-" : decibel_text(summary.worst_channel_sqnr),
         summary.worst_channel < 0
             ? ""
             : name(summary.tensor_of_worst_channel) + " [" + std::to_string(summary.worst_channel) + "]",
         detail::per_cent_text(summary.all.clipping_rate()), some ? detail::fixed_text(summary.least_cosine, 5) : "-"});
  }
  return table;
}

ASSAY_DETAIL_HEADER_INLINE Table quantization_table(const QuantizationReport& report,
                                                    const QuantizationReport::Tensor& tensor) {
  Table table{tensor.name,
              {"format", "bits/value", "SQNR dB", "worst channel", "of", "max error", "mean error", "RMS error",
               "clipped", "cosine", "not finite"},
              {}};
  for (std::size_t s = 0; s < report.schemes.size(); ++s) {
    const SchemeQuality& quality = tensor.quality.schemes[s];
    const QuantizationQuality& whole = quality.tensor;
    table.rows.push_back(
        {report.schemes[s].name, detail::fixed_text(quality.bits_per_value, 2), decibel_text(whole.sqnr()),
         quality.worst_channel < 0 ? "-" : decibel_text(quality.worst.sqnr()),
         quality.worst_channel < 0 ? "" : std::to_string(quality.worst_channel),
         whole.count == 0 ? "-" : number_text(whole.max_error),
         whole.count == 0 ? "-" : number_text(whole.mean_error()),
         whole.count == 0 ? "-" : number_text(whole.root_mean_square_error()),
         detail::per_cent_text(whole.clipping_rate()), whole.count == 0 ? "-" : detail::fixed_text(whole.cosine(), 6),
         std::to_string(whole.not_finite) + (whole.lost > 0 ? " + " + std::to_string(whole.lost) + " lost" : "")});
  }
  return table;
}

ASSAY_DETAIL_HEADER_INLINE Table quantization_matrix(const QuantizationReport& report) {
  Table table{"SQNR dB by tensor", {"tensor"}, {}};
  for (const QuantizationScheme& scheme : report.schemes) table.columns.push_back(scheme.name);
  for (const QuantizationReport::Tensor& tensor : report.tensors) {
    table.rows.push_back({tensor.name});
    for (const SchemeQuality& quality : tensor.quality.schemes)
      table.rows.back().push_back(decibel_text(quality.tensor.sqnr()));
  }
  return table;
}

}  // namespace assay::inline v0

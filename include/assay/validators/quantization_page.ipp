#pragma once

#include "assay/validators/quantization_page.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE const char* noise_class(double ratio) {
  constexpr double limits[] = {50, 40, 30, 25, 20, 15, 10, 5};
  constexpr const char* classes[] = {"h0", "h1", "h2", "h3", "h4", "h5", "h6", "h7", "h8"};
  if (ratio != ratio) return "";
  std::size_t step = 0;
  while (step < std::size(limits) && ratio < limits[step]) ++step;
  return classes[step];
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE ScatterChart quantization_chart(const QuantizationReport& report,
                                                                         const std::vector<SchemeSummary>& summaries) {
  const bool several = report.tensors.size() > 1;
  ScatterChart chart{
      several ? "Signal-to-quantization-noise ratio against size: the median of the tensors; a line leads down to the "
                "worst. Filled: nothing is better in as few bits."
              : "Signal-to-quantization-noise ratio against size. Filled: nothing is better in as few bits.",
      "bits per value, scales included",
      "SQNR, dB",
      {}};
  chart.logarithmic_x = true;
  chart.y_limit = 80;  // beyond, more is nearly the same
  for (std::size_t s = 0; s < summaries.size(); ++s) {
    const SchemeSummary& summary = summaries[s];
    const std::string& name = report.schemes[s].name;
    std::string note =
        name + ": " + decibel_text(summary.median_sqnr) + " dB at " + fixed_text(summary.bits_per_value, 2) + " bits";
    if (several && summary.median_sqnr == summary.median_sqnr)
      note += "; worst " + decibel_text(summary.worst_sqnr) + " dB (" + report.tensors[summary.worst_tensor].name + ")";
    chart.points.push_back({name, summary.bits_per_value, summary.median_sqnr,
                            several ? summary.worst_sqnr : summary.median_sqnr, summary.best, note});
  }
  return chart;
}

/// Tensor × scheme, colored by noise.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string matrix_markup(const QuantizationReport& report,
                                                                   const std::vector<SchemeSummary>& summaries) {
  std::string markup =
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"SQNR by tensor\"><table "
      "class=\"matrix\"><thead><tr><th></th>";
  for (const QuantizationScheme& scheme : report.schemes)
    markup += "<th scope=\"col\"><span>" + escaped_markup(scheme.name) + "</span></th>";
  markup += "</tr></thead><tbody><tr class=\"bits\"><th scope=\"row\">bits per value</th>";
  for (const SchemeSummary& summary : summaries) markup += "<td>" + fixed_text(summary.bits_per_value, 2) + "</td>";
  markup += "</tr>";
  for (const QuantizationReport::Tensor& tensor : report.tensors) {
    markup += "<tr><th scope=\"row\" class=\"id\">" + escaped_markup(clipped_start(visible(tensor.name), 44)) + "</th>";
    for (const SchemeQuality& quality : tensor.quality.schemes) {
      const double ratio = quality.tensor.sqnr();
      markup += std::string("<td class=\"") + noise_class(ratio) + "\">" +
                (decibel_text(ratio) == "inf" ? "=" : decibel_text(ratio)) + "</td>";
    }
    markup += "</tr>";
  }
  return markup +
         "</tbody></table></div><p class=\"note\">In dB; = where nothing was lost. The redder, the noisier: below 30, "
         "25, 20, 15, 10 and 5 "
         "dB.</p>";
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string tensor_markup(const QuantizationReport& report,
                                                                   const QuantizationReport::Tensor& tensor,
                                                                   bool open) {
  const MagnitudeDistribution& values = tensor.quality.values;
  std::string markup = std::string("<details class=\"tensor\"") + (open ? " open" : "") +
                       "><summary><span class=\"id\">" + escaped_markup(clipped(visible(tensor.name), 400)) +
                       "</span><small>" + escaped_markup(tensor.type + " " + tensor.shape) +
                       "</small></summary><ul class=\"facts\">";
  const auto fact = [&](const char* key, const std::string& value) {
    markup += std::string("<li><span class=\"key\">") + key + "</span> " + escaped_markup(value) + "</li>";
  };
  fact("values", std::to_string(values.count + values.not_finite));
  fact("largest", number_text(values.largest));
  if (values.zeros < values.count) fact("smallest but 0", number_text(values.smallest));
  fact("root mean square", number_text(values.root_mean_square()));
  fact("largest / root mean square", number_text(values.peak_to_root_mean_square()));
  if (values.zeros > 0) fact("zeros", std::to_string(values.zeros));
  if (values.not_finite > 0) fact("NaN or infinite", std::to_string(values.not_finite));
  return markup + "</ul>" + magnitude_svg(values) +
         table_markup(quantization_table(report, tensor), report.schemes.size()) + "</details>\n";
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string quantization_page(const QuantizationReport& report, std::size_t most_bytes) {
  const std::vector<SchemeSummary> summaries = summarize(report);
  const std::string title = "Quantization of " + escaped_markup(report.source);
  double values = 0;
  for (const QuantizationReport::Tensor& tensor : report.tensors)
    values += static_cast<double>(tensor.quality.values.count + tensor.quality.values.not_finite);
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width,initial-scale=1\">"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';style-src 'unsafe-inline'\"><title>" +
      title + "</title><style>" + detail::page_style + detail::quantization_style +
      "</style></head>\n<body>\n<header><h1>" + title + "</h1>\n<p class=\"verdict\">" +
      detail::counted(report.schemes.size(), "format") + " on " + detail::counted(report.tensors.size(), "tensor") +
      "</p>\n<ul class=\"facts\">";
  if (!report.command.empty())
    page += "<li class=\"wide\"><span class=\"key\">command</span>" + detail::command_markup(report.command) + "</li>";
  page += "<li><span class=\"key\">values</span> " + number_text(values, 4) + "</li></ul></header>\n<main>\n";
  if (report.tensors.empty()) page += "<p class=\"alert\">No tensor was measured.</p>\n";
  if (!report.tensors.empty()) {
    page += "<h2>Noise against size</h2>\n" + scatter_svg(detail::quantization_chart(report, summaries));
    page += "<h2>Formats</h2>\n" + detail::table_markup(quantization_table(report), report.schemes.size()) +
            "<p class=\"note\">* no other format here is better on the median in as few bits, or as good in fewer; a "
            "tenth of a bit is no "
            "difference. SQNR: 10·log₁₀(Σ value² / Σ error²). Channels are the rows of a "
            "tensor, its first dimension. Clipped: the part of the values beyond the range of the codes.</p>\n";
    page += "<h2>Tensors</h2>\n" + detail::matrix_markup(report, summaries) + "<h2>Each tensor</h2>\n";
    std::size_t without = 0;
    for (const QuantizationReport::Tensor& tensor : report.tensors) {
      if (page.size() < most_bytes)
        page += detail::tensor_markup(report, tensor, report.tensors.size() == 1);
      else
        ++without;
    }
    if (without > 0)
      page += "<p class=\"alert\">" + detail::counted(without, "tensor") +
              " more without details here: the page would grow too large. Name them with --tensor.</p>\n";
    page += "<h2>What the formats are</h2>\n";
    Table names{"formats", {"format", "elements and scales"}, {}};
    for (const QuantizationScheme& scheme : report.schemes) names.rows.push_back({scheme.name, scheme.description()});
    page += detail::table_markup(names, names.rows.size());
  }
  if (!report.left_out.empty()) {
    page += "<h2>Left out</h2>\n<ul class=\"findings\">";
    for (const std::string& line : report.left_out) page += "<li>" + escaped_markup(visible(line)) + "</li>";
    page += "</ul>\n";
  }
  return page + "</main>\n<footer>Assay " + escaped_markup(version) +
         ". Values are quantized as float32; errors are told against the values in the "
         "file.</footer>\n</body></html>\n";
}

}  // namespace assay::inline v0

#pragma once

#include "assay/baselines/detail/record_reader.hpp"

#include <limits>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE double number_in(const nlohmann::json& json) {
  if (!json.is_string()) return json.get<double>();
  const std::string text = json.get<std::string>();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  throw nlohmann::json::other_error::create(502, "'" + text.substr(0, 40) + "' is no number", &json);
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Environment environment_in(const nlohmann::json& json) {
  RunReader<nlohmann::json> reader;
  Environment environment = reader.environment(json);
  if (!reader.error.empty()) throw nlohmann::json::other_error::create(502, "environment: " + reader.error, &json);
  return environment;
}

/// Fills the tensor's data from the bytes behind the metadata. Says what is wrong.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string read_data(const nlohmann::json& json, std::string_view data,
                                                               GoldenTensor& tensor) {
  constexpr std::uint64_t most = std::uint64_t{1} << 40;
  if (tensor.code_bytes < 1 || tensor.code_bytes > 8)
    return "elements of " + std::to_string(tensor.code_bytes) + " bytes; expected 1 to 8";
  std::uint64_t elements = 1;
  for (const Index extent : tensor.extents) {
    if (extent < 0 || (extent > 0 && elements > most / static_cast<std::uint64_t>(extent)))
      return "extents that no tensor has";
    elements *= static_cast<std::uint64_t>(extent);
  }
  const auto bytes = static_cast<std::uint64_t>(tensor.code_bytes);
  const auto size_differs = [&](std::uint64_t expected) {
    return std::to_string(data.size()) + " bytes of data; its metadata tell of " + std::to_string(expected);
  };
  const auto take_codes = [&](std::uint64_t count) {
    tensor.codes.assign(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(count * bytes));
  };
  if (!json.contains("sums")) {
    if (data.size() != elements * bytes) return size_differs(elements * bytes);
    take_codes(elements);
    return {};
  }
  const nlohmann::json& own = json.at("sums");
  TensorSums& sums = tensor.sums;
  const auto samples = own.at("samples").get<std::uint64_t>();
  own.at("rows").get_to(sums.rows);
  own.at("columns").get_to(sums.columns);
  own.at("nans").get_to(sums.nans);
  own.at("positive_infinities").get_to(sums.positive_infinities);
  own.at("negative_infinities").get_to(sums.negative_infinities);
  if (samples == 0 || samples > elements)
    return std::to_string(samples) + " samples of " + std::to_string(elements) + " elements";
  if (sums.rows < 1 || sums.columns < 1 || static_cast<std::uint64_t>(sums.columns) > elements ||
      static_cast<std::uint64_t>(sums.rows) !=
          (elements + static_cast<std::uint64_t>(sums.columns) - 1) / static_cast<std::uint64_t>(sums.columns))
    return "sums of " + std::to_string(sums.rows) + " rows and " + std::to_string(sums.columns) +
           " columns, into which its " + std::to_string(elements) + " elements do not fold";
  const std::uint64_t expected =
      samples * (bytes + 8) + 16 * (static_cast<std::uint64_t>(sums.rows) + static_cast<std::uint64_t>(sums.columns));
  if (data.size() != expected) return size_differs(expected);
  take_codes(samples);
  std::size_t place = samples * bytes;
  for (std::uint64_t i = 0; i < samples; ++i, place += 8) {
    const std::uint64_t position = read_little_endian(data, place);
    if (position >= elements || (i > 0 && position <= static_cast<std::uint64_t>(tensor.sampled.back())))
      return "positions of samples that are not in order, or beyond the tensor";
    tensor.sampled.push_back(static_cast<Index>(position));
  }
  const auto read_sums = [&](std::vector<double>& list, Index count) {
    for (Index i = 0; i < count; ++i, place += 8) list.push_back(double_of_bits(read_little_endian(data, place)));
  };
  read_sums(sums.row_sums, sums.rows);
  read_sums(sums.row_magnitudes, sums.rows);
  read_sums(sums.column_sums, sums.columns);
  read_sums(sums.column_magnitudes, sums.columns);
  return {};
}

ASSAY_DETAIL_HEADER_INLINE std::string read_record(const nlohmann::json& json, std::string_view data,
                                                   BaselineRecord& record) {
  try {
    json.at("key").get_to(record.key);
    json.at("test").get_to(record.subject.test);
    json.at("output").get_to(record.subject.output);
    json.at("configuration").get_to(record.subject.configuration);
    json.at("format").get_to(record.tensor.format);
    json.at("extents").get_to(record.tensor.extents);
    json.at("code_bytes").get_to(record.tensor.code_bytes);
    json.at("tensor_sha256").get_to(record.tensor.digest);
    json.at("tolerance").get_to(record.tolerance);
    json.at("created_at").get_to(record.created_at);
    json.at("approved_by").get_to(record.approved_by);
    json.at("approved_at").get_to(record.approved_at);
    json.at("replaces").get_to(record.replaces);
    json.at("note").get_to(record.note);
    for (const auto& metric : json.at("metrics"))
      record.metrics.push_back(
          {metric.at("name").get<std::string>(), number_in(metric.at("value")), metric.at("unit").get<std::string>()});
    record.environment = environment_in(json.at("environment"));
    return read_data(json, data, record.tensor);
  } catch (const nlohmann::json::exception& error) {
    return error.what();
  }
}

}  // namespace assay::inline v0::detail

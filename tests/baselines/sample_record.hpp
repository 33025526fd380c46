#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "assay/baselines/detail/observe_tensor.hpp"
#include "assay/baselines/record_form.hpp"
#include "assay/suite/observed_output.hpp"

namespace assay::testing {

/// An output in f32 with these values; `allowed` is the same for all, none if negative.
inline ObservedOutput f32_output(const std::vector<float>& values, std::vector<std::int64_t> extents, double allowed) {
  ObservedOutput output;
  output.name = "C";
  output.format = "f32";
  output.extents = std::move(extents);
  for (const float value : values) {
    std::uint32_t code = 0;
    std::memcpy(&code, &value, sizeof code);
    for (int byte = 0; byte < 4; ++byte) output.codes.push_back(static_cast<unsigned char>(code >> (8 * byte)));
    output.values.push_back(static_cast<double>(value));
  }
  if (allowed >= 0) output.allowed.assign(values.size(), allowed);
  return output;
}

/// Numbers between -1 and 1 that depend on `seed` only.
inline std::vector<float> numbers(std::size_t count, unsigned seed) {
  std::vector<float> values;
  unsigned state = seed * 2654435761u + 99;
  for (std::size_t i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    values.push_back(static_cast<float>(static_cast<int>(state >> 8) - (1 << 23)) / static_cast<float>(1 << 23));
  }
  return values;
}

/// A record with something in every member. The tensor is kept whole where `samples` is 0.
inline BaselineRecord sample_record(std::size_t elements = 12, Index samples = 0, unsigned seed = 1) {
  BaselineRecord record;
  record.subject = {
      "gemm/cublas/bf16.f32.bf16/m3-n4/normal", "C", {{"seed", "7"}, {"data", "normal \"quoted\"\nnewline é"}}};
  record.key = baseline_key(record.subject);
  const auto columns = static_cast<Index>(elements % 4 == 0 ? 4 : 1);
  const ObservedOutput output =
      f32_output(numbers(elements, seed), {static_cast<Index>(elements) / columns, columns}, 1e-6);
  record.tensor = detail::observe_tensor(output, samples == 0 ? std::size_t{1} << 40 : 0, samples).value();
  record.metrics = {{"kernel_seconds", 1.0 / 3, "s"},
                    {"odd", std::numeric_limits<double>::quiet_NaN(), "1"},
                    {"endless", -std::numeric_limits<double>::infinity(), "1"}};
  record.tolerance = "ulps=2";
  record.environment.assay_version = "0.1.0";
  record.environment.host_name = "node17";
  record.environment.processor = "a chip";
  record.environment.logical_processors = 128;
  record.environment.memory_bytes = 1.0e12 / 3;
  record.environment.started_at = "2026-01-02T03:04:05Z";
  record.environment.devices = {"gpu 0", "gpu 1"};
  record.environment.libraries = {{"cuBLAS", "13.0"}, {"driver", "580.65"}};
  record.created_at = "2026-01-02T03:04:06Z";
  record.approved_by = "Ada";
  record.approved_at = "2026-01-03T00:00:00Z";
  record.replaces = std::string(64, 'a');
  record.note = "after the driver's fix";
  return record;
}

/// The text with digests that are right for what it holds: what a program that lies would write.
inline std::string sealed(const std::string& header, const std::string& data, const std::string& schema = "1") {
  std::string text = "assay-baseline/" + schema + " header:" + std::to_string(header.size()) + ":" +
                     detail::sha256(header) + " data:" + std::to_string(data.size()) + ":" + detail::sha256(data);
  return text + " line:" + detail::sha256(text) + "\n" + header + data;
}

}  // namespace assay::testing

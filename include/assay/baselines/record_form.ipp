#pragma once

#include "assay/baselines/record_form.hpp"

#include <charconv>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE nlohmann::ordered_json json_of(const BaselineRecord& record) {
  const GoldenTensor& tensor = record.tensor;
  nlohmann::ordered_json metrics = nlohmann::ordered_json::array();
  for (const Measurement& metric : record.metrics)
    metrics.push_back({{"name", metric.name}, {"value", json_number(metric.value)}, {"unit", metric.unit}});
  nlohmann::ordered_json json{{"key", record.key},
                              {"test", record.subject.test},
                              {"output", record.subject.output},
                              {"configuration", record.subject.configuration},
                              {"format", tensor.format},
                              {"extents", tensor.extents},
                              {"code_bytes", tensor.code_bytes},
                              {"tensor_sha256", tensor.digest},
                              {"tolerance", record.tolerance},
                              {"created_at", record.created_at},
                              {"approved_by", record.approved_by},
                              {"approved_at", record.approved_at},
                              {"replaces", record.replaces},
                              {"note", record.note},
                              {"metrics", std::move(metrics)},
                              {"environment", json_of(record.environment)}};
  if (!tensor.whole())
    json["sums"] = {{"samples", tensor.sampled.size()},
                    {"rows", tensor.sums.rows},
                    {"columns", tensor.sums.columns},
                    {"nans", tensor.sums.nans},
                    {"positive_infinities", tensor.sums.positive_infinities},
                    {"negative_infinities", tensor.sums.negative_infinities}};
  return json;
}

ASSAY_DETAIL_HEADER_INLINE std::string data_of(const GoldenTensor& tensor) {
  std::string data(reinterpret_cast<const char*>(tensor.codes.data()), tensor.codes.size());
  for (const Index position : tensor.sampled) append_little_endian(data, static_cast<std::uint64_t>(position));
  if (tensor.whole()) return data;
  for (const auto* sums :
       {&tensor.sums.row_sums, &tensor.sums.row_magnitudes, &tensor.sums.column_sums, &tensor.sums.column_magnitudes})
    for (const double sum : *sums) append_little_endian(data, bits_of_double(sum));
  return data;
}

/// Checks every byte of a record. Errors: `malformed`, naming what is damaged; `unsupported` for a newer schema.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<RecordFrame> checked_frame(std::string_view text) {
  const auto damaged = [](const std::string& what) {
    return failure(ErrorKind::malformed,
                   "the record is damaged: " + what +
                       "; it is not used. Bring it back from a copy, or record and approve it anew");
  };
  const std::size_t end = text.substr(0, 1024).find('\n');
  if (end == std::string_view::npos)
    return damaged(text.size() < 1024 ? "it is " + std::to_string(text.size()) + " bytes without a first line"
                                      : "it has no first line");
  const std::string_view line = text.substr(0, end);
  const std::size_t own = line.rfind(" line:");
  if (own == std::string_view::npos || line.substr(own + 6) != sha256(line.substr(0, own)))
    return damaged("its first line does not have the digest that it states");
  if (line.substr(0, record_magic.size()) != record_magic)
    return damaged("it does not begin with '" + std::string(record_magic) + "'");
  RecordFrame frame;
  frame.schema = line.substr(record_magic.size(), line.find(' ') - record_magic.size());
  if (frame.schema != std::to_string(record_schema))
    return failure(ErrorKind::unsupported, "the record has schema '" + std::string(frame.schema) +
                                               "', and this version reads " + std::to_string(record_schema) +
                                               "; use a newer version of Assay, which leaves it as it is");
  // "assay-baseline/1 header:<bytes>:<digest> data:<bytes>:<digest>"
  const auto part = [&](std::string_view name, std::size_t& bytes, std::string_view& digest) {
    const std::size_t at = line.find(name);
    if (at == std::string_view::npos) return false;
    const char* const last = line.data() + own;
    const auto [number_end, code] = std::from_chars(line.data() + at + name.size(), last, bytes);
    if (code != std::errc() || last - number_end < 65 || *number_end != ':') return false;
    digest = std::string_view(number_end + 1, 64);
    return true;
  };
  if (!part(" header:", frame.header_bytes, frame.header_digest) ||
      !part(" data:", frame.data_bytes, frame.data_digest))
    return damaged("its first line does not tell its parts");
  const std::string_view rest = text.substr(end + 1);
  if (frame.header_bytes > rest.size() || frame.data_bytes > rest.size() - frame.header_bytes)
    return damaged("it was cut off, and has " + std::to_string(text.size()) + " bytes, where its first line tells of " +
                   std::to_string(frame.header_bytes) + " of metadata and " + std::to_string(frame.data_bytes) +
                   " of data");
  if (frame.header_bytes + frame.data_bytes != rest.size())
    return damaged(std::to_string(rest.size() - frame.header_bytes - frame.data_bytes) + " bytes follow its end");
  frame.header = rest.substr(0, frame.header_bytes);
  frame.data = rest.substr(frame.header_bytes);
  const bool header_right = sha256(frame.header) == frame.header_digest,
             data_right = sha256(frame.data) == frame.data_digest;
  if (header_right && data_right) return frame;
  const auto range = [](std::size_t first, std::size_t bytes) {
    return " (bytes " + std::to_string(first) + " to " + std::to_string(first + bytes) + ")";
  };
  const std::string header_text = "its metadata" + range(end + 1, frame.header_bytes),
                    data_text = "its data" + range(end + 1 + frame.header_bytes, frame.data_bytes);
  return damaged((header_right ? data_text + " do"
                  : data_right ? header_text + " do"
                               : header_text + " and " + data_text + " do") +
                 " not have the digest that its first line states");
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<BaselineRecord> record_from_text(std::string_view text) {
  const Result<detail::RecordFrame> frame = detail::checked_frame(text);
  if (!frame) return frame.propagate();
  detail::JsonBuilder builder;
  nlohmann::json::sax_parse(frame.value().header.begin(), frame.value().header.end(), &builder);
  std::string wrong = builder.error;
  BaselineRecord record;
  if (wrong.empty()) wrong = detail::read_record(builder.root, frame.value().data, record);
  if (wrong.empty() && record.tensor.whole() && record.tensor.digest != frame.value().data_digest)
    wrong = "the digest of its tensor is not that of its data";
  if (!wrong.empty())
    return failure(ErrorKind::malformed,
                   "the record is none, although its digests are right, so that another program wrote it: " + wrong);
  if (record.key != baseline_key(record.subject))
    return failure(ErrorKind::malformed, "the record states the key " + record.key + ", and its subject has the key " +
                                             baseline_key(record.subject) + ", so that another program wrote it");
  return record;
}

}  // namespace assay::inline v0

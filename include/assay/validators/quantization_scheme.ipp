#pragma once

#include "assay/validators/quantization_scheme.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE double QuantizationScheme::bits_per_value(Index rows, Index columns) const {
  if (rows <= 0 || columns <= 0) return 0;
  const double values = static_cast<double>(rows) * static_cast<double>(columns);
  double bits = scaling.element.bits;
  if (!scaled) return bits;
  const double scales =
      static_cast<double>(scaling.scale_rows(rows)) * static_cast<double>(scaling.scale_columns(columns));
  bits += scales * (scaling.scale.bits + (scaling.zero_points ? scaling.element.bits : 0)) / values;
  return scaling.tensor_scale == TensorScale::none ? bits : bits + 32 / values;
}

ASSAY_DETAIL_HEADER_INLINE std::string QuantizationScheme::description() const {
  if (!scaled) return std::string(scaling.element.name) + ", no scale";
  const auto extent = [](Index length, const char* whole) {
    return length > 0 ? std::to_string(length) : std::string(whole);
  };
  const bool whole_tensor = scaling.block_rows == 0 && scaling.block_columns == 0;
  const bool whole_row = scaling.block_rows == 1 && scaling.block_columns == 0;
  return std::string(scaling.element.name) + ", " + scaling.scale.name + " scale" +
         (scaling.zero_points ? " and zero point" : "") +
         (whole_tensor ? " of the tensor"
          : whole_row  ? " for each channel"
                      : " for each " + extent(scaling.block_rows, "all") + "×" + extent(scaling.block_columns, "all")) +
         (scaling.tensor_scale != TensorScale::none ? ", one more of the tensor" : "");
}

ASSAY_DETAIL_HEADER_INLINE std::vector<QuantizationScheme> all_quantization_schemes() {
  std::vector<QuantizationScheme> schemes{plain_scheme<bfloat16>(), plain_scheme<float16>(),
                                          plain_scheme<float8_e4m3fn>(), plain_scheme<float8_e5m2>()};
  BlockScaling e5m2 = fp8_tensor();
  e5m2.name = "fp8_tensor_e5m2";
  e5m2.element = code_format<float8_e5m2>();
  schemes.push_back({e5m2.name, e5m2});
  for (const BlockScaling& scaling : all_block_schemes)
    if (scaling.rule != ScaleRule::given && scaling.tensor_scale != TensorScale::given)
      schemes.push_back({scaling.name, scaling});
  std::vector<QuantizationScheme> ordered;
  for (int bits = 16; bits > 0; --bits)
    for (const QuantizationScheme& scheme : schemes)
      if (scheme.scaling.element.bits == bits) ordered.push_back(scheme);
  return ordered;
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<QuantizationScheme>> quantization_schemes_named(
    const std::vector<std::string>& names) {
  const std::vector<QuantizationScheme> all = all_quantization_schemes();
  std::vector<bool> chosen(all.size(), names.empty());
  std::vector<std::string> known;
  for (const QuantizationScheme& scheme : all) known.push_back(scheme.name);
  for (const std::string& name : names) {
    bool found = false;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (glob_matches(name, all[i].name)) found = chosen[i] = true;
    if (!found) return failure(ErrorKind::not_found, unknown_name("format", name, known));
  }
  std::vector<QuantizationScheme> schemes;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (chosen[i]) schemes.push_back(all[i]);
  return schemes;
}

}  // namespace assay::inline v0

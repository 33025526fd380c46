#pragma once

#include "assay/faults/emulated_linear.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE AccumulationModel short_accumulation(Index promotion) {
  AccumulationModel model = accumulation_in<float32>();
  model.format_name = "14 bits, truncating blocks of 32";
  model.unit_roundoff = power_of_two(-13);
  model.truncating = true;
  model.block = 32;
  model.precision = 14;
  model.promotion = promotion;
  return model;
}

ASSAY_DETAIL_HEADER_INLINE LinearElements LinearElements::read(const LinearReader& reader, Index groups,
                                                               std::string_view fault, bool is_b) {
  LinearElements elements;
  elements.terms = reader.terms;
  const LinearMatrix& matrix = reader.matrix;
  for (Index group = 0; group < groups; ++group)
    for (Index vector = 0; vector < reader.vectors; ++vector)
      for (Index term = 0; term < reader.terms; ++term) {
        elements.codes.push_back(matrix.is_block_scaled() ? faulty_block_code(reader, fault, group, vector, term)
                                 : matrix.is_sparse()     ? faulty_sparse_code(reader, fault, group, vector, term)
                                                          : faulty_code(reader, fault, is_b, group, vector, term));
        elements.factors.push_back(matrix.is_block_scaled() ? faulty_factor(reader, fault, group, vector, term) : 1.0);
        elements.zero_points.push_back(matrix.is_block_scaled() ? reader.zero_point_of_block(group, vector, term) : 0);
      }
  return elements;
}

ASSAY_DETAIL_HEADER_INLINE double LinearElements::faulty_code(const LinearReader& reader, std::string_view fault,
                                                              bool is_b, Index group, Index vector, Index term) {
  double code = reader.code(group, vector, term);
  if (reader.matrix.is_integer()) {
    const double zero_point = reader.zero_point(group, vector);
    if (fault == "zero_point_ignored" || (fault == "zero_point_of_columns_ignored" && is_b)) code += zero_point;
    if (fault == "unsigned_as_signed" && code + zero_point > 127) code -= 256;
    return code;
  }
  constexpr FloatLayout tf32{8, 10, 127, SpecialValues::ieee};
  return fault == "narrow_inputs" ? assay::decode(tf32, assay::encode(tf32, code)) : code;
}

ASSAY_DETAIL_HEADER_INLINE double LinearElements::faulty_block_code(const LinearReader& reader, std::string_view fault,
                                                                    Index group, Index vector, Index term) {
  const BlockScaling& scheme = reader.matrix.scheme;
  if (fault == "nibbles_swapped" && scheme.element.bits == 4 && (term ^ 1) < reader.terms)
    return reader.code(group, vector, term ^ 1);
  double code = reader.code(group, vector, term);
  if (fault == "zero_point_ignored") code += reader.zero_point_of_block(group, vector, term);
  if (fault == "zero_point_plus_one" && scheme.zero_points) code -= 1;
  return code;
}

ASSAY_DETAIL_HEADER_INLINE double LinearElements::faulty_sparse_code(const LinearReader& reader, std::string_view fault,
                                                                     Index group, Index vector, Index term) {
  const Index four = term / 4 * 4;
  if (fault == "metadata_of_neighbor" && vector > 0) {
    LinearReader other = reader;
    const Index pitch = reader.metadata.strides[reader.metadata.rank - 2];
    other.metadata.data = static_cast<std::uint8_t*>(reader.metadata.data) - pitch;
    return other.code(group, vector, term);
  }
  if (fault != "metadata_ignored" && fault != "metadata_swapped") return reader.code(group, vector, term);
  const Index start = group * reader.group_stride + vector * reader.vector_stride;
  const std::uint64_t byte = reader.metadata.format.load_code(
      reader.metadata.data,
      (group * reader.vectors + vector) * reader.metadata.strides[reader.metadata.rank - 2] + term / 8);
  const Index places = static_cast<Index>(term / 4 % 2 == 0 ? byte & 15 : byte >> 4);
  for (Index slot = 0; slot < 2; ++slot) {
    const Index place = fault == "metadata_ignored" ? slot : slot == 0 ? places >> 2 : places & 3;
    if (four + place == term)
      return reader.values.format.load(reader.values.data, start + (term / 4 * 2 + slot) * reader.term_stride);
  }
  return 0;
}

ASSAY_DETAIL_HEADER_INLINE double LinearElements::faulty_factor(const LinearReader& reader, std::string_view fault,
                                                                Index group, Index vector, Index term) {
  const BlockScaling& scheme = reader.matrix.scheme;
  const Index length = scheme.columns_of_block(reader.terms);
  if (fault == "scale_tiles_as_rows" && scheme.order == ScaleOrder::tiles_128x4) {
    const Index columns = scheme.scale_columns(reader.terms);
    return reader.scales.format.load(reader.scales.data,
                                     vector / scheme.rows_of_block(reader.vectors) * columns + term / length) *
           reader.whole_scale();
  }
  if (fault == "scale_row_of_neighbor" && vector % reader.vectors >= 32) return reader.factor(group, vector - 1, term);
  if (fault == "scales_of_half_blocks") return reader.factor(group, vector, term / length / 2 * length);
  const double factor = reader.factor(group, vector, term);
  if (fault == "exponent_off_by_one" && scheme.scale.holds_only_powers_of_two()) return 2 * factor;
  if (fault == "tensor_scale_ignored") return factor / reader.whole_scale();
  if (fault == "padding_scale" && reader.terms % length != 0 && term / length == reader.terms / length)
    return reader.whole_scale();
  return factor;
}

}  // namespace assay::inline v0::detail

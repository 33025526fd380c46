// safetensors_weights FILE: writes a small model of the kinds of weights that quantization meets: well-behaved ones,
// channels that stand out, values so small that narrow formats lose them, and a few that stand far above the rest.
// components: json
#include <cstdio>
#include <string>
#include <vector>

#include "assay/io/safetensors.hpp"
#include "assay/tensor/random_values.hpp"

namespace {

constexpr assay::Index rows = 64, columns = 512;

/// A matrix of normal values, each multiplied by `scale(row, column)`, and rounded once to format T.
template <class T, class Scale>
std::vector<T> weights(std::uint64_t seed, const Scale& scale) {
  std::vector<T> values;
  for (assay::Index row = 0; row < rows; ++row)
    for (assay::Index column = 0; column < columns; ++column) {
      const auto bits = assay::random_bits(seed, static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(column));
      values.push_back(assay::encode<T>(assay::standard_normal(bits) * scale(row, column)));
    }
  return values;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: safetensors_weights FILE\n");
    return 2;
  }
  using assay::bfloat16, assay::float16, assay::Index;
  const auto normal = weights<bfloat16>(1, [](Index, Index) { return 0.02; });
  const auto outlier_channels = weights<bfloat16>(2, [](Index row, Index) { return row % 16 == 3 ? 1.0 : 0.02; });
  const auto outlier_columns = weights<float16>(3, [](Index, Index column) { return column % 128 == 5 ? 0.6 : 0.02; });
  const auto tiny = weights<float>(4, [](Index, Index) { return 3e-6; });
  const auto spikes =
      weights<float>(5, [](Index row, Index column) { return (row * columns + column) % 4001 == 7 ? 2.0 : 0.02; });
  const auto shifted = [] {
    auto values = weights<float>(6, [](Index, Index) { return 0.02; });
    for (float& value : values) value += 0.1F;
    return values;
  }();
  const std::vector<float> norm(static_cast<std::size_t>(columns), 1.0F);
  const std::vector<std::int64_t> ids{0, 1, 2, 3};

  const std::vector<Index> shape{rows, columns};
  const auto written = assay::write_safetensors(
      arguments[1],
      {assay::safetensors_data("layers.0.attention.weight", normal.data(), shape),
       assay::safetensors_data("layers.0.mlp.outlier_channels.weight", outlier_channels.data(), shape),
       assay::safetensors_data("layers.0.mlp.outlier_columns.weight", outlier_columns.data(), shape),
       assay::safetensors_data("layers.1.tiny.weight", tiny.data(), shape),
       assay::safetensors_data("layers.1.spikes.weight", spikes.data(), shape),
       assay::safetensors_data("layers.1.shifted.weight", shifted.data(), shape),
       assay::safetensors_data("norm.weight", norm.data(), {columns}),
       {"positions", assay::SafetensorsType::i64, {4}, ids.data()}},
      {{"format", "pt"}, {"made_by", "safetensors_weights"}});
  if (!written) {
    std::fprintf(stderr, "safetensors_weights: %s\n", written.error().message.c_str());
    return 1;
  }
  std::printf("%s\n", arguments[1]);
  return 0;
}

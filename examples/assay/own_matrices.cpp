#include "own_matrices.hpp"

#include <utility>
#include <vector>

#include "assay/io/npy.hpp"

namespace assay_program {

namespace {

std::string text_of(const std::vector<assay::Index>& shape) {
  std::string text;
  for (const assay::Index extent : shape) text += (text.empty() ? "" : ", ") + std::to_string(extent);
  return "(" + text + ")";
}

assay::Result<std::vector<double>> numbers(const assay::NpyArray& array, const std::string& path) {
  const bool brain = array.type.kind == assay::NpyKind::raw && array.type.size == sizeof(assay::bfloat16);
  std::vector<double> result;
  if (brain) {
    const auto values = array.values<assay::bfloat16>();
    if (!values) return assay::failure(values.error().kind, path + ": " + values.error().message);
    for (const assay::bfloat16 value : values.value()) result.push_back(assay::decode(value));
    return result;
  }
  const auto values = array.values<assay::float64>();
  if (!values) return assay::failure(values.error().kind, path + ": " + values.error().message);
  return values.value();
}

}  // namespace

assay::Result<assay::GemmMatrices> read_matrices(const std::string& path_a, const std::string& path_b) {
  const auto a = assay::read_npy(path_a);
  if (!a) return a.propagate();
  const auto b = assay::read_npy(path_b);
  if (!b) return b.propagate();
  for (const auto& [path, array] : {std::pair{&path_a, &a.value()}, std::pair{&path_b, &b.value()}})
    if (array->shape.size() != 2)
      return assay::failure(assay::ErrorKind::invalid,
                            *path + " has the shape " + text_of(array->shape) + "; a matrix has two extents");
  if (a.value().shape[1] != b.value().shape[0])
    return assay::failure(assay::ErrorKind::invalid, path_a + " has the shape " + text_of(a.value().shape) + ", " +
                                                         path_b + " has " + text_of(b.value().shape) +
                                                         "; A's columns must be as many as B's rows");
  auto numbers_a = numbers(a.value(), path_a);
  if (!numbers_a) return numbers_a.propagate();
  auto numbers_b = numbers(b.value(), path_b);
  if (!numbers_b) return numbers_b.propagate();
  assay::GemmMatrices matrices;
  matrices.m = a.value().shape[0];
  matrices.k = a.value().shape[1];
  matrices.n = b.value().shape[1];
  matrices.a = std::move(numbers_a).value();
  matrices.b = std::move(numbers_b).value();
  return matrices;
}

}  // namespace assay_program

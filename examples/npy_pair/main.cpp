// npy_pair actual.npy expected.npy [tolerance]: does one array match the other? Exit codes: 0 it does, 1 it does not, 2
// that could not be found out. Tolerances: exact, strict, normal (the default), relaxed, ulps=N, atol=X,rtol=Y.
#include <cstdio>
#include <string>
#include <vector>

#include "assay/io/npy.hpp"
#include "assay/matchers/match.hpp"
#include "assay/matchers/shaped_elements.hpp"
#include "assay/tolerance/tolerance_named.hpp"

namespace {

int refuse(const std::string& message) {
  std::fprintf(stderr, "npy_pair: %s\n", message.c_str());
  return 2;
}

/// Raw elements of two bytes are bfloat16, as ml_dtypes saves it.
bool is_bfloat16(const assay::NpyArray& array) {
  return array.type == assay::npy_type_of<assay::bfloat16>();
}
bool is_number(const assay::NpyArray& array) {
  return array.type.kind == assay::NpyKind::floating || is_bfloat16(array);
}

std::vector<double> exact_values(const assay::NpyArray& array) {
  if (!is_bfloat16(array)) return array.values<double>().value();
  const auto elements = array.values<assay::bfloat16>();
  std::vector<double> values;
  for (const assay::bfloat16 element : elements.value()) values.push_back(decode(element));
  return values;
}

/// The tolerance is meant in the format of the actual array: an ulp, or "normal", is another in bfloat16 than in
/// float32.
template <assay::Format T>
int judge(const assay::NpyArray& actual, const assay::NpyArray& expected, const assay::ChosenTolerance& tolerance) {
  const std::vector<T> output = actual.values<T>().value();
  const std::vector<double> reference = exact_values(expected);
  const auto found =
      assay::match(assay::shaped(output, actual.shape), assay::shaped(reference, expected.shape), tolerance);
  std::printf("%s\n", found.explanation.c_str());
  return found ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3 || count > 4) return refuse("usage: npy_pair actual.npy expected.npy [tolerance]");
  const auto tolerance = assay::tolerance_named(count == 4 ? arguments[3] : "normal");
  if (!tolerance) return refuse(tolerance.error().message);
  const auto actual = assay::read_npy(arguments[1]), expected = assay::read_npy(arguments[2]);
  for (const auto* array : {&actual, &expected}) {
    if (!*array) return refuse(array->error().message);
    if (!is_number(array->value()))
      return refuse(arguments[array == &actual ? 1 : 2] + (": dtype '" + array->value().type.description()) +
                    "' is none of f2, f4, f8 and bfloat16 (V2); convert first: .astype('f4')");
  }
  if (is_bfloat16(actual.value())) return judge<assay::bfloat16>(actual.value(), expected.value(), tolerance.value());
  if (actual.value().type.size == 2) return judge<assay::float16>(actual.value(), expected.value(), tolerance.value());
  if (actual.value().type.size == 4) return judge<float>(actual.value(), expected.value(), tolerance.value());
  return judge<double>(actual.value(), expected.value(), tolerance.value());
}

#include "assay/validators/diagnosis/diagnose.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "testing/host_comparison.hpp"

using namespace assay;

namespace {

/// A failing output of float32 whose right values are irregular, after `spoil`.
DiagnosedCase case_of(std::vector<Index> extents, const std::function<void(std::vector<double>&)>& spoil, const ElementFormat& format = element_format<float32>()) {
  FailingOutput output;
  output.name = "y";
  output.extents = std::move(extents);
  output.format = format;
  Index size = 1;
  for (const Index extent : output.extents) size *= extent;
  for (Index i = 0; i < size; ++i) output.expected.push_back(3 * std::sin(static_cast<double>(i * i) * 0.7 + 0.3));
  for (const double value : output.expected) output.actual.push_back(format.round(value));
  output.error.assign(output.expected.size(), 1e-7f);
  spoil(output.actual);
  for (std::size_t i = 0; i < output.size(); ++i) {
    output.actual[i] = format.round(output.actual[i]);
    output.violated.push_back(output.accepted(i).contains(output.actual[i]) ? 0 : 1);
    output.violations += output.violated.back();
  }
  DiagnosedCase given;
  given.outputs.push_back(std::move(output));
  return given;
}

Diagnosis first(const DiagnosedCase& given) {
  const auto found = diagnose(given);
  REQUIRE_FALSE(found.empty());
  INFO(found.front().text());
  CHECK_FALSE(found.front().evidence.empty());
  return found.front();
}

}  // namespace

TEST_CASE("what is done to each element is named") {
  const auto bf16 = element_format<bfloat16>();
  const Diagnosis zeros = first(case_of({16, 32}, [](auto& y) { y.assign(y.size(), 0); }));
  CHECK(zeros.kind == "zeros");
  CHECK(zeros.confidence == Confidence::certain);
  REQUIRE(zeros.picture);
  CHECK(zeros.picture->rows == 16);

  DiagnosedCase truncated = case_of({16, 32}, [](auto&) {}, bf16);
  FailingOutput& output = truncated.outputs.front();
  for (std::size_t i = 0; i < output.size(); ++i) {
    output.actual[i] = bf16.round(output.expected[i], Rounding::toward_zero);
    output.violated[i] = output.accepted(i).contains(output.actual[i]) ? 0 : 1;
    output.violations += output.violated[i];
  }
  CHECK(first(truncated).kind == "truncated_output");
  CHECK(first(truncated).fault_class == FaultClass::rounding);

  CHECK(first(case_of({16, 32}, [](auto& y) { for (double& value : y) value *= 0.25; })).kind == "factor_of_a_power_of_two");
  CHECK(first(case_of({16, 32}, [](auto& y) { for (double& value : y) value *= 1.1; })).kind == "constant_factor");
  CHECK(first(case_of({16, 32}, [](auto& y) { for (double& value : y) value = -value; })).kind == "negated");
}

TEST_CASE("right values in wrong places are named") {
  const auto rotated = [](auto& y) {
    for (std::size_t row = 0; row < y.size(); row += 32) std::rotate(y.begin() + static_cast<std::ptrdiff_t>(row), y.begin() + static_cast<std::ptrdiff_t>(row) + 1, y.begin() + static_cast<std::ptrdiff_t>(row) + 32);
  };
  const Diagnosis shifted = first(case_of({16, 32}, rotated));
  CHECK(shifted.fault_class == FaultClass::addressing);
  CHECK(shifted.kind == "shifted");
  const Diagnosis transposed = first(case_of({16, 16}, [](auto& y) {
    for (std::size_t i = 0; i < 16; ++i)
      for (std::size_t j = 0; j < i; ++j) std::swap(y[i * 16 + j], y[j * 16 + i]);
  }));
  CHECK(transposed.kind == "transposed");
  CHECK(first(case_of({4, 8, 8}, [](auto& y) { std::copy(y.begin(), y.begin() + 128, y.begin() + 128); })).fault_class == FaultClass::addressing);
}

TEST_CASE("what the machine does is told from what the program does") {
  const ElementFormat format = element_format<float32>();
  const auto flip = [&](double& value) { value = format.decode(format.encode(value) ^ (1u << 20)); };
  CHECK(first(case_of({16, 32}, [&](auto& y) { flip(y[77]); })).kind == "flipped_bit");
  CHECK(first(case_of({16, 64}, [&](auto& y) { for (std::size_t i = 5; i < y.size(); i += 32) y[i] += 0.3 + 0.01 * static_cast<double>(i % 7); })).kind == "faulty_lane");
  CHECK(first(case_of({64, 64}, [&](auto& y) {
          for (std::size_t i = 16; i < 32; ++i)
            for (std::size_t j = 32; j < 48; ++j) y[i * 64 + j] = 0.1 * static_cast<double>((i * 37 + j * 11) % 29) + 5;
        })).kind == "stale_tile");
}

TEST_CASE("findings of memory and runs that differ come first") {
  DiagnosedCase given = case_of({16, 32}, [](auto& y) { y[3] = 100; });
  given.memory_findings = {"canary of y overwritten: 0 words before, 1 behind it"};
  CHECK(first(given).fault_class == FaultClass::memory);
  CHECK(first(given).confidence == Confidence::certain);
  given.memory_findings.clear();
  given.runs_differ = true;
  CHECK(first(given).fault_class == FaultClass::state);
}

TEST_CASE("NaN and places stand in the evidence") {
  const Diagnosis diagnosis = first(case_of({20, 32}, [](auto& y) { for (std::size_t i = 16 * 32; i < y.size(); ++i) y[i] = NAN; }));
  CHECK(diagnosis.fault_class == FaultClass::special_value);
  bool told = false;
  for (const std::string& sentence : diagnosis.evidence) told = told || sentence.find("rows 16 to 19 of 20: those beyond the last multiple of 16") != std::string::npos;
  INFO(diagnosis.text());
  CHECK(told);
}

TEST_CASE("an output that is right has no diagnosis") { CHECK(diagnose(case_of({4, 4}, [](auto&) {})).empty()); }

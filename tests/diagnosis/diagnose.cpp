#include "assay/diagnosis/diagnose.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace assay;

namespace {

/// A failing output of float32 whose right values are irregular, after `spoil`.
DiagnosedCase case_of(std::vector<Index> extents, const std::function<void(std::vector<double>&)>& spoil,
                      const ElementFormat& format = element_format<float32>()) {
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

  DiagnosedCase truncated = case_of(
      {16, 32}, [](auto&) {}, bf16);
  FailingOutput& output = truncated.outputs.front();
  for (std::size_t i = 0; i < output.size(); ++i) {
    output.actual[i] = bf16.round(output.expected[i], Rounding::toward_zero);
    output.violated[i] = output.accepted(i).contains(output.actual[i]) ? 0 : 1;
    output.violations += output.violated[i];
  }
  CHECK(first(truncated).kind == "truncated_output");
  CHECK(first(truncated).fault_class == FaultClass::rounding);

  for (std::size_t i = 0; i < output.size(); ++i) {
    const double cut = bf16.round(output.expected[i], Rounding::toward_zero);
    output.actual[i] = bf16.decode(bf16.encode(cut) | 1);
    output.violations -= output.violated[i];
    output.violated[i] = output.accepted(i).contains(output.actual[i]) ? 0 : 1;
    output.violations += output.violated[i];
  }
  CHECK(first(truncated).kind == "rounded_to_odd");

  CHECK(first(case_of({16, 32}, [](auto& y) {
          for (double& value : y) value *= 0.25;
        })).kind == "factor_of_a_power_of_two");
  CHECK(first(case_of({16, 32}, [](auto& y) {
          for (double& value : y) value *= 1.1;
        })).kind == "constant_factor");
  CHECK(first(case_of({16, 32}, [](auto& y) {
          for (double& value : y) value *= 3;
        })).fault_class == FaultClass::repeated_work);
  CHECK(first(case_of({16, 32}, [](auto& y) {
          for (double& value : y) value = -value;
        })).kind == "negated");
}

TEST_CASE("right values in wrong places are named") {
  const auto rotated = [](auto& y) {
    for (std::size_t row = 0; row < y.size(); row += 32)
      std::rotate(y.begin() + static_cast<std::ptrdiff_t>(row), y.begin() + static_cast<std::ptrdiff_t>(row) + 1,
                  y.begin() + static_cast<std::ptrdiff_t>(row) + 32);
  };
  const Diagnosis shifted = first(case_of({16, 32}, rotated));
  CHECK(shifted.fault_class == FaultClass::addressing);
  CHECK(shifted.kind == "shifted");
  const Diagnosis transposed = first(case_of({16, 16}, [](auto& y) {
    for (std::size_t i = 0; i < 16; ++i)
      for (std::size_t j = 0; j < i; ++j) std::swap(y[i * 16 + j], y[j * 16 + i]);
  }));
  CHECK(transposed.kind == "transposed");
  CHECK(first(case_of({4, 8, 8}, [](auto& y) {
          std::copy(y.begin(), y.begin() + 128, y.begin() + 128);
        })).fault_class == FaultClass::addressing);
}

TEST_CASE("what the machine does is told from what the program does") {
  const ElementFormat format = element_format<float32>();
  const auto flip = [&](double& value) { value = format.decode(format.encode(value) ^ (1u << 20)); };
  CHECK(first(case_of({16, 32}, [&](auto& y) { flip(y[77]); })).kind == "flipped_bit");
  CHECK(first(case_of({16, 64}, [&](auto& y) {
          for (std::size_t i = 5; i < y.size(); i += 32) y[i] += 0.3 + 0.01 * static_cast<double>(i % 7);
        })).kind == "faulty_lane");
  CHECK(first(case_of({64, 64}, [&](auto& y) {
          for (std::size_t i = 16; i < 32; ++i)
            for (std::size_t j = 32; j < 48; ++j) y[i * 64 + j] = 0.1 * static_cast<double>((i * 37 + j * 11) % 29) + 5;
        })).kind == "stale_tile");
}

TEST_CASE("one block of threads is told wherever rows begin, and from whole rows") {
  const auto off_in_the_middle = [](auto& y, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) y[i] *= 1 + 1e-4 * (i % 3 == 0 ? 1.5 : -1);
  };
  const Diagnosis block = first(case_of({13, 17}, [&](auto& y) { off_in_the_middle(y, 64, 128); }));
  CHECK(block.fault_class == FaultClass::state);
  CHECK(block.kind == "faulty_multiprocessor");
  CHECK(first(case_of({13, 16}, [&](auto& y) { off_in_the_middle(y, 64, 128); })).kind != "faulty_multiprocessor");
  CHECK(first(case_of({13, 17}, [&](auto& y) { off_in_the_middle(y, 64, 100); })).kind != "faulty_multiprocessor");
}

TEST_CASE("a warp that gives another warp's results is told from a program that shifts its output") {
  const auto copied = [](auto& y, const std::function<bool(std::size_t)>& copies, std::size_t distance) {
    const std::vector<double> right = y;
    for (std::size_t i = distance; i < y.size(); ++i)
      if (copies(i)) y[i] = right[i - distance];
  };
  for (const std::size_t warp : {std::size_t{16}, std::size_t{64}})
    CHECK(first(case_of({20, 60}, [&](auto& y) {
            copied(
                y, [&](std::size_t i) { return i / warp % 4 == 1; }, warp);
          })).fault_class == FaultClass::state);
  CHECK(first(case_of({5, 50}, [&](auto& y) {
          copied(
              y, [](std::size_t i) { return i / 64 == 1; }, 64);
        })).fault_class == FaultClass::state);
  CHECK(first(case_of({20, 60}, [&](auto& y) {
          copied(
              y, [](std::size_t) { return true; }, 16);
        })).fault_class == FaultClass::addressing);
  const auto block = [&](std::vector<Index> extents, std::size_t begin, std::size_t end, std::size_t distance) {
    return first(case_of(std::move(extents),
                         [&](auto& y) {
                           copied(
                               y, [=](std::size_t i) { return i >= begin && i < end; }, distance);
                         }))
        .fault_class;
  };
  CHECK(block({3, 24}, 32, 48, 16) == FaultClass::state);         // one warp of 16, across rows
  CHECK(block({1, 256}, 64, 128, 64) == FaultClass::state);       // one of 64 in a vector
  CHECK(block({4, 64}, 64, 128, 64) == FaultClass::addressing);   // a row of the output's own
  CHECK(block({1, 256}, 64, 128, 16) == FaultClass::addressing);  // results of four blocks, each of the one before
  // one column of each row, whatever its number
  CHECK(first(case_of({20, 128}, [&](auto& y) {
          copied(
              y, [](std::size_t i) { return i % 128 == 5; }, 1);
        })).kind != "faulty_lane");
}

TEST_CASE("values that are small whole numbers are not taken for those of other places") {
  DiagnosedCase given = case_of({16, 32}, [](auto&) {});
  FailingOutput& output = given.outputs.front();
  output.violations = 0;
  for (std::size_t i = 0; i < output.size(); ++i) {
    output.expected[i] = static_cast<double>(i * i % 23);
    output.actual[i] = output.expected[i] + (i % 3 == 0 ? static_cast<double>(1 + i % 5) : 0);
    output.violated[i] = output.accepted(i).contains(output.actual[i]) ? 0 : 1;
    output.violations += output.violated[i];
  }
  CHECK_FALSE(detail::BorrowedValues(output).explanation());
}

TEST_CASE("infinities of the other sign, or lost, are special values and no flipped bits") {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double given_for_infinity : {-infinity, 0.0}) {
    DiagnosedCase given = case_of({16, 32}, [](auto&) {});
    FailingOutput& output = given.outputs.front();
    for (const std::size_t i : {std::size_t{40}, std::size_t{137}, std::size_t{391}}) {
      output.expected[i] = infinity, output.actual[i] = given_for_infinity;
      output.violated[i] = 1, ++output.violations;
    }
    CHECK(first(given).fault_class == FaultClass::special_value);
  }
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
  const Diagnosis diagnosis = first(case_of({20, 32}, [](auto& y) {
    for (std::size_t i = 16 * 32; i < y.size(); ++i) y[i] = NAN;
  }));
  CHECK(diagnosis.fault_class == FaultClass::special_value);
  bool told = false;
  for (const std::string& sentence : diagnosis.evidence)
    told = told || sentence.find("rows 16 to 19 of 20: those beyond the last multiple of 16") != std::string::npos;
  INFO(diagnosis.text());
  CHECK(told);
}

namespace {

/// A kernel that computes y = 3x + 1 of (rows, columns) float32 numbers, after `spoil` told it which element it reads
/// for which, or what it writes.
struct Relaunched {
  using Kernel = std::function<void(const Operand& x, const Operand& y)>;
  std::vector<float> x, y;
  DiagnosedCase given;

  explicit Relaunched(const Kernel& kernel, Index rows = 16, float constant = 0, Index columns = 32) {
    const Index size = rows * columns;
    x.resize(static_cast<std::size_t>(size) + 8, 7);
    y.resize(static_cast<std::size_t>(size));
    for (Index i = 0; i < size; ++i)
      x[static_cast<std::size_t>(i)] =
          constant != 0 ? constant : static_cast<float>(std::sin(static_cast<double>(i * i) * 0.7 + 0.3));
    const ElementFormat format = element_format<float32>();
    given.specs = {{"x", OperandRole::input, format, {rows, columns}},
                   {"y", OperandRole::output, format, {rows, columns}}};
    given.before.count = given.after.count = 2;
    given.before[0] = given.after[0] = contiguous_operand(x.data(), {rows, columns});
    given.before[1] = given.after[1] = contiguous_operand(y.data(), {rows, columns});
    given.rerun = [kernel](const OperandArray& operands) {
      kernel(operands[0], operands[1]);
      return true;
    };
    given.look = [](const OperandArray& before, const OperandArray& after) {
      std::vector<ExpectedElement> due;
      for (Index i = 0; i < before[0].size(); ++i) due.push_back({3 * before[0].load(i) + 1, 1e-6});
      return std::vector<FailingOutput>{failing_output("y", after[1], due, ChosenTolerance{})};
    };
    launch();
  }
  Relaunched(const Relaunched&) = delete;
  Relaunched& operator=(const Relaunched&) = delete;

  void launch() {
    given.rerun(given.after);
    given.outputs = given.look(given.before, given.after);
  }
  void leave_gaps_between_rows(Index gap) {
    const Operand contiguous = given.before[0];
    const Index columns = contiguous.extents[1];
    std::vector<float> wide(static_cast<std::size_t>(contiguous.extents[0] * (columns + gap)), 7);
    for (Index i = 0; i < contiguous.size(); ++i)
      wide[static_cast<std::size_t>(i / columns * (columns + gap) + i % columns)] =
          static_cast<float>(contiguous.load(i));
    x = std::move(wide);
    given.before[0].data = x.data();
    given.before[0].strides[0] = columns + gap;
    given.after[0] = given.before[0];
    launch();
  }

  [[nodiscard]] Diagnosis first() const {
    REQUIRE(given.outputs.front().violations > 0);
    const auto found = diagnose(given, {&diagnose, 5, true});
    REQUIRE_FALSE(found.empty());
    INFO(found.front().text());
    CHECK_FALSE(found.front().evidence.empty());
    return found.front();
  }
};

float right(const Operand& x, Index i) {
  return static_cast<float>(3 * x.load(i) + 1);
}

}  // namespace

TEST_CASE("what a kernel reads beyond its operands is told by what lies there") {
  const auto one_too_far = [](const Operand& x, const Operand& y) {
    for (Index i = 0; i < x.size(); ++i)
      static_cast<float*>(y.data)[i] = 3 * static_cast<const float*>(x.data)[i + 1] + 1;
  };
  CHECK(Relaunched(one_too_far).first().kind == "reads_beyond_operands");
  const auto round_about = [](const Operand& x, const Operand& y) {
    for (Index i = 0; i < x.size(); ++i) y.store(i, right(x, (i + 1) % x.size()));
  };
  CHECK(Relaunched(round_about).first().fault_class == FaultClass::addressing);
}

TEST_CASE("what depends on the launch before is a state, though every launch of the same data gives the same") {
  auto former = std::make_shared<std::vector<double>>();
  const auto adds_up = [former](const Operand& x, const Operand& y) {
    std::vector<double> now;
    for (Index i = 0; i < x.size(); ++i)
      now.push_back(right(x, i)),
          y.store(i, now.back() + (former->empty() ? 0.25 : 0.5 * former->at(static_cast<std::size_t>(i))));
    *former = now;
  };
  const Diagnosis diagnosis = Relaunched(adds_up).first();
  CHECK(diagnosis.fault_class == FaultClass::state);
  CHECK(diagnosis.kind == "runs_differ");
}

TEST_CASE("data whose elements are all alike do not hide where values come from") {
  const auto last_row = [](const Operand& x, const Operand& y) {
    for (Index i = 0; i < x.size(); ++i) y.store(i, i < 32 ? 0 : right(x, x.size() - 32 + i % 32));
  };
  CHECK(Relaunched(last_row, 16, 0.5F).first().fault_class == FaultClass::addressing);
}

TEST_CASE("what explains the given data and not other data is no explanation") {
  const auto takes_for_one = [](const Operand& x, const Operand& y) {
    for (Index i = 0; i < x.size(); ++i) y.store(i, 4);
  };
  const auto takes_magnitude = [](const Operand& x, const Operand& y) {
    for (Index i = 0; i < x.size(); ++i) y.store(i, static_cast<float>(3 * std::fabs(x.load(i)) + 1));
  };
  for (const bool other : {false, true}) {
    const Relaunched::Kernel kernel = other ? Relaunched::Kernel(takes_magnitude) : Relaunched::Kernel(takes_for_one);
    Relaunched launched(kernel);
    for (Index i = 0; i < 512; ++i) launched.x[static_cast<std::size_t>(i)] = i * i * 7 % 11 < 5 ? 1.0F : -1.0F;
    launched.launch();
    launched.given.judge = [look = launched.given.look](int, const OperandArray& before, const OperandArray& after,
                                                        const Arithmetic&) {
      const FailingOutput output = look(before, after).front();
      return DiagnosedCase::Trial{true, output.size(), output.violations, 0};
    };
    CHECK((launched.first().kind == "x_ignored") != other);
  }
}

TEST_CASE("elements written at equal distances across rows are no tail that was left out") {
  const auto every_33rd = [](const Operand& x, const Operand& y) {
    for (Index i = 0; i < x.size(); i += 33) y.store(i, right(x, i));
  };
  const auto but_the_tail = [](const Operand& x, const Operand& y) {
    for (Index i = 0; i + 40 < x.size(); ++i) y.store(i, right(x, i));
  };
  const auto third_lane_of_8 = [](const Operand& x, const Operand& y) {
    for (Index i = 2; i < x.size(); i += 8) y.store(i, right(x, i));
  };
  const auto times_8 = [](const Operand& x, const Operand& y) {
    for (Index i = 0; 8 * i < x.size(); ++i) y.store(8 * i, right(x, i));
  };
  const std::pair<Relaunched::Kernel, FaultClass> kernels[] = {{every_33rd, FaultClass::addressing},
                                                               {but_the_tail, FaultClass::memory},
                                                               {third_lane_of_8, FaultClass::memory},
                                                               {times_8, FaultClass::addressing}};
  for (const auto& [kernel, fault_class] : kernels) {
    Relaunched launched(kernel);
    const detail::SurroundedOperands poisoned(launched.given.specs, launched.given.before, detail::Surroundings::small);
    launched.given.rerun(poisoned.array());
    launched.given.outputs = launched.given.look(launched.given.before, poisoned.array());
    launched.given.memory_findings = {"elements of y were never written"};
    CHECK(launched.first().fault_class == fault_class);
  }
}

TEST_CASE("NaN of ordinary numbers is an overflow on the way if smaller ones are computed rightly") {
  const auto through_squares = [](const Operand& x, const Operand& y) {  // of a format that ends at 256
    for (Index i = 0; i < x.size(); ++i)
      y.store(i, std::fabs(x.load(i)) > 0.2 ? std::nan("") : static_cast<double>(right(x, i)));
  };
  const auto from_elsewhere = [](const Operand& x, const Operand& y) {
    for (Index i = 0; i < x.size(); ++i) y.store(i, i % 3 == 0 ? std::nan("") : static_cast<double>(right(x, i)));
  };
  CHECK(Relaunched(through_squares).first().kind == "intermediate_overflow");
  CHECK(Relaunched(from_elsewhere).first().kind != "intermediate_overflow");
}

TEST_CASE("numbers at the limits of a format are told from lanes, though they stand at equal distances") {
  constexpr float large = std::numeric_limits<float>::max() / 8;
  const auto large_are_zero = [](const Operand& x, const Operand& y) {
    for (Index i = 0; i < x.size(); ++i) y.store(i, x.load(i) < -large / 2 ? 0 : right(x, i));
  };
  const auto lane = [](const Operand& x, const Operand& y) {
    for (Index i = 0; i < x.size(); ++i) y.store(i, i % 32 == 3 ? 0 : right(x, i));
  };
  for (const bool faulty_lane : {false, true}) {
    Relaunched launched(faulty_lane ? Relaunched::Kernel(lane) : Relaunched::Kernel(large_are_zero), 16, 0, 64);
    for (std::size_t i = 0; i < 1024; i += 32) launched.x[i + 3] = -large, launched.x[i + 9] = large;
    launched.launch();
    REQUIRE(launched.given.outputs.front().violations == 32);
    CHECK(launched.first().fault_class == (faulty_lane ? FaultClass::state : FaultClass::special_value));
  }
}

TEST_CASE("a vector that is repeated for each row tells where it holds NaN") {
  DiagnosedCase given = case_of({16, 32}, [](auto& y) {
    for (std::size_t i = 5; i < y.size(); i += 32) y[i] = std::nan("");
  });
  std::vector<float> bias(32, 0.5F);
  given.specs = {{"bias", OperandRole::input, element_format<float32>(), {32}}};
  given.before.count = 1;
  given.before[0] = contiguous_operand(bias.data(), {32});
  CHECK_FALSE(detail::by_special_inputs(given, given.outputs.front()));
  bias[5] = std::numeric_limits<float>::quiet_NaN();
  CHECK(detail::by_special_inputs(given, given.outputs.front()));
  bias[6] = bias[7] = bias[5];
  CHECK_FALSE(detail::by_special_inputs(given, given.outputs.front()));
}

TEST_CASE("a kernel that ignores strides is told from one that computes otherwise where rows have gaps") {
  const auto ignores = [](const Operand& x, const Operand& y) {
    for (Index i = 0; i < x.size(); ++i) y.store(i, 3 * static_cast<const float*>(x.data)[i] + 1);
  };
  const auto other_code = [](double off, double off_without) {
    return [=](const Operand& x, const Operand& y) {
      const double factor = x.strides[0] != x.extents[1] ? off : off_without;
      for (Index i = 0; i < x.size(); ++i)
        y.store(i, static_cast<double>(right(x, i)) * (1 + (i % 3 == 0 ? factor : -factor)));
    };
  };
  const auto diagnosed = [](const Relaunched::Kernel& kernel) {
    Relaunched launched(kernel);
    launched.leave_gaps_between_rows(8);
    return launched.first();
  };
  CHECK(diagnosed(ignores).kind == "strides_ignored");
  const Diagnosis less_exact = diagnosed(other_code(1e-3, 0));
  CHECK(less_exact.fault_class == FaultClass::precision);
  CHECK(less_exact.text().find("are right where rows lie without gaps") != std::string::npos);
  CHECK(diagnosed(other_code(0.3, 0.1)).fault_class != FaultClass::addressing);
}

TEST_CASE("results too small for a kernel are told from elements it leaves out") {
  DiagnosedCase given = case_of({16, 32}, [](auto&) {});
  FailingOutput& output = given.outputs.front();
  for (std::size_t i = 0; i < output.size(); i += 5) {
    output.expected[i] = 1e-36 * (1 + static_cast<double>(i));
    output.error[i] = 0;
    output.actual[i] = 0;
    output.violated[i] = 1;
    ++output.violations;
  }
  CHECK(first(given).kind == "small_results_flushed");
  CHECK(first(given).fault_class == FaultClass::special_value);
  output.actual[0] = 1e-37;
  CHECK(first(given).kind == "small_results");
  output.actual[0] = 0;
  output.expected[35] = 0.125;
  CHECK(first(given).kind == "elements_left_zero");
}

TEST_CASE("a bit that one lane of an input does not see is told from narrow arithmetic") {
  const auto stuck = [](const Operand& x, const Operand& y) {
    for (Index i = 0; i < x.size(); ++i) {
      const double value = i % 16 == 3 ? x.format.decode(x.format.encode(x.load(i)) | 1u << 21) : x.load(i);
      y.store(i, static_cast<float>(3 * value + 1));
    }
  };
  CHECK(Relaunched(stuck).first().fault_class == FaultClass::state);
  const auto narrow = [](const Operand& x, const Operand& y) {
    for (Index i = 0; i < x.size(); ++i)
      y.store(i, static_cast<float>(3 * static_cast<double>(round_to<bfloat16>(x.load(i))) + 1));
  };
  CHECK(Relaunched(narrow).first().fault_class == FaultClass::precision);
}

TEST_CASE("an end that stays unwritten tells of places only where its values would be right elsewhere") {
  const auto unwritten = [](std::size_t begin, std::size_t end, bool constant, bool drawn = false) {
    DiagnosedCase given = case_of({16, 32}, [](auto&) {});
    FailingOutput& output = given.outputs.front();
    std::vector<std::optional<bool>> written(output.size(), true);
    for (std::size_t i = 0; i < output.size(); ++i) {
      if (constant) output.expected[i] = output.actual[i] = 0.5;
      if (i >= begin && i < end) written[i] = false;
    }
    return detail::UnwrittenEnds(output, written, drawn).explanation();
  };
  constexpr std::size_t size = 512;
  for (const bool constant : {false, true}) {
    CHECK(unwritten(0, 2, constant).has_value() == constant);
    CHECK(unwritten(size - 3, size, constant).has_value() == constant);
    CHECK(unwritten(64, size, constant).has_value() == constant);
    CHECK(unwritten(1, size, constant).has_value());  // the first alone
    CHECK_FALSE(unwritten(65, size, constant));       // no power of two
    CHECK_FALSE(unwritten(size - 32, size, constant));
    CHECK_FALSE(unwritten(100, 102, constant));
    CHECK_FALSE(unwritten(0, 0, constant));
  }
  CHECK(unwritten(size - 3, size, false, true));  // draws may stand anywhere
  std::vector<std::optional<bool>> gap(size, true);
  const DiagnosedCase given = case_of({16, 32}, [](auto&) {});
  gap[0] = gap[511] = false;
  CHECK_FALSE(detail::UnwrittenEnds(given.outputs.front(), gap, true).explanation());
  std::vector<std::optional<bool>> of_vectors(511, true);
  DiagnosedCase odd = case_of({7, 73}, [](auto&) {});
  of_vectors[508] = of_vectors[509] = of_vectors[510] = false;  // 511 = 127·4 + 3
  CHECK_FALSE(detail::UnwrittenEnds(odd.outputs.front(), of_vectors, true).explanation());
}

TEST_CASE("one row in all rows is told, whichever it is") {
  const auto row_in_all = [](std::size_t row) {
    return first(case_of({12, 20}, [row](auto& y) {
      for (std::size_t i = 0; i < y.size(); ++i)
        if (i / 20 != row) y[i] = y[row * 20 + i % 20];
    }));
  };
  CHECK(row_in_all(5).kind == "row_repeated");
  CHECK(row_in_all(0).fault_class == FaultClass::addressing);
  CHECK(first(case_of({12, 20}, [](auto& y) {
          for (std::size_t i = 0; i < y.size(); ++i) y[i] = 0.1 + 0.02 * static_cast<double>(i % 20 * i % 7);
        })).kind != "row_repeated");
}

TEST_CASE("a kernel that reads few of the elements it should read is told from one that leaves some out") {
  const auto one_row_for_all = [](const Operand& x, const Operand& y) {
    const Index columns = x.extents[1];
    for (Index i = 0; i < x.size(); ++i)
      y.store(i, 1 + 2.2 * x.load(columns + i % columns) + std::sin(5 * x.load(columns + (i * 7 + 3) % columns)));
  };
  const auto some_left_out = [](const Operand& x, const Operand& y) {
    for (Index i = 0; i < x.size(); ++i)
      y.store(i, i % 5 < 3 ? 0.3 * std::cos(static_cast<double>(i * i)) : static_cast<double>(right(x, i)));
  };
  CHECK(Relaunched(one_row_for_all).first().kind == "few_elements_read");
  CHECK(Relaunched(some_left_out).first().kind != "few_elements_read");
}

TEST_CASE("subnormal numbers wherever 0 is due are no flipped bits") {
  DiagnosedCase given = case_of({16, 32}, [](auto&) {});
  FailingOutput& output = given.outputs.front();
  for (std::size_t i = 3; i < output.size(); i += 29) {
    output.expected[i] = 0, output.error[i] = 0;
    output.actual[i] = output.format.min_subnormal();
    output.violated[i] = 1, ++output.violations;
  }
  CHECK(first(given).kind == "zeros_lost");
  output.expected[40] = output.actual[40] = 0;  // one zero among 18 may be right
  CHECK(first(given).kind == "zeros_lost");
  output.actual[3] = 1;
  CHECK(first(given).kind != "zeros_lost");
}

TEST_CASE("a bit that is stuck at 0 makes infinities of NaN") {
  DiagnosedCase given = case_of({16, 32}, [](auto&) {});
  FailingOutput& output = given.outputs.front();
  const std::uint64_t bit = std::uint64_t{1} << 22;
  for (std::size_t i = 40; i < output.size(); i += 64) {
    if (i == 104 || i == 360) output.expected[i] = std::nan("");
    const std::uint64_t code = output.format.encode(output.expected[i]);
    if ((code & bit) == 0) continue;
    output.actual[i] = output.format.decode(code & ~bit);
    output.violated[i] = 1, ++output.violations;
  }
  REQUIRE(std::isinf(output.actual[104]));
  REQUIRE(output.violations >= 4);
  CHECK(first(given).kind == "flipped_bits");
}

TEST_CASE("few wrong elements that stand apart are rather a matter of the machine") {
  const auto off = [](std::size_t begin, std::size_t step) {
    return first(case_of({32, 64}, [=](auto& y) {
      std::size_t place = begin;
      for (std::size_t k = 0; place < y.size(); place += step + k * k % 7, ++k)
        y[place] *= 1.3 + 0.07 * static_cast<double>(k % 5);
    }));
  };
  CHECK(off(11, 97).fault_class == FaultClass::state);
  CHECK(off(0, 2).kind != "few_elements");
}

TEST_CASE("an output of one element is looked at over many launches") {
  const ElementFormat format = element_format<float32>();
  const auto flips = [&](const Operand& x, const Operand& y) {
    y.store(0, format.decode(format.encode(right(x, 0)) ^ 1u << 20));
  };
  CHECK(Relaunched(flips, 1, 0, 1).first().fault_class == FaultClass::state);
  const auto a_tenth_more = [](const Operand& x, const Operand& y) {
    y.store(0, 1.1 * static_cast<double>(right(x, 0)));
  };
  CHECK(Relaunched(a_tenth_more, 1, 0, 1).first().kind == "constant_factor");
  const auto sine = [](const Operand& x, const Operand& y) { y.store(0, std::sin(40 * x.load(0))); };
  CHECK(Relaunched(sine, 1, 0, 1).first().confidence == Confidence::possible);
}

TEST_CASE("elements that went through a narrower format are told wherever they stand") {
  ElementFormat narrow = element_format<float32>();
  narrow.layout.fraction_bits -= 9;
  const auto narrowed_in_part = [&](Rounding rounding) {
    return first(case_of({16, 32}, [&](auto& y) {
      for (std::size_t i = 0; i < y.size(); ++i)
        if (i % 32 >= 24 && i / 32 % 4 == 1) y[i] = narrow.round(y[i], rounding);
    }));
  };
  CHECK(narrowed_in_part(Rounding::nearest_even).kind == "few_bits");
  CHECK(narrowed_in_part(Rounding::toward_zero).kind == "few_bits_cut_off");
  CHECK(narrowed_in_part(Rounding::toward_zero).fault_class == FaultClass::precision);

  const FloatLayout e4m3{4, 3, 7, SpecialValues::finite_nan};
  const auto through_e4m3 = [&](double most) {
    return first(case_of({64, 64}, [&](auto& y) {
      for (std::size_t i = 0; i < y.size(); ++i)
        if (i % 64 >= 40)
          y[i] = std::clamp(decode(e4m3, encode(e4m3, y[i], Rounding::nearest_even, Overflow::saturate)), -most, most);
    }));
  };
  CHECK(through_e4m3(448).kind == "few_bits");   // some results below its smallest normal number
  CHECK(through_e4m3(2.75).kind == "few_bits");  // a quarter of them beyond its end

  DiagnosedCase constant = case_of({16, 32}, [](auto&) {});  // one number, near what is due
  FailingOutput& near = constant.outputs.front();
  for (std::size_t i = 0; i < 40; ++i) {
    near.expected[i] = 1.5 + 1e-4 * static_cast<double>(i + 1);
    near.actual[i] = 1.5;
    near.violated[i] = 1;
  }
  near.violations = 40;
  CHECK(first(constant).kind != "few_bits");

  DiagnosedCase whole = case_of({16, 32}, [](auto&) {});  // off by one, on a grid
  FailingOutput& output = whole.outputs.front();
  output.violations = 0;
  for (std::size_t i = 0; i < output.size(); ++i) {
    output.expected[i] = static_cast<double>(i * i % 251);
    output.actual[i] = output.expected[i] - (i % 7 == 2 ? 1 : 0);
    output.violated[i] = i % 7 == 2 ? 1 : 0;
    output.violations += output.violated[i];
  }
  CHECK(first(whole).kind.rfind("few_bits", 0) != 0);
}

TEST_CASE("results that were added twice are told from bits and from factors") {
  const auto in_tile = [](Index i) { return i / 32 < 8 && i % 32 < 16; };
  CHECK(first(case_of({16, 32}, [&](auto& y) {
          for (std::size_t i = 0; i < y.size(); ++i) y[i] *= in_tile(static_cast<Index>(i)) ? 2 : 1;
        })).kind == "added_repeatedly");
  const ElementFormat format = element_format<float32>();
  const std::uint64_t last_of_exponent = std::uint64_t{1} << 23;
  CHECK(first(case_of({16, 32}, [&](auto& y) {
          for (double& value : y) value = format.decode(format.encode(value) | last_of_exponent);
        })).kind != "added_repeatedly");

  const auto added = [in_tile](int times, bool of_halves) {
    return [=](const Operand& x, const Operand& y) {
      for (Index i = 0; i < x.size(); ++i) {
        const double more = of_halves ? 1 + std::fabs(x.load(i)) : times;  // twice only where all elements are 1
        y.store(i, (in_tile(i) ? more : 1) * static_cast<double>(right(x, i)));
      }
    };
  };
  const Diagnosis thrice = Relaunched(added(3, false)).first();
  CHECK(thrice.kind == "added_repeatedly");
  CHECK(thrice.fault_class == FaultClass::repeated_work);
  CHECK(thrice.confidence == Confidence::likely);
  CHECK(Relaunched(added(2, true), 16, 1).first().kind != "added_repeatedly");

  const Diagnosis two_elements = Relaunched([](const Operand& x, const Operand& y) {
                                   for (Index i = 0; i < x.size(); ++i)
                                     y.store(i, (i / 2 == 77 ? 2 : 1) * static_cast<double>(right(x, i)));
                                 }).first();
  CHECK(two_elements.kind == "added_repeatedly");
}

TEST_CASE("a kernel that ran once more on its own results is told from one that does nothing") {
  const auto twice = [](const Operand& x, const Operand& y) {
    for (Index i = 0; i < x.size(); ++i)
      y.store(i, i < 200 ? 3 * static_cast<double>(right(x, i)) + 1 : static_cast<double>(right(x, i)));
  };
  const Diagnosis diagnosis = Relaunched(twice).first();
  CHECK(diagnosis.kind == "done_twice");
  CHECK(diagnosis.fault_class == FaultClass::repeated_work);
  const auto copied = [](const Operand& x, const Operand& y) {
    for (Index i = 0; i < x.size(); ++i) y.store(i, i < 200 ? x.load(i) : static_cast<double>(right(x, i)));
  };
  CHECK(Relaunched(copied).first().kind != "done_twice");

  Relaunched undone([](const Operand& x, const Operand& y) {
    for (Index i = 0; i < x.size(); ++i) y.store(i, x.load(i));
  });
  undone.given.look = [](const OperandArray& before, const OperandArray& after) {  // −x: done twice it would be x, too
    std::vector<ExpectedElement> due;
    for (Index i = 0; i < before[0].size(); ++i) due.push_back({-before[0].load(i), 1e-6});
    return std::vector<FailingOutput>{failing_output("y", after[1], due, ChosenTolerance{})};
  };
  undone.launch();
  CHECK(undone.first().kind != "done_twice");
}

TEST_CASE("stores that hit other elements are told from elements that are left out") {
  const auto zeros_where = [](std::vector<Index> extents, auto&& condition) {
    const std::size_t columns = static_cast<std::size_t>(extents.back());
    return first(case_of(std::move(extents), [&](auto& y) {
      for (std::size_t i = 0; i < y.size(); ++i)
        if (condition(i, i / columns, i % columns)) y[i] = 0;
    }));
  };
  const Diagnosis beyond_rows =
      zeros_where({16, 30}, [](std::size_t, std::size_t row, std::size_t column) { return row > 0 && column < 2; });
  CHECK(beyond_rows.kind == "stored_beyond_rows");
  CHECK(beyond_rows.fault_class == FaultClass::memory);
  CHECK(zeros_where({16, 30}, [](std::size_t, std::size_t, std::size_t column) { return column < 2; }).fault_class !=
        FaultClass::memory);
  CHECK(zeros_where({16, 29}, [](std::size_t, std::size_t row, std::size_t column) {
          return row > 0 && column < 2;
        }).fault_class != FaultClass::memory);

  DiagnosedCase none_spared = case_of({16, 30}, [](auto& y) {
    for (std::size_t i = 30; i < y.size(); ++i) y[i] = i % 30 < 2 ? 0 : y[i];
  });
  FailingOutput& output = none_spared.outputs.front();
  for (std::size_t i = 0; i < 2; ++i) output.expected[i] = output.actual[i] = 0;  // where the first row would tell
  CHECK(first(none_spared).fault_class != FaultClass::memory);

  CHECK(zeros_where({16, 40}, [](std::size_t i, std::size_t, std::size_t) { return i > 0 && i % 32 == 0; }).kind ==
        "stored_behind_lanes");
  CHECK(zeros_where({16, 40}, [](std::size_t i, std::size_t, std::size_t) { return i % 32 == 0; }).fault_class !=
        FaultClass::memory);
}

TEST_CASE("elements that nothing was reduced into are told from limits and from lanes") {
  const double lowest = -element_format<float32>().max_finite();
  const Diagnosis of_maximum = first(case_of({16, 40}, [&](auto& y) {
    for (std::size_t i = 63; i < y.size(); i += 64) y[i] = lowest;
  }));
  CHECK(of_maximum.kind == "initial_values");
  CHECK(of_maximum.fault_class == FaultClass::missing_work);
  CHECK(first(case_of({16, 40}, [](auto& y) { std::fill(y.begin() + 120, y.begin() + 160, 1.0); })).kind ==
        "initial_values");
  CHECK(first(case_of({16, 40}, [](auto& y) {
          for (double& value : y) value = std::min(value, 1.0);
        })).kind != "initial_values");
  CHECK(first(case_of({16, 40}, [](auto& y) {
          for (std::size_t i = 63; i < y.size(); i += 64) y[i] = 1;
        })).kind != "initial_values");
  CHECK(first(case_of({16, 40}, [](auto& y) {
          for (std::size_t i = 39; i < y.size(); i += 40) y[i] = 1;
        })).kind != "initial_values");
}

TEST_CASE("threads that have no element of their own add to the last one") {
  const auto last_times = [](double times) { return first(case_of({15, 29}, [&](auto& y) { y.back() *= times; })); };
  CHECK(last_times(14).kind == "idle_threads_add");  // 435 = 13 * 32 + 19
  CHECK(last_times(14).fault_class == FaultClass::repeated_work);
  CHECK(last_times(5).kind != "idle_threads_add");
  CHECK(first(case_of({15, 29}, [](auto& y) { y[77] *= 14; })).kind != "idle_threads_add");
}

TEST_CASE("what an output held before is told from what the kernel computes") {
  const auto poisoned = [](const Relaunched::Kernel& kernel) {
    Relaunched relaunched(kernel);
    std::fill(relaunched.y.begin(), relaunched.y.end(),
              static_cast<float>(element_format<float32>().decode(detail::poison_code(element_format<float32>()))));
    relaunched.launch();
    return relaunched.first();
  };
  const auto adds_to_odd_rows = [](const Operand& x, const Operand& y) {
    for (Index i = 0; i < x.size(); ++i)
      y.store(i, (i / 32 % 2 == 1 ? y.load(i) : 0) + static_cast<double>(right(x, i)));
  };
  CHECK(poisoned(adds_to_odd_rows).kind == "former_output_used");
  CHECK(poisoned(adds_to_odd_rows).fault_class == FaultClass::memory);
  const auto stores_lower_halves = [](const Operand& x, const Operand& y) {
    for (Index i = 0; i < x.size(); ++i) {
      const std::uint64_t code = y.format.encode(static_cast<double>(right(x, i))),
                          before = y.format.load_code(y.data, i);
      y.format.store_code(y.data, i, i % 7 == 6 ? (before & 0xffff0000U) | (code & 0xffffU) : code);
    }
  };
  CHECK(poisoned(stores_lower_halves).kind == "former_output_used");
  const auto multiplies_by_zero = [](const Operand& x, const Operand& y) {
    for (Index i = 0; i < x.size(); ++i) y.store(i, static_cast<double>(right(x, i)) + 0 * y.load(i));
  };
  CHECK(poisoned(multiplies_by_zero).kind == "former_output_times_zero");
  CHECK(poisoned(multiplies_by_zero).fault_class == FaultClass::special_value);
  const auto makes_nan = [](const Operand& x, const Operand& y) {
    for (Index i = 0; i < x.size(); ++i)
      y.store(i, i / 32 % 2 == 1 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(right(x, i)));
  };
  CHECK(poisoned(makes_nan).fault_class != FaultClass::memory);
}

TEST_CASE("results of a byte are no indices, though all inputs are floating-point numbers") {
  std::vector<float> x(512, 1);
  const auto halved = [&](const ElementFormat& format) {
    DiagnosedCase given = case_of(
        {16, 32},
        [](auto& y) {
          for (std::size_t i = 0; i < y.size(); ++i) y[i] = i % 3 == 1 ? 0.5 * y[i] : y[i];
        },
        format);
    given.specs = {{"x", OperandRole::input, element_format<float32>(), {16, 32}}};
    given.before.count = 1;
    given.before[0] = contiguous_operand(x.data(), {16, 32});
    given.after = given.before;
    return first(given).kind;
  };
  CHECK(halved(element_format<std::int32_t>()) == "wrong_indices");
  CHECK(halved(element_format<std::int8_t>()) != "wrong_indices");
}

TEST_CASE("a tolerance stricter than rounding is told from faults") {
  const auto within_rounding = [](const ChosenTolerance& tolerance, double spoiled) {
    DiagnosedCase given = case_of({16, 32}, [](auto&) {});
    FailingOutput& output = given.outputs.front();
    output.tolerance = tolerance;
    output.error.assign(output.size(), 1e-5f);
    for (std::size_t i = 0; i < output.size(); ++i) {
      output.actual[i] = output.format.round(output.expected[i] + (i % 3 == 0 ? 9e-6 : -8e-6));
      if (i == 100) output.actual[i] += spoiled;
      output.violated[i] = output.accepted(i).contains(output.actual[i]) ? 0 : 1;
      output.violations += output.violated[i];
    }
    REQUIRE(output.violations >= 4);
    return diagnose(given);
  };
  ChosenTolerance exact, near;
  exact.kind = ChosenTolerance::Kind::exact;
  near.kind = ChosenTolerance::Kind::absolute_relative;
  near.absolute = 8.5e-6;
  for (const ChosenTolerance& tolerance : {exact, near}) {
    const auto found = within_rounding(tolerance, 0);
    REQUIRE(found.size() == 1);
    CHECK(found.front().kind == "tolerance_below_rounding");
    CHECK(found.front().evidence.front().find("every wrong element lies within what rounding allows") == 0);
    for (const Diagnosis& one : within_rounding(tolerance, 1)) {
      INFO(one.text());
      CHECK(one.kind != "tolerance_below_rounding");
      CHECK(one.confidence != Confidence::certain);
    }
  }
}

TEST_CASE("an element that differs only in the sign of zero has lost no NaN") {
  std::vector<float> actual(8, 1.0f), right = actual;
  actual[3] = 0.0f, right[3] = -0.0f;
  DiagnosedCase given;
  given.outputs.push_back(
      failing_output("y", contiguous_operand(actual.data(), {8}), contiguous_operand(right.data(), {8})));
  REQUIRE(given.outputs.front().violations == 1);
  for (const Diagnosis& one : diagnose(given)) CHECK(one.kind != "nan_lost");
}

TEST_CASE("an output that is right has no diagnosis") {
  CHECK(diagnose(case_of({4, 4}, [](auto&) {})).empty());
}

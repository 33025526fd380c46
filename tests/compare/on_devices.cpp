// Comparison by blocks of threads, on a device that the host emulates, against the element-wise comparison of the host.
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "assay/backends/emulated_device.hpp"
#include "assay/backends/host.hpp"
#include "assay/compare/compare.hpp"
#include "assay/compare/compare_operand.hpp"
#include "assay/compare/expected_arrays.hpp"
#include "assay/compare/expected_values.hpp"
#include "paths.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

/// An emulated device with a stream, and copies of vectors on it.
struct Device {
  EmulatedDevice backend;
  EmulatedDevice::Stream stream;

  explicit Device(ThreadOrder order) : backend(options(order)), stream(backend.make_stream().value()) {}
  static EmulatedDeviceOptions options(ThreadOrder order) {
    EmulatedDeviceOptions chosen;
    chosen.order = order;
    chosen.threads = 2;
    return chosen;
  }
  template <class T>
  EmulatedDevice::Buffer<T> copy(const std::vector<T>& values, std::size_t shift = 0) {
    auto buffer = backend.allocate<T>(values.size() + shift);
    REQUIRE(buffer);
    REQUIRE(backend.copy_to_device(stream, buffer.value().data() + shift, values.data(), values.size()));
    REQUIRE(backend.synchronize(stream));
    return std::move(buffer).value();
  }
};

void expect_near(const ErrorStatistics& found, const ErrorStatistics& wanted) {
  const auto near = [](double left, double right, double scale) {
    return left == right || std::fabs(left - right) <= 2e-7 * scale || !std::isfinite(right);
  };
  CHECK(near(found.signed_error, wanted.signed_error,
             std::sqrt(wanted.squared_error) * std::sqrt(static_cast<double>(wanted.elements))));
  CHECK(near(found.squared_error, wanted.squared_error, wanted.squared_error));
  CHECK(near(found.squared_reference, wanted.squared_reference, wanted.squared_reference));
  CHECK(near(found.expected_misrounded, wanted.expected_misrounded, wanted.expected_misrounded));
}

/// What each device finds, in any order of its threads, is what the host finds; its sums do not depend on that order.
template <class OnHost, class OnDevice>
void check_devices(const std::string& what, const OnHost& on_host, const OnDevice& on_device) {
  const Comparison wanted = on_host();
  std::string first_sums;
  for (const ThreadOrder order : {ThreadOrder::ascending, ThreadOrder::descending}) {
    Device device(order);
    const Comparison found = on_device(device);
    if (findings(found) != findings(wanted))
      FAIL(what << ":\n" << findings(found).substr(0, 3000) << "\nwanted\n" << findings(wanted).substr(0, 3000));
    if (first_sums.empty()) first_sums = sums(found);
    CHECK(sums(found) == first_sums);
    expect_near(found.statistics, wanted.statistics);
    CHECK(device.backend.misuses().empty());
  }
}

template <class B, class T, std::size_t Rank, class Expected, class Model>
Comparison compared(B& backend, typename B::Stream& stream, const StridedView<T, Rank>& view, const Expected& expected,
                    const Model& model) {
  auto result = compare(backend, stream, view, expected, model);
  REQUIRE(result);
  return std::move(result).value();
}
template <class T, std::size_t Rank, class Expected, class Model>
Comparison one_by_one(const StridedView<T, Rank>& view, const Expected& expected, const Model& model) {
  Host host(2);
  Host::Stream stream;
  auto result = detail::compare_on({false, InstructionSet::baseline}, host, stream, view, expected, model);
  REQUIRE(result);
  return std::move(result).value();
}

/// The output against references with bounds in arrays, with one bound, and against stored values.
template <class T>
void check_expectations(const HardData<T>& data, const ChosenTolerance& tolerance, std::size_t shift = 0) {
  const StridedView<const T, 2> view{data.actual.data(), {data.rows, data.columns}, {data.columns, 1}};
  const std::string what =
      tolerance.describe() + ", " + std::to_string(data.rows) + " x " + std::to_string(data.columns);
  const auto on_device = [&](Device& device, const auto& expected_on) {
    const auto actual = device.copy(data.actual, shift);
    StridedView<const T, 2> there = view;
    there.data = actual.data() + shift;
    return expected_on(there);
  };
  check_devices(
      what + ", bounds",
      [&] {
        return one_by_one(view, ExpectedArrays{data.value.data(), data.error.data(), data.columns}, tolerance);
      },
      [&](Device& device) {
        const auto value = device.copy(data.value, shift), error = device.copy(data.error);
        return on_device(device, [&](const auto& there) {
          return compared(device.backend, device.stream, there,
                          ExpectedArrays{value.data() + shift, error.data(), data.columns}, tolerance);
        });
      });
  for (const double error : {0.0, 0.01})
    check_devices(
        what + ", stored, E = " + std::to_string(error),
        [&] {
          return one_by_one(view, ExpectedValues<T>{data.stored.data(), data.columns, error}, tolerance);
        },
        [&](Device& device) {
          const auto stored = device.copy(data.stored);
          return on_device(device, [&](const auto& there) {
            return compared(device.backend, device.stream, there, ExpectedValues<T>{stored.data(), data.columns, error},
                            tolerance);
          });
        });
}

}  // namespace

TEMPLATE_TEST_CASE("a device finds what the host finds, in all kinds of data and all shapes", "[compare]", float32,
                   float16, float64) {
  using T = TestType;
  const std::vector<ChosenTolerance> all = tolerances();
  unsigned seed = 0;
  std::size_t next = 0;
  for (const Hard kind : all_hard) {
    if (!FormatTraits<T>::layout.has_infinity() && kind >= Hard::special) continue;
    for (const auto& [rows, columns] :
         {std::pair<Index, Index>{1, 1}, {1, 5}, {37, 129}, {3, 2100}, {130, 3}, {65, 512}, {1, 9001}}) {
      INFO("kind " << static_cast<int>(kind));
      const HardData<T> data(kind, rows, columns, ++seed);
      for (int of_many = 0; of_many < 2; ++of_many, ++next)
        check_expectations(data, all[next % all.size()], next % 5 == 4 ? 1 : 0);
    }
  }
}

namespace {

/// A loose bound, and the exact one on request.
struct Doubtful {
  const double* value;
  Index columns;
  ASSAY_FUNCTION ExpectedElement operator()(Index row, Index column) const {
    return {value[row * columns + column], 0.25};
  }
  ASSAY_FUNCTION ExpectedElement refine(Index row, Index column) const {
    return {value[row * columns + column], 0.015625};
  }
  ASSAY_FUNCTION double doubt_ratio() const { return 0.0625; }
};

}  // namespace

TEST_CASE("strides, ties of the worst elements, and doubts are as on the host", "[compare]") {
  constexpr Index rows = 40, columns = 96;
  std::vector<float32> out(static_cast<std::size_t>(2 * rows * columns));
  std::vector<double> value(static_cast<std::size_t>(rows * columns));
  for (std::size_t i = 0; i < value.size(); ++i) value[i] = 1 + static_cast<double>(i % 7);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<float32>(value[i % value.size()] + (i % 50 == 3 ? 0.5 : i % 11 == 0 ? 0.03125 : 0));
  const StridedView<const float32, 2> views[] = {{out.data(), {rows, columns}, {2 * columns, 1}},
                                                 {out.data(), {rows, columns}, {1, rows}},
                                                 {out.data() + out.size() - 1, {rows, columns}, {-columns, -1}}};
  for (const auto& view : views)
    for (const ChosenTolerance& tolerance : tolerances())
      check_devices(
          "strides, " + tolerance.describe(),
          [&] {
            return one_by_one(view, ExpectedArrays{value.data(), nullptr, columns, 0.0625}, tolerance);
          },
          [&](Device& device) {
            const auto there = device.copy(out);
            const auto references = device.copy(value);
            StridedView<const float32, 2> moved = view;
            moved.data = there.data() + (view.data - out.data());
            return compared(device.backend, device.stream, moved,
                            ExpectedArrays{references.data(), nullptr, columns, 0.0625}, tolerance);
          });
  const StridedView<const float32, 3> deep{out.data(), {5, 8, columns}, {8 * columns, columns, 1}};
  check_devices(
      "doubts",
      [&] {
        return one_by_one(deep, Doubtful{value.data(), columns}, DerivedTolerance{});
      },
      [&](Device& device) {
        const auto there = device.copy(out);
        const auto references = device.copy(value);
        const StridedView<const float32, 3> moved{there.data(), {5, 8, columns}, {8 * columns, columns, 1}};
        const Comparison found =
            compared(device.backend, device.stream, moved, Doubtful{references.data(), columns}, DerivedTolerance{});
        CHECK(found.refined > 300);
        CHECK(found.violations > 300);
        return found;
      });
}

TEST_CASE("an operand of any format is compared on a device as on the host, element by element", "[compare]") {
  std::vector<std::int8_t> codes(3 * 700);
  std::vector<double> value(codes.size());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    value[i] = static_cast<double>(i % 251) - 125.25;
    codes[i] = static_cast<std::int8_t>(static_cast<int>(value[i]) + (i % 97 == 0 ? 2 : 0));
  }
  for (const ChosenTolerance& tolerance :
       {ChosenTolerance{}, tolerance_named("exact").value(), tolerance_named("atol=1").value()})
    check_devices(
        "int8, " + tolerance.describe(),
        [&] {
          Host host(1);
          Host::Stream stream;
          return detail::compare_elements(host, stream, contiguous_operand(codes.data(), {3, 700}),
                                          ExpectedArrays{value.data(), nullptr, 700, 0.5}, tolerance)
              .value();
        },
        [&](Device& device) {
          const auto there = device.copy(codes);
          const auto references = device.copy(value);
          const auto found = compare_operand(device.backend, device.stream, contiguous_operand(there.data(), {3, 700}),
                                             ExpectedArrays{references.data(), nullptr, 700, 0.5}, tolerance);
          REQUIRE(found);
          return found.value();
        });
}

TEST_CASE("little travels to the host, however large the output", "[compare]") {
  for (const auto& [rows, columns] : {std::pair<Index, Index>{700, 700}, {1, 490000}, {49000, 10}}) {
    Device device(ThreadOrder::ascending);
    const std::vector<float32> ones(static_cast<std::size_t>(rows * columns), 1);
    const auto there = device.copy(ones);
    const auto before = device.backend.transfers();
    const Comparison found =
        compared(device.backend, device.stream, contiguous_view<const float32, 2>(there.data(), {rows, columns}),
                 ExpectedValues<float32>{there.data(), columns}, ChosenTolerance{});
    CHECK(found.elements == static_cast<std::uint64_t>(rows * columns));
    CHECK(found.no_violations());
    CHECK(device.backend.transfers().bytes_to_host - before.bytes_to_host <= 65536);
    CHECK(device.backend.transfers().bytes_to_device == before.bytes_to_device);
  }
}

TEST_CASE("of errors that are nearly the same the largest is found, wherever a thread sees it", "[compare]") {
  constexpr Index rows = 600, columns = 512;  // two turns a thread
  std::vector<float32> out(static_cast<std::size_t>(rows * columns), 1);
  std::vector<double> value(out.size());
  std::mt19937_64 random(3);
  for (double& reference : value) reference = 1 - 0.01 * (1 + static_cast<double>(random() % 1000000) * 0x1p-50);
  const auto view = contiguous_view<const float32, 2>(out.data(), {rows, columns});
  for (const ChosenTolerance& tolerance : {ChosenTolerance{}, tolerance_named("atol=0.02,rtol=0.01").value()})
    check_devices(
        "near ties, " + tolerance.describe(),
        [&] {
          return one_by_one(view, ExpectedArrays{value.data(), nullptr, columns, 0.0123}, tolerance);
        },
        [&](Device& device) {
          const auto there = device.copy(out);
          const auto references = device.copy(value);
          return compared(device.backend, device.stream,
                          contiguous_view<const float32, 2>(there.data(), {rows, columns}),
                          ExpectedArrays{references.data(), nullptr, columns, 0.0123}, tolerance);
        });
}

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
#include "assay/formats/small_formats.hpp"
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
  const auto near = [](double left, double right, double scale) { return left == right || std::fabs(left - right) <= 2e-7 * scale || !std::isfinite(right); };
  CHECK(near(found.signed_error, wanted.signed_error, std::sqrt(wanted.squared_error) * std::sqrt(static_cast<double>(wanted.elements))));
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
    if (findings(found) != findings(wanted)) FAIL(what << ":\n" << findings(found).substr(0, 3000) << "\nwanted\n" << findings(wanted).substr(0, 3000));
    if (first_sums.empty()) first_sums = sums(found);
    CHECK(sums(found) == first_sums);
    expect_near(found.statistics, wanted.statistics);
    CHECK(device.backend.misuses().empty());
  }
}

template <class B, class T, std::size_t Rank, class Expected, class Model>
Comparison compared(B& backend, typename B::Stream& stream, const StridedView<T, Rank>& view, const Expected& expected, const Model& model) {
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
  const std::string what = tolerance.describe() + ", " + std::to_string(data.rows) + " x " + std::to_string(data.columns);
  const auto on_device = [&](Device& device, const auto& expected_on) {
    const auto actual = device.copy(data.actual, shift);
    StridedView<const T, 2> there = view;
    there.data = actual.data() + shift;
    return expected_on(there);
  };
  check_devices(what + ", bounds", [&] { return one_by_one(view, ExpectedArrays{data.value.data(), data.error.data(), data.columns}, tolerance); },
                [&](Device& device) {
                  const auto value = device.copy(data.value, shift), error = device.copy(data.error);
                  return on_device(device, [&](const auto& there) { return compared(device.backend, device.stream, there, ExpectedArrays{value.data() + shift, error.data(), data.columns}, tolerance); });
                });
  for (const double error : {0.0, 0.01})
    check_devices(what + ", stored, E = " + std::to_string(error), [&] { return one_by_one(view, ExpectedValues<T>{data.stored.data(), data.columns, error}, tolerance); },
                  [&](Device& device) {
                    const auto stored = device.copy(data.stored);
                    return on_device(device, [&](const auto& there) { return compared(device.backend, device.stream, there, ExpectedValues<T>{stored.data(), data.columns, error}, tolerance); });
                  });
}

}  // namespace

TEMPLATE_TEST_CASE("a device finds what the host finds, in all kinds of data and all shapes", "[compare]", float32, bfloat16, float16, float64, float8_e4m3fn) {
  using T = TestType;
  const std::vector<ChosenTolerance> all = tolerances();
  unsigned seed = 0;
  std::size_t next = 0;
  for (const Hard kind : all_hard) {
    if (!FormatTraits<T>::layout.has_infinity() && kind >= Hard::special) continue;
    for (const auto& [rows, columns] : {std::pair<Index, Index>{1, 1}, {1, 5}, {37, 129}, {3, 2100}, {130, 3}, {65, 512}, {1, 9001}}) {
      INFO("kind " << static_cast<int>(kind));
      const HardData<T> data(kind, rows, columns, ++seed);
      for (int of_many = 0; of_many < 2; ++of_many) check_expectations(data, all[next++ % all.size()]);
    }
  }
}

// Comparison, fills and fingerprints on a device against the same on the host: findings bit for bit.
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/compare/compare.hpp"
#include "assay/compare/expected_arrays.hpp"
#include "assay/compare/expected_values.hpp"
#include "assay/tensor/fill.hpp"
#include "assay/tensor/fill_tensor.hpp"
#include "assay/tensor/tensor.hpp"
#include "assay/tolerance/tolerance_named.hpp"
#include "devices/device_under_test.hpp"

using namespace assay;
using testing::device_under_test, testing::DeviceUnderTest;

namespace {

template <class T>
DeviceUnderTest::Buffer<T> on_device(DeviceUnderTest& device, DeviceUnderTest::Stream& stream,
                                     const std::vector<T>& values) {
  auto buffer = device.allocate<T>(values.size());
  REQUIRE(buffer);
  REQUIRE(device.copy_to_device(stream, buffer.value().data(), values.data(), values.size()));
  REQUIRE(device.synchronize(stream));
  return std::move(buffer).value();
}

bool same(const Extremum& a, const Extremum& b) {
  return a.value == b.value && a.position.row == b.position.row && a.position.column == b.position.column;
}

/// All but the sums, which are added in another order.
void check_same(const Comparison& found, const Comparison& wanted) {
  CHECK(found.elements == wanted.elements);
  CHECK(found.violations == wanted.violations);
  CHECK(found.undetermined == wanted.undetermined);
  CHECK(found.nan_unexpected == wanted.nan_unexpected);
  CHECK(found.nan_missing == wanted.nan_missing);
  CHECK(found.infinity_unexpected == wanted.infinity_unexpected);
  CHECK(found.infinity_missing == wanted.infinity_missing);
  CHECK(same(found.max_absolute_error, wanted.max_absolute_error));
  CHECK(same(found.max_relative_error, wanted.max_relative_error));
  CHECK(same(found.max_ulp_error, wanted.max_ulp_error));
  CHECK(same(found.max_ratio, wanted.max_ratio));
  CHECK(found.statistics.elements == wanted.statistics.elements);
  CHECK(found.statistics.misrounded == wanted.statistics.misrounded);
  CHECK(found.statistics.misrounded_inward == wanted.statistics.misrounded_inward);
  CHECK(std::fabs(found.statistics.squared_error - wanted.statistics.squared_error) <=
        2e-7 * wanted.statistics.squared_error);
  CHECK(found.row_ratio == wanted.row_ratio);
  CHECK(found.tiles.values == wanted.tiles.values);
  REQUIRE(found.worst.size() == wanted.worst.size());
  for (std::size_t i = 0; i < found.worst.size(); ++i) {
    CHECK(found.worst[i].ratio == wanted.worst[i].ratio);
    CHECK(found.worst[i].position.row == wanted.worst[i].position.row);
    CHECK(found.worst[i].position.column == wanted.worst[i].position.column);
    CHECK(found.worst[i].lower == wanted.worst[i].lower);
    CHECK(found.worst[i].upper == wanted.worst[i].upper);
  }
}

enum class Damage { none, first, last, edge, all, special };

/// What is stored, wrong in some places; references and bounds of it.
template <class T>
struct Output {
  std::vector<T> out, stored;
  std::vector<double> value, error;

  Output(Damage damage, Index rows, Index columns) {
    Fill pattern;
    pattern.seed = 5;
    pattern.length = columns;
    for (Index row = 0; row < rows; ++row)
      for (Index column = 0; column < columns; ++column) {
        const double reference = pattern(row, column), bound = std::fabs(reference) * unit_roundoff<T>() * 0.5;
        const bool last = row == rows - 1 && column == columns - 1,
                   edge = row == rows / 2 && column == (columns / 2 / 16) * 16;
        const bool wrong = damage == Damage::all || (damage == Damage::first && row + column == 0) ||
                           (damage == Damage::last && last) || (damage == Damage::edge && edge);
        double came = reference + bound * pattern.normal(row, column, 7) * 0.15;
        if (wrong) came = reference * 1.25;
        if (damage == Damage::special && (row + column) % 10 == 0)
          came = column % 3 == 0 ? std::nan("") : column % 3 == 1 ? HUGE_VAL : -HUGE_VAL;
        value.push_back(damage == Damage::special && (row + 2 * column) % 10 == 0 ? came : reference);
        error.push_back(bound);
        out.push_back(encode<T>(came));
        stored.push_back(encode<T>(value.back()));
      }
  }
};

template <class T>
void check_comparisons() {
  DeviceUnderTest& device = device_under_test();
  auto stream = device.make_stream();
  REQUIRE(stream);
  Host host(1);
  Host::Stream host_stream;
  const detail::ComparisonPath all_tiles{true, instruction_set()};
  for (const auto& [rows, columns] : {std::pair<Index, Index>{1, 1}, {1, 7919}, {64, 1024}, {129, 100}, {1009, 3}})
    for (const Damage damage :
         {Damage::none, Damage::first, Damage::last, Damage::edge, Damage::all, Damage::special}) {
      INFO(FormatTraits<T>::name() << " " << rows << " x " << columns << ", damage " << static_cast<int>(damage));
      const Output<T> output(damage, rows, columns);
      const auto out = on_device(device, stream.value(), output.out),
                 stored = on_device(device, stream.value(), output.stored);
      const auto value = on_device(device, stream.value(), output.value),
                 error = on_device(device, stream.value(), output.error);
      const auto view = contiguous_view<const T, 2>(output.out.data(), {rows, columns}),
                 there = contiguous_view<const T, 2>(out.data(), {rows, columns});
      const ChosenTolerance derived{};
      const auto wanted =
          detail::compare_on(all_tiles, host, host_stream, view,
                             ExpectedArrays{output.value.data(), output.error.data(), columns}, derived);
      const auto found =
          compare(device, stream.value(), there, ExpectedArrays{value.data(), error.data(), columns}, derived);
      REQUIRE(wanted);
      REQUIRE(found);
      check_same(found.value(), wanted.value());
      for (const char* name : {"strict", "atol=1e-3,rtol=1e-2", "ulps=2", "exact"}) {
        const ChosenTolerance tolerance = tolerance_named(name).value();
        const auto wanted_of_stored = detail::compare_on(all_tiles, host, host_stream, view,
                                                         ExpectedValues<T>{output.stored.data(), columns}, tolerance);
        const auto found_of_stored =
            compare(device, stream.value(), there, ExpectedValues<T>{stored.data(), columns}, tolerance);
        REQUIRE(wanted_of_stored);
        REQUIRE(found_of_stored);
        check_same(found_of_stored.value(), wanted_of_stored.value());
      }
    }
}

}  // namespace

TEST_CASE("a device's comparison finds what the host's finds", "[devices]") {
  check_comparisons<float32>();
  check_comparisons<bfloat16>();
}

TEST_CASE("a device's fills, canaries and fingerprints have the host's bits", "[devices]") {
  DeviceUnderTest& device = device_under_test();
  auto stream = device.make_stream();
  REQUIRE(stream);
  Host host(1);
  Host::Stream host_stream;
  for (const FillKind kind : all_fill_kinds) {
    Fill pattern;
    pattern.kind = kind;
    pattern.length = 61;
    auto ours = Tensor<bfloat16, Host>::create(host, host_stream, 2 * 7 * 61, 3);
    auto theirs = Tensor<bfloat16, DeviceUnderTest>::create(device, stream.value(), 2 * 7 * 61, 3);
    REQUIRE(ours);
    REQUIRE(theirs);
    REQUIRE(fill(host, host_stream, contiguous_view<bfloat16, 3>(ours.value().data(), {2, 7, 61}), pattern));
    REQUIRE(fill(device, stream.value(), contiguous_view<bfloat16, 3>(theirs.value().data(), {2, 7, 61}), pattern));
    const auto wanted = ours.value().fingerprint(host, host_stream),
               found = theirs.value().fingerprint(device, stream.value());
    REQUIRE(found);
    CHECK(found.value() == wanted.value());
    const auto canaries = theirs.value().check_canaries(device, stream.value());
    REQUIRE(canaries);
    CHECK(canaries.value().intact());
  }
}

#include "assay/tensor/fill_tensor.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/tensor/fill.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;

namespace {

/// Tells lane and position from the value.
struct Numbered {
  double operator()(Index lane, Index position) const { return static_cast<double>(lane * 1000 + position); }
};

template <class T>
std::vector<T> filled(unsigned threads, const Fill& pattern, Index batch, Index rows, Index columns, Lanes lanes) {
  Host host(threads);
  Host::Stream stream;
  std::vector<T> memory(static_cast<std::size_t>(batch * rows * columns));
  REQUIRE(fill(host, stream, contiguous_view<T, 3>(memory.data(), {batch, rows, columns}), pattern, lanes));
  return memory;
}

template <class T>
bool same_bits(const std::vector<T>& left, const std::vector<T>& right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](T a, T b) { return FormatTraits<T>::to_bits(a) == FormatTraits<T>::to_bits(b); });
}

}  // namespace

TEST_CASE("a fill has the same bits for any number of threads", "[tensor]") {
  for (FillKind kind : all_fill_kinds) {
    INFO(name_of(kind));
    const Fill pattern{kind, 11, 131, FormatTraits<float16>::layout};
    const auto once =
        filled<float16>(1, pattern, 3, 127, 131, Lanes::rows);  // 12 chunks, none of which ends with a row
    for (unsigned threads = 2; threads <= 8; ++threads)
      CHECK(same_bits(once, filled<float16>(threads, pattern, 3, 127, 131, Lanes::rows)));
  }
}

TEST_CASE("a fill is the pattern, element by element, whatever the rank it is seen with", "[tensor]") {
  const Fill pattern{FillKind::normal, 5, 70, FormatTraits<float32>::layout};
  const auto three = filled<float32>(2, pattern, 4, 50, 70, Lanes::rows);
  CHECK(same_bits(three, filled<float32>(2, pattern, 1, 200, 70, Lanes::rows)));
  CHECK(same_bits(three, filled<float32>(2, pattern, 200, 1, 70, Lanes::rows)));
  for (Index lane = 0; lane < 200; ++lane)
    for (Index position = 0; position < 70; ++position)
      REQUIRE(three[static_cast<std::size_t>(lane * 70 + position)] == encode<float32>(pattern(lane, position)));
}

TEST_CASE("lanes run along rows or down columns, numbered through all batches", "[tensor]") {
  Host host(2);
  Host::Stream stream;
  std::vector<float> memory(2 * 3 * 5);
  const auto view = contiguous_view<float, 3>(memory.data(), {2, 3, 5});
  REQUIRE(fill(host, stream, view, Numbered{}, Lanes::rows));
  CHECK(view(0, 0, 0) == 0);
  CHECK(view(0, 2, 4) == 2004);
  CHECK(view(1, 0, 1) == 3001);
  REQUIRE(fill(host, stream, view, Numbered{}, Lanes::columns));
  CHECK(view(0, 0, 0) == 0);
  CHECK(view(0, 2, 4) == 4002);
  CHECK(view(1, 2, 0) == 5002);
  REQUIRE(fill(host, stream, view, Numbered{}));
  CHECK(view(0, 2, 4) == 2004);
}

TEST_CASE("a fill writes the elements of a strided view and not what lies between", "[tensor]") {
  Host host(3);
  Host::Stream stream;
  constexpr float untouched = -1;
  std::vector<float> memory(2000, untouched);
  // columns reversed and two apart, rows reversed, 20 apart
  const StridedView<float, 3> view{memory.data() + 1800, {4, 5, 6}, {-400, -20, -2}};
  REQUIRE(fill(host, stream, view, Numbered{}));
  std::size_t written = 0;
  for (float value : memory) written += value != untouched ? 1 : 0;
  CHECK(written == 4 * 5 * 6);
  for (Index slice = 0; slice < 4; ++slice)
    for (Index row = 0; row < 5; ++row)
      for (Index column = 0; column < 6; ++column) {
        const float expected = static_cast<float>((slice * 5 + row) * 1000 + column);
        REQUIRE(view(slice, row, column) == expected);
        REQUIRE(memory[static_cast<std::size_t>(1800 - 400 * slice - 20 * row - 2 * column)] == expected);
      }
}

TEST_CASE("a fill rounds to nearest once", "[tensor]") {
  struct Tie {
    double operator()(Index, Index position) const {
      return 2048 + static_cast<double>(position) + (position == 3 ? 0x1p-30 : 0);
    }
  };
  Host host(1);
  Host::Stream stream;
  std::vector<float16> memory(4);
  REQUIRE(fill(host, stream, contiguous_view<float16, 3>(memory.data(), {1, 1, 4}), Tie{}));
  CHECK(decode(memory[0]) == 2048);
  CHECK(decode(memory[1]) == 2048);  // 2049 ties to even
  CHECK(decode(memory[2]) == 2050);
  CHECK(decode(memory[3]) == 2052);  // just above the tie
}

TEST_CASE("a view without elements is filled by doing nothing", "[tensor]") {
  Host host(2);
  Host::Stream stream;
  for (const auto& extents : {std::array<Index, 3>{0, 3, 4}, {2, 0, 4}, {2, 3, 0}, {0, 0, 0}})
    CHECK(fill(host, stream, contiguous_view<float, 3>(nullptr, extents), Numbered{}));
}

TEST_CASE("a fill refuses views that cannot be walked or have two indices for one element", "[tensor]") {
  Host host(2);
  Host::Stream stream;
  std::vector<float> memory(64);
  const auto attempt = [&](StridedView<float, 3> view) { static_cast<void>(fill(host, stream, view, Numbered{})); };
  CHECK_THROWS_WITH(attempt({memory.data(), {-1, 3, 4}, {12, 4, 1}}), contains("fill: extent -1"));
  CHECK_THROWS_WITH(attempt({memory.data(), {-1, -3, 4}, {12, 4, 1}}), contains("negative"));
  CHECK_THROWS_WITH(attempt({nullptr, {1, 3, 4}, {12, 4, 1}}), contains("null pointer"));
  CHECK_THROWS_WITH(attempt({memory.data(), {2, 3, 4}, {0, 4, 1}}), contains("name the same element"));
  CHECK_THROWS_WITH(attempt({memory.data(), {1, 3, 4}, {0, 3, 1}}), contains("name the same element"));
  CHECK_NOTHROW(attempt({memory.data(), {1, 3, 4}, {0, 4, 1}}));
}

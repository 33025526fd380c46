#include "assay/tensor/overlap.hpp"

#include <array>
#include <set>
#include <vector>

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("ranges overlap where an address lies in both", "[tensor]") {
  float memory[64] = {};
  const auto whole = contiguous_view<float, 1>(memory, {64});
  const auto first_half = contiguous_view<float, 2>(memory, {4, 8}),
             second_half = contiguous_view<float, 2>(memory + 32, {4, 8});
  CHECK(ranges_overlap(whole, first_half));
  CHECK(ranges_overlap(second_half, whole));
  CHECK_FALSE(ranges_overlap(first_half, second_half));
  CHECK_FALSE(ranges_overlap(second_half, first_half));
  CHECK(ranges_overlap(contiguous_view<float, 1>(memory, {33}), second_half));
}

TEST_CASE("a reversed view reaches down from its base", "[tensor]") {
  float memory[64] = {};
  const StridedView<float, 1> reversed{memory + 31, {32}, {-1}};
  CHECK(ranges_overlap(reversed, contiguous_view<float, 1>(memory, {1})));
  CHECK(ranges_overlap(reversed, contiguous_view<float, 1>(memory + 31, {1})));
  CHECK_FALSE(ranges_overlap(reversed, contiguous_view<float, 1>(memory + 32, {8})));
  const StridedView<float, 2> mixed{memory + 24, {4, 8}, {-8, 1}};
  CHECK(ranges_overlap(mixed, contiguous_view<float, 1>(memory, {1})));
  CHECK(ranges_overlap(mixed, contiguous_view<float, 1>(memory + 31, {1})));
  CHECK_FALSE(ranges_overlap(mixed, contiguous_view<float, 1>(memory + 32, {1})));
}

TEST_CASE("ranges of elements of other sizes are compared in bytes", "[tensor]") {
  alignas(8) char memory[64] = {};
  const auto bytes = contiguous_view<char, 1>(memory, {8});
  CHECK(ranges_overlap(bytes, contiguous_view<double, 1>(reinterpret_cast<double*>(memory), {1})));
  CHECK_FALSE(ranges_overlap(bytes, contiguous_view<double, 1>(reinterpret_cast<double*>(memory + 8), {1})));
}

TEST_CASE("interleaved views count as overlapping, empty ones never", "[tensor]") {
  float memory[64] = {};
  const StridedView<float, 1> even{memory, {32}, {2}}, odd{memory + 1, {32}, {2}};
  CHECK(ranges_overlap(even, odd));  // conservative, as documented
  CHECK_FALSE(ranges_overlap(contiguous_view<float, 2>(memory, {0, 8}), contiguous_view<float, 1>(memory, {64})));
}

TEST_CASE("a view overlaps itself where two of its indices meet", "[tensor]") {
  float memory[64] = {};
  const auto itself = [&](std::array<Index, 2> extents, std::array<Index, 2> strides) {
    return overlaps_itself(StridedView<float, 2>{memory, {extents[0], extents[1]}, {strides[0], strides[1]}});
  };
  CHECK_FALSE(itself({4, 8}, {8, 1}));
  CHECK_FALSE(itself({4, 8}, {1, 4}));
  CHECK_FALSE(itself({4, 8}, {-8, -1}));
  CHECK_FALSE(itself({4, 8}, {-1, 4}));
  CHECK_FALSE(itself({4, 5}, {8, 1}));  // gaps
  CHECK(itself({4, 8}, {7, 1}));        // a leading dimension too small
  CHECK(itself({4, 8}, {0, 1}));
  CHECK(itself({4, 8}, {1, 1}));
  CHECK(itself({2, 1}, {0, 0}));
  CHECK_FALSE(itself({1, 8}, {0, 1}));  // the stride of one element does not matter
  CHECK_FALSE(itself({1, 1}, {0, 0}));
  CHECK_FALSE(itself({0, 8}, {0, 0}));
}

TEST_CASE("no view that overlaps itself is overlooked, whatever its strides", "[tensor]") {
  int overlapping = 0, conservative = 0;
  for (Index e0 = 1; e0 <= 3; ++e0)
    for (Index e1 = 1; e1 <= 3; ++e1)
      for (Index s0 = -7; s0 <= 7; ++s0)
        for (Index s1 = -7; s1 <= 7; ++s1)
          for (Index s2 = -4; s2 <= 4; ++s2) {
            std::set<Index> offsets;
            for (Index i = 0; i < e0; ++i)
              for (Index j = 0; j < e1; ++j)
                for (Index k = 0; k < 2; ++k) offsets.insert(i * s0 + j * s1 + k * s2);
            const bool truly = static_cast<Index>(offsets.size()) < e0 * e1 * 2;
            const bool found = overlaps_itself(StridedView<float, 3>{nullptr, {e0, e1, 2}, {s0, s1, s2}});
            if (truly && !found) FAIL("extents " << e0 << " " << e1 << " 2, strides " << s0 << " " << s1 << " " << s2);
            overlapping += truly ? 1 : 0;
            conservative += found && !truly ? 1 : 0;
          }
  CHECK(overlapping > 1000);
  CHECK(conservative < overlapping);
}

#include "assay/tensor/strided_view.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;

TEST_CASE("a view finds its elements through any stride", "[tensor]") {
  std::array<int, 12> memory{};
  for (int i = 0; i < 12; ++i) memory[static_cast<std::size_t>(i)] = i;
  const auto view = contiguous_view<int, 2>(memory.data(), {3, 4});
  CHECK(view.size() == 12);
  CHECK(view(0, 0) == 0);
  CHECK(view(1, 2) == 6);
  CHECK(&view(2, 3) == &memory[11]);
  const StridedView<int, 2> transposed{memory.data(), {4, 3}, {1, 4}};
  CHECK(transposed(2, 1) == 6);
  const StridedView<int, 2> reversed{memory.data() + 11, {3, 4}, {-4, -1}};
  CHECK(reversed(0, 0) == 11);
  CHECK(reversed(2, 3) == 0);
  const StridedView<int, 3> broadcast{memory.data(), {5, 3, 4}, {0, 4, 1}};
  CHECK(broadcast.size() == 60);
  CHECK(&broadcast(4, 1, 2) == &broadcast(0, 1, 2));
  CHECK(StridedView<int, 3>::rank() == 3);
}

TEST_CASE("a view of mutable elements converts to one of constant elements, never back", "[tensor]") {
  int memory[6] = {};
  const StridedView<int, 2> view{memory + 5, {2, 3}, {-3, -1}};
  const StridedView<const int, 2> constant = view;
  CHECK(constant.data == view.data);
  CHECK(constant.extents[1] == 3);
  CHECK(constant.strides[0] == -3);
  static_assert(std::is_convertible_v<StridedView<int, 2>, StridedView<const int, 2>>);
  static_assert(!std::is_convertible_v<StridedView<const int, 2>, StridedView<int, 2>>);
  static_assert(!std::is_convertible_v<StridedView<int, 2>, StridedView<const int, 3>>);
  static_assert(std::is_trivially_copyable_v<StridedView<double, 4>> && std::is_aggregate_v<StridedView<double, 4>>);
}

TEST_CASE("a view without elements needs no memory", "[tensor]") {
  const auto view = contiguous_view<double, 3>(nullptr, {3, 0, 5});
  CHECK(view.size() == 0);
  CHECK(view.strides[2] == 1);
  CHECK(view.strides[1] == 5);
  CHECK(view.strides[0] == 5);
}

TEST_CASE("a contiguous view refuses what cannot be", "[tensor]") {
  double memory = 0;
  constexpr Index large = Index{1} << 32;
  CHECK_THROWS_WITH((contiguous_view<double, 2>(&memory, {2, -1})), contains("extent -1 of dimension 1 is negative"));
  CHECK_THROWS_WITH((contiguous_view<double, 2>(&memory, {large, large})), contains("exceeds 2^63"));
  CHECK_THROWS_WITH((contiguous_view<double, 3>(&memory, {0, large, large})), contains("exceeds 2^63"));
  CHECK_THROWS_WITH((contiguous_view<double, 2>(nullptr, {2, 3})),
                    contains("null pointer was given for a view of 6 elements"));
  CHECK_THROWS_AS((contiguous_view<double, 1>(nullptr, {1})), Misuse);
  CHECK_NOTHROW(contiguous_view<double, 1>(&memory, {std::numeric_limits<Index>::max()}));
}

TEST_CASE("expect_walkable refuses views that nobody can walk", "[tensor]") {
  double memory[6] = {};
  constexpr Index large = Index{1} << 32;
  CHECK_NOTHROW(expect_walkable(StridedView<double, 2>{memory, {2, 3}, {3, 1}}, "it"));
  CHECK_NOTHROW(expect_walkable(StridedView<double, 2>{nullptr, {2, 0}, {0, 1}}, "it"));
  CHECK_THROWS_WITH(expect_walkable(StridedView<double, 2>{memory, {-1, 3}, {3, 1}}, "it"),
                    contains("it: extent -1 of dimension 0"));
  CHECK_THROWS_WITH(expect_walkable(StridedView<double, 2>{memory, {-1, -3}, {3, 1}}, "it"), contains("negative"));
  CHECK_THROWS_WITH(expect_walkable(StridedView<double, 2>{memory, {large, large}, {0, 0}}, "it"),
                    contains("exceeds 2^63"));
  CHECK_THROWS_WITH(expect_walkable(StridedView<double, 2>{nullptr, {1, 1}, {0, 0}}, "it"), contains("null pointer"));
}

TEST_CASE("checked_product tells when a product does not fit", "[tensor]") {
  constexpr Index most = std::numeric_limits<Index>::max();
  static_assert(checked_product(0, most) == 0 && checked_product(most, 0) == 0);
  static_assert(checked_product(1, most) == most && checked_product(most, 1) == most);
  static_assert(checked_product(2, most) == -1 && checked_product(most, most) == -1);
  static_assert(checked_product(Index{1} << 31, Index{1} << 31) == Index{1} << 62);
  static_assert(checked_product(Index{1} << 32, Index{1} << 31) == -1);
  static_assert(checked_product(-1, 1) == -1 && checked_product(1, -1) == -1 && checked_product(-1, -1) == -1);
  CHECK(checked_product(3, 4) == 12);
}

#include "assay/matchers/element_view.hpp"

#include <span>
#include <string>
#include <vector>

#include "testing/catch.hpp"

using namespace assay;

namespace {

struct Device : Host {};  // its memory is the host's
struct NoElements {};

template <class T, std::size_t Rank>
std::vector<Index> extents_of(const StridedView<T, Rank>& view) {
  return {view.extents, view.extents + Rank};
}

}  // namespace

TEST_CASE("containers of contiguous elements are seen as they are, without a copy") {
  std::vector<float> vector{1, 2, 3};
  const std::array<bfloat16, 2> array{bfloat16(1), bfloat16(2)};
  const std::span<const float> part(vector.data() + 1, 2);
  CHECK(element_view(vector).data == vector.data());
  CHECK(extents_of(element_view(vector)) == std::vector<Index>{3});
  CHECK(element_view(array).data == array.data());
  CHECK(extents_of(element_view(array)) == std::vector<Index>{2});
  CHECK(element_view(part).data == vector.data() + 1);
  CHECK(extents_of(element_view(part)) == std::vector<Index>{2});
  CHECK(extents_of(element_view(std::vector<double>())) == std::vector<Index>{0});
}

TEST_CASE("nested arrays have the rank of their depth, and the elements of each level in order") {
  const float plain[2][3][4] = {{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}},
                                {{12, 13, 14, 15}, {16, 17, 18, 19}, {20, 21, 22, 23}}};
  CHECK(extents_of(element_view(plain)) == std::vector<Index>{2, 3, 4});
  CHECK(element_view(plain)(1, 2, 3) == 23);
  CHECK(element_view(plain)(1, 0, 2) == 14);
  const std::array<std::array<double, 2>, 3> nested{{{0, 1}, {2, 3}, {4, 5}}};
  CHECK(extents_of(element_view(nested)) == std::vector<Index>{3, 2});
  CHECK(element_view(nested)(2, 0) == 4);
  const std::vector<std::array<double, 2>> rows{{0, 1}, {2, 3}};
  CHECK(extents_of(element_view(rows)) == std::vector<Index>{2, 2});
  CHECK(element_view(rows)(1, 1) == 3);
}

TEST_CASE("a strided view keeps its extents and strides") {
  std::vector<float> storage(40);
  storage[1 * 20 + 2 * 3] = 5;
  const StridedView<float, 2> view{storage.data(), {2, 4}, {20, 3}};
  CHECK(element_view(view)(1, 2) == 5);
  CHECK(element_view(view).strides[0] == 20);
  static_assert(std::is_same_v<decltype(element_view(view)), StridedView<const float, 2>>);
  CHECK(element_view(element_view(view)).data == storage.data());
}

TEST_CASE("a tensor in host memory is flat") {
  Host host;
  Host::Stream stream;
  auto tensor = Tensor<float16, Host>::create(host, stream, 7);
  REQUIRE(tensor);
  CHECK(element_view(tensor.value()).data == tensor.value().data());
  CHECK(extents_of(element_view(tensor.value())) == std::vector<Index>{7});
  Device device;
  Device::Stream device_stream;
  auto other = Tensor<float, Device>::create(device, device_stream, 2);
  REQUIRE(other);
  CHECK(element_view(other.value()).size() == 2);
}

TEST_CASE("what holds no numbers in a row is refused while compiling") {
  STATIC_REQUIRE(Elements<std::vector<float>>);
  STATIC_REQUIRE(Elements<double[3]>);
  STATIC_REQUIRE_FALSE(Elements<double>);
  STATIC_REQUIRE_FALSE(Elements<NoElements>);
  STATIC_REQUIRE_FALSE(Elements<std::string>);
  STATIC_REQUIRE_FALSE(Elements<std::vector<int>>);
  STATIC_REQUIRE_FALSE(Elements<std::vector<std::vector<float>>>);
}

#include "assay/validators/failures/diagnosed_case.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace assay;

TEST_CASE("a changed operand leaves the given one as it is") {
  std::vector<float> stored{1, 2, -1, 3, 4, -1};
  OperandArray given;
  given.count = 1;
  given[0] = contiguous_operand(stored.data(), {2, 2});
  given[0].strides[0] = 3;
  detail::ChangedOperands changed(given);
  const Operand& own = changed.own(0);
  CHECK(own.strides[0] == 2);
  for (Index element = 0; element < 4; ++element) CHECK(own.load(element) == static_cast<double>(element + 1));
  own.store(3, 9);
  CHECK(changed.array()[0].load(3) == 9);
  CHECK(stored[4] == 4);
}

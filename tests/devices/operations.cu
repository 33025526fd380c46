// Every operation of the list, checked on a device: a unit a part, of which the build says how many there are and which
// this is.
#include <cstddef>
#include <utility>

#include "assay/kernels.hpp"
#include "devices/operation_checks.hpp"

using namespace assay;

namespace {

template <std::size_t Position, class Op>
void require_checked_if_own() {
  if constexpr (Position % ASSAY_TEST_PARTS == ASSAY_TEST_PART) testing::require_checked_on_device<Op>();
}

template <class... Ops, std::size_t... Positions>
void require_own_checked(Operations<Ops...>, std::index_sequence<Positions...>) {
  (require_checked_if_own<Positions, Ops>(), ...);
}

template <class... Ops>
void require_own_checked(Operations<Ops...> operations) {
  require_own_checked(operations, std::index_sequence_for<Ops...>());
}

}  // namespace

TEST_CASE("operations are checked on a device", "[operation]") {
  require_own_checked(AllOperations());
}

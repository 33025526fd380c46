#include "assay/telemetry/quantity.hpp"

#include <set>
#include <string>

#include "testing/catch.hpp"

TEST_CASE("every quantity has a name, a unit, and is found by its name") {
  std::set<std::string_view> names;
  for (int i = 0; i < assay::quantity_count; ++i) {
    const auto quantity = static_cast<assay::Quantity>(i);
    INFO(i);
    CHECK(assay::detail::quantity_facts[static_cast<std::size_t>(i)].quantity == quantity);
    CHECK(!unit_of(quantity).empty());
    CHECK(names.insert(name_of(quantity)).second);
    CHECK(assay::quantity_named(name_of(quantity)) == quantity);
  }
  CHECK(!assay::quantity_named("watts"));
  CHECK(is_counter(assay::Quantity::energy));
  CHECK(!is_counter(assay::Quantity::power));
}

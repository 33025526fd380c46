#include "assay/telemetry/throttle_reason.hpp"

#include <set>
#include <string_view>

#include "testing/catch.hpp"

TEST_CASE("throttle reasons have names, bits of their own, and texts") {
  std::uint64_t all = 0;
  std::set<std::string_view> names;
  for (const assay::ThrottleReason reason : assay::all_throttle_reasons) {
    CHECK((all & static_cast<std::uint64_t>(reason)) == 0);
    all |= static_cast<std::uint64_t>(reason);
    CHECK(names.insert(name_of(reason)).second);
    CHECK(assay::throttle_reason_text(static_cast<std::uint64_t>(reason)) == name_of(reason));
  }
  CHECK(assay::throttle_reason_text(0) == "none");
  CHECK(assay::throttle_reason_text(0x44) == "power_cap + hardware_thermal");
  CHECK(assay::throttle_reason_text(0x8000000000000004u) == "power_cap + 0x8000000000000000");
  CHECK((assay::thermal_reasons & 0xFFFF) == 0x60);  // NVML's
  CHECK(has_reason(0x80, assay::ThrottleReason::power_brake));
  CHECK(!has_reason(0x08, assay::ThrottleReason::power_brake));
}

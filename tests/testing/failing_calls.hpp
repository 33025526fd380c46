#pragma once

#include <cstddef>
#include <string>

#include "assay/backends/emulated_device.hpp"
#include "assay/core/outcome.hpp"
#include "testing/catch.hpp"

namespace assay::testing {

/// `check(device)` passes on a sound device; then again with each of its calls failing, in each way: it must be an
/// error every time, whose message says so, and nothing worse, such as memory freed under work. After the last call,
/// which waits for what is left, nothing is at stake.
template <class Check>
void require_error_whichever_call_fails(const Check& check) {
  EmulatedDevice sound;
  const Outcome right = check(sound);
  INFO(right.reason);
  REQUIRE(right.verdict == Verdict::pass);
  CHECK(sound.misuses().empty());
  REQUIRE(sound.calls() > 20);
  std::size_t errors = 0;
  for (const EmulatedFailure way : {EmulatedFailure::once, EmulatedFailure::asynchronous, EmulatedFailure::sticky})
    for (std::size_t call = 0; call + 1 < sound.calls(); ++call) {
      EmulatedDevice device;
      device.fail_after(call, way);
      const Outcome outcome = check(device);
      const auto misuses = device.misuses();
      const bool told = outcome.verdict == Verdict::error &&
                        outcome.reason.find("it was told to fail") != std::string::npos && misuses.empty();
      if (!told)
        UNSCOPED_INFO("call " + std::to_string(call) + ", way " + std::to_string(static_cast<int>(way)) + ": " +
                      outcome.reason + (misuses.empty() ? "" : "; " + misuses.front()));
      errors += told ? 1 : 0;
    }
  CHECK(errors == 3 * (sound.calls() - 1));
}

}  // namespace assay::testing

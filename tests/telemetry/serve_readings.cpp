#include "assay/telemetry/serve_readings.hpp"

#include <cstdlib>
#include <string>

#include "testing/catch.hpp"

TEST_CASE("a worker that nobody started says so") {
  const int status = std::system((std::string(ASSAY_TELEMETRY_WORKER) + " nvml 2> /dev/null 3<&- 4<&-").c_str());
  CHECK(status / 256 == 2);
}

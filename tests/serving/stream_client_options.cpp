#include "assay/serving/stream_client_options.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("a client keeps connections and asks the kernel for times, unless it is told otherwise") {
  const StreamClientOptions options;
  CHECK(options.keep_connections);
  CHECK(options.kernel_times);
  CHECK_FALSE(options.keep_bodies);
  CHECK(options.key.empty());
  CHECK(PlannedRequest().method == "POST");
  CHECK(ServerAddress().port == 80);
}

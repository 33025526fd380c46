#include "assay/suite/serve_cases.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "testing/catch.hpp"

using namespace assay;

namespace {

std::string refusal_of(const char* channel) {
  ::setenv(worker_channel_variable, channel, 1);
  const auto served = serve_cases({});
  ::unsetenv(worker_channel_variable);
  REQUIRE_FALSE(served);
  return served.error().message;
}

}  // namespace

TEST_CASE("a program that no runner started does not serve cases", "[suite][isolation]") {
  ::unsetenv(worker_channel_variable);
  const auto served = serve_cases({});
  REQUIRE_FALSE(served);
  CHECK(served.error().kind == ErrorKind::invalid);
  CHECK_THAT(served.error().message, assay::testing::contains("it is not for use by hand"));
}

TEST_CASE("a channel that is none is refused before anything is read or written", "[suite][isolation]") {
  for (const char* text : {"", "x", "-1", "3x", "99999", "99999999999999999999"})
    CHECK(refusal_of(text) ==
          std::string("ASSAY_WORKER_CHANNEL is '") + text + "', which is no open socket of this process");
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  CHECK_THAT(refusal_of(std::to_string(ends[0]).c_str()), assay::testing::contains("no open socket"));
  ::close(ends[0]);
  ::close(ends[1]);
}

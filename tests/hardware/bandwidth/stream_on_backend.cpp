#include "assay/hardware/bandwidth/stream_on_backend.hpp"

#include "assay/backends/host.hpp"
#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("STREAM runs in a backend's memory, and finds what is wrong there") {
  Host host(2);
  auto stream = host.make_stream().value();
  StreamOptions options;
  options.bytes = 3 * 8 * 10'000;
  options.repetitions = 3;
  const auto right = stream_on_backend(host, stream, options).value();
  REQUIRE(right.size() == 4);
  CHECK(right[3].form == StreamForm::triad);
  CHECK(right[3].bytes == options.bytes);
  CHECK(right[3].bytes_per_second >= right[3].median_bytes_per_second);
  CHECK(right[3].median_bytes_per_second > 0);
  CHECK(judge_stream(right, options).verdict == Verdict::pass);

  options.fault_element = 4100;
  const auto damaged = stream_on_backend(host, stream, options).value();
  CHECK(damaged[0].wrong_elements == 1);
  const Outcome outcome = judge_stream(damaged, options);
  CHECK(outcome.verdict == Verdict::fail);
  CHECK(outcome.reason.find("element 4100") != std::string::npos);

  options.repetitions = 11;
  CHECK_THROWS_AS(static_cast<void>(stream_on_backend(host, stream, options)), Misuse);
}

TEST_CASE("more memory than there is ends STREAM with an error") {
  Host host(1);
  auto stream = host.make_stream().value();
  StreamOptions options;
  options.bytes = std::size_t{1} << 60;
  const auto refused = stream_on_backend(host, stream, options);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::out_of_memory);
}

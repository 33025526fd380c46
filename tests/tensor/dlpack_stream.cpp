#include "assay/tensor/dlpack_stream.hpp"

#include "assay/backends/device_backend.hpp"
#include "assay/backends/host.hpp"
#include "testing/catch.hpp"
#include "testing/recorded_runtime.hpp"

using namespace assay;
using assay::testing::contains;
using Calls = std::vector<std::string>;

namespace {

template <bool Hip>
using Fake = DeviceBackend<testing::RecordedRuntime<Hip>>;
template <bool Hip>
std::int64_t number_of(std::size_t handle) {
  const auto backend = Fake<Hip>::open(0).value();
  const auto number = dlpack_stream_number(
      backend, backend.borrow(reinterpret_cast<typename testing::RecordedRuntime<Hip>::Stream>(handle)).value());
  return number ? number.value() : -99;
}

}  // namespace

TEST_CASE("streams have the numbers that __dlpack__ takes") {
  CHECK(number_of<false>(0) == 1);
  CHECK(number_of<false>(1) == 1);
  CHECK(number_of<false>(2) == 2);
  CHECK(number_of<false>(0x7000) == 0x7000);
  CHECK(number_of<true>(0) == 0);
  CHECK(number_of<true>(2) == -99);
  CHECK(number_of<true>(0x7000) == 0x7000);
  CHECK(dlpack_stream_number(Host(), Host::Stream{}).value() == dlpack_default_stream);
}

TEST_CASE("numbers of streams are borrowed back, and those that mean nothing refused") {
  const auto cuda = Fake<false>::open(0).value();
  const auto hip = Fake<true>::open(0).value();
  const auto address = [](const auto& backend, std::int64_t number) {
    const auto stream = borrow_dlpack_stream(backend, number);
    return stream ? static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(stream.value().handle())) : -99;
  };
  CHECK(address(cuda, dlpack_default_stream) == 1);
  CHECK(address(cuda, 1) == 1);
  CHECK(address(cuda, 2) == 2);
  CHECK(address(cuda, 0x7000) == 0x7000);
  CHECK(address(cuda, 0) == -99);
  CHECK(address(cuda, -1) == -99);
  CHECK(address(cuda, -7) == -99);
  CHECK(address(hip, dlpack_default_stream) == 0);
  CHECK(address(hip, 0) == 0);
  CHECK(address(hip, 1) == -99);
  CHECK(address(hip, 2) == -99);
  CHECK(address(hip, 0x7000) == 0x7000);
  CHECK_THAT(borrow_dlpack_stream(cuda, 0).error().message, contains("0 names no stream of CUDA"));
  CHECK(borrow_dlpack_stream(Host(), dlpack_default_stream));
  CHECK_THAT(borrow_dlpack_stream(Host(), 1).error().message, contains("'host'") && contains("stream=None"));
}

TEST_CASE("a consumer's stream waits for the producer's, unless they are the same or it asks not to") {
  using Runtime = testing::RecordedRuntime<false>;
  auto backend = Fake<false>::open(0).value();
  auto stream = backend.make_stream().value();
  const std::string own = Runtime::text(stream.handle());
  const auto calls_for = [&](std::int64_t consumer) {
    Runtime::calls.clear();
    Runtime::events = 0;
    const auto ordered = order_for_dlpack(backend, stream, consumer);
    Calls calls = Runtime::calls;
    if (!ordered) calls.push_back("refused");
    return calls;
  };
  CHECK(calls_for(2) == Calls{"event 200 in stream " + own, "stream 2 waits for event 200"});
  CHECK(calls_for(dlpack_default_stream) == Calls{"event 200 in stream " + own, "stream 1 waits for event 200"});
  CHECK(calls_for(dlpack_no_order).empty());
  CHECK(calls_for(dlpack_stream_number(backend, stream).value()).empty());
  CHECK(calls_for(0) == Calls{"refused"});
  Host host;
  Host::Stream nothing;
  CHECK(order_for_dlpack(host, nothing, dlpack_default_stream));
}

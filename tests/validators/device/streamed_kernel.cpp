#include "assay/validators/device/streamed_kernel.hpp"

#include "assay/backends/host.hpp"
#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("work over streams is told how many it has", "[device]") {
  StreamedKernel<Host> subject;
  CHECK(subject.streams == 2);
  subject.submit = [](Host&, std::vector<Host::Stream>& streams, const KernelOperands&) -> Result<void> {
    if (streams.size() != 3) return failure(ErrorKind::invalid, "three streams are needed");
    return {};
  };
  Host host(1);
  std::vector<Host::Stream> streams(2);
  CHECK_FALSE(subject.submit(host, streams, {}));
  streams.resize(3);
  CHECK(subject.submit(host, streams, {}));
}

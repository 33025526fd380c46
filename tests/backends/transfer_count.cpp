#include "assay/backends/transfer_count.hpp"

#include <string>

#include "assay/backends/emulated_device.hpp"
#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("transfers of a fresh device are none, and grow by what is copied, also by what then fails to run",
          "[backends]") {
  EmulatedDevice device;
  const TransferCount none = device.transfers();
  CHECK(
      (none.copies_to_device == 0 && none.copies_to_host == 0 && none.bytes_to_device == 0 && none.bytes_to_host == 0));
  auto stream = device.make_stream().value();
  double number = 1;
  {
    auto buffer = device.allocate<double>(1).value();
    REQUIRE(device.copy_to_device(stream, buffer.data(), &number, 1));
  }
  CHECK_FALSE(device.synchronize(stream));
  CHECK(device.transfers().copies_to_device == 1);
  CHECK(device.transfers().bytes_to_device == 8);
  CHECK(device.transfers().copies_to_host == 0);
}

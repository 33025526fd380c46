#include "assay/validators/device/device_kernel.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("elements become the bytes of an input, and none are none", "[device]") {
  const KernelInput input = kernel_input(std::vector<std::uint16_t>{0x0201, 0x0403});
  CHECK(input.element_bytes == 2);
  CHECK(input.content == std::vector<unsigned char>{1, 2, 3, 4});
  CHECK(kernel_input(std::vector<double>()).content.empty());
  CHECK(KernelOutput{5, 8}.bytes() == 40);
}

#include "assay/tensor/staged_operands.hpp"

#include "assay/backends/emulated_device.hpp"
#include "assay/backends/host.hpp"
#include "assay/tensor/operand_tensor.hpp"
#include "testing/catch.hpp"
#include "testing/failing_calls.hpp"

using namespace assay;

namespace {

struct AddOne {
  Operand operand;
  ASSAY_FUNCTION void operator()(std::size_t e) const {
    operand.store(static_cast<Index>(e), operand.load(static_cast<Index>(e)) + 1);
  }
};
struct StoreBehind {
  Operand operand;
  Index place;
  ASSAY_FUNCTION void operator()(std::size_t) const { operand.format.store(operand.data, place, 1); }
};

OperandTensor<Host> numbers(Host& host, const ElementFormat& format, Index padding, Index misalignment) {
  auto stream = host.make_stream().value();
  auto tensor = OperandTensor<Host>::create(host, stream, format, {3, 5}, padding, misalignment, Guard::output).value();
  for (Index e = 0; e < 15; ++e) tensor.view().store(e, static_cast<double>(e));
  return tensor;
}

}  // namespace

TEST_CASE("operands go to a device and come back with everything about them, gaps and odd addresses too", "[tensor]") {
  Host host;
  EmulatedDevice device;
  auto stream = device.make_stream().value();
  for (const ElementFormat& format :
       {element_format<float64>(), element_format<bfloat16>(), element_format<std::int8_t>()})
    for (const Index padding : {0, 3}) {
      auto first = numbers(host, format, padding, padding), second = numbers(host, format, padding, 1);
      OperandArray operands;
      operands.count = 3;  // the second of them is absent
      operands[0] = first.view();
      operands[2] = second.view();
      auto staged = StagedOperands<EmulatedDevice>::create(device, stream, operands).value();
      const OperandArray& copies = staged.operands();
      CHECK(copies.count == 3);
      CHECK_FALSE(copies[1].present());
      CHECK(reinterpret_cast<std::uintptr_t>(copies[0].data) % 64 ==
            reinterpret_cast<std::uintptr_t>(operands[0].data) % 64);
      REQUIRE(device.parallel_for(stream, 15, AddOne{copies[0]}));
      REQUIRE(staged.fetch());
      for (Index e = 0; e < 15; ++e) {
        CHECK(operands[0].load(e) == static_cast<double>(e + 1));
        CHECK(operands[2].load(e) == static_cast<double>(e));
      }
      auto host_stream = host.make_stream().value();
      CHECK(first.check_canaries(host, host_stream).value().intact());
      CHECK(first.count_overwritten_gaps(host, host_stream).value() == 0);

      // What a kernel writes beside an operand comes back as well.
      auto again = StagedOperands<EmulatedDevice>::create(device, stream, operands).value();
      REQUIRE(device.parallel_for(stream, 1, StoreBehind{again.operands()[2], -2 - 8 / format.bytes}));
      REQUIRE(again.fetch());
      CHECK(second.check_canaries(host, host_stream).value().overwritten_before > 0);
    }
}

TEST_CASE("operands that share memory share it on the device", "[tensor]") {
  Host host;
  EmulatedDevice device;
  auto stream = device.make_stream().value();
  auto tensor = numbers(host, element_format<float32>(), 0, 0);
  OperandArray operands;
  operands.count = 2;
  operands[0] = operands[1] = tensor.view();
  operands[1].data = static_cast<float*>(operands[1].data) + 5;  // from the second row on, walked backwards
  operands[1].extents[0] = 2;
  auto staged = StagedOperands<EmulatedDevice>::create(device, stream, operands).value();
  CHECK(static_cast<float*>(staged.operands()[1].data) - static_cast<float*>(staged.operands()[0].data) == 5);
  REQUIRE(device.parallel_for(stream, 10, AddOne{staged.operands()[1]}));
  REQUIRE(staged.fetch());
  CHECK(operands[0].load(4) == 4);
  CHECK(operands[0].load(5) == 6);
  CHECK(operands[0].load(14) == 15);
}

TEST_CASE("operands without elements, or none, are nothing to copy", "[tensor]") {
  EmulatedDevice device;
  auto stream = device.make_stream().value();
  OperandArray operands;
  operands.count = 2;
  operands[0] = contiguous_operand(static_cast<float*>(nullptr), {0, 7});
  auto staged = StagedOperands<EmulatedDevice>::create(device, stream, operands);
  REQUIRE(staged);
  CHECK(staged.value().operands()[0].size() == 0);
  CHECK(staged.value().fetch());
}

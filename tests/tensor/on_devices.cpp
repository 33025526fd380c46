// Fills, poison, canaries and fingerprints on a device that the host emulates: the same bits and counts as on the host.
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "assay/backends/emulated_device.hpp"
#include "assay/backends/host.hpp"
#include "assay/formats/small_formats.hpp"
#include "assay/tensor/fill.hpp"
#include "assay/tensor/fill_operand.hpp"
#include "assay/tensor/fill_tensor.hpp"
#include "assay/tensor/operand_tensor.hpp"
#include "assay/tensor/operand_values.hpp"
#include "assay/tensor/tensor.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

/// The bytes of a tensor after `work` on it, and its fingerprint.
template <class T, class B, class Work>
std::pair<std::string, std::uint64_t> bytes_after(B& backend, Index elements, Index misalignment, const Work& work) {
  auto stream = backend.make_stream();
  REQUIRE(stream);
  auto tensor = Tensor<T, B>::create(backend, stream.value(), elements, misalignment);
  REQUIRE(tensor);
  work(stream.value(), tensor.value());
  const auto print = tensor.value().fingerprint(backend, stream.value());
  REQUIRE(print);
  const auto canaries = tensor.value().check_canaries(backend, stream.value());
  REQUIRE(canaries);
  CHECK(canaries.value().intact());
  std::string bytes(static_cast<std::size_t>(elements) * sizeof(T), '\0');
  std::vector<T> on_host(static_cast<std::size_t>(elements));
  REQUIRE(backend.copy_to_host(stream.value(), on_host.data(), tensor.value().data(), on_host.size()));
  REQUIRE(backend.synchronize(stream.value()));
  if (!bytes.empty()) std::memcpy(bytes.data(), on_host.data(), bytes.size());
  return {bytes, print.value()};
}

/// Host and device after the same work, told as a functor of any backend.
template <class T, class Work>
void check_alike(Index elements, Index misalignment, const Work& work) {
  Host host(1);
  EmulatedDevice device;
  const auto wanted =
      bytes_after<T>(host, elements, misalignment, [&](auto& stream, auto& tensor) { work(host, stream, tensor); });
  const auto found =
      bytes_after<T>(device, elements, misalignment, [&](auto& stream, auto& tensor) { work(device, stream, tensor); });
  CHECK(found.first == wanted.first);
  CHECK(found.second == wanted.second);
  CHECK(device.misuses().empty());
}

}  // namespace

TEMPLATE_TEST_CASE("devices fill with the host's bits, whatever the pattern, the strides and the alignment", "[tensor]",
                   float64, float32, bfloat16, float8_e4m3fn, std::int8_t) {
  for (const FillKind kind : all_fill_kinds)
    for (const Index misalignment : {0, 1, 3})
      for (const auto& [rows, columns] : {std::pair<Index, Index>{1, 1}, {3, 64}, {7, 61}, {130, 5}}) {
        Fill pattern;
        pattern.kind = kind;
        pattern.seed = 11;
        pattern.length = columns;
        const auto filled = [&, rows = rows, columns = columns](Lanes lanes, Index row_stride, Index column_stride) {
          check_alike<TestType>(2 * rows * 128, misalignment, [&](auto& backend, auto& stream, auto& tensor) {
            REQUIRE(fill(
                backend, stream,
                StridedView<TestType, 3>{tensor.data(), {2, rows, columns}, {rows * 128, row_stride, column_stride}},
                pattern, lanes));
          });
        };
        INFO(name_of(kind) << " " << rows << " x " << columns << ", misalignment " << misalignment);
        filled(Lanes::rows, columns, 1);
        if (misalignment != 1) continue;
        filled(Lanes::columns, 128, 1);
        filled(Lanes::rows, 128, 2 * columns <= 128 ? 2 : 1);
        filled(Lanes::rows, 1, rows);
      }
}

TEST_CASE("devices count what is written outside a tensor, and see each changed bit", "[tensor]") {
  EmulatedDevice device;
  auto stream = device.make_stream();
  REQUIRE(stream);
  for (const Index misalignment : {0, 1, 7})
    for (const Index elements : {0, 1, 7, 4099}) {
      auto tensor = Tensor<bfloat16, EmulatedDevice>::create(device, stream.value(), elements, misalignment);
      REQUIRE(tensor);
      auto& own = tensor.value();
      REQUIRE(own.poison(device, stream.value(), 1));
      std::uint64_t before = own.fingerprint(device, stream.value()).value();
      const bfloat16 other{};
      const auto write = [&](Index position) {
        REQUIRE(device.copy_to_device(stream.value(), own.data() + position, &other, 1));
        REQUIRE(device.synchronize(stream.value()));
        const std::uint64_t after = own.fingerprint(device, stream.value()).value();
        CHECK(after != before);
        before = after;
        return own.check_canaries(device, stream.value()).value();
      };
      const auto front = static_cast<Index>(own.canary_elements) + misalignment,
                 back = static_cast<Index>(own.canary_elements);
      CHECK(write(-front).overwritten_before == 1);
      CHECK(write(-1).overwritten_before == 2);
      CHECK(write(elements).overwritten_after == 1);
      const CanaryReport last = write(elements + back - 1);
      CHECK(last.overwritten_before == 2);
      CHECK(last.overwritten_after == 2);
      if (elements > 0) {
        CHECK(write(0).overwritten_before == 2);
        if (elements > 1) CHECK(write(elements - 1).overwritten_after == 2);
      }
    }
}

TEST_CASE("operands on devices are filled, poisoned and counted as on the host", "[tensor]") {
  Host host(1);
  EmulatedDevice device;
  for (const ElementFormat& format : {element_format<float32>(), element_format<bfloat16>(),
                                      element_format<std::int8_t>(), element_format<float8_e4m3fn>()})
    for (const bool codes : {false, true}) {
      const auto told = [&](auto& backend) {
        using B = std::remove_cvref_t<decltype(backend)>;
        auto stream = backend.make_stream();
        auto tensor = OperandTensor<B>::create(backend, stream.value(), format, {3, 5, 13}, 3, 1);
        REQUIRE(tensor);
        auto& own = tensor.value();
        std::string text;
        const auto count = [&] {
          text += std::to_string(own.count_unwritten(backend, stream.value()).value()) + " " +
                  std::to_string(own.count_overwritten_gaps(backend, stream.value()).value()) + " " +
                  std::to_string(own.fingerprint(backend, stream.value()).value()) + "\n";
        };
        count();
        OperandValues values;
        values.pattern.length = 13;
        values.lowest = -100;
        values.highest = 100;
        values.random_codes = codes;
        REQUIRE(fill_operand(backend, stream.value(), own.view(), values));
        count();
        REQUIRE(own.poison(backend, stream.value()));
        count();
        Operand beyond = own.view();
        beyond.extents[2] += 2;  // into the gaps between rows
        REQUIRE(fill_operand(backend, stream.value(), beyond, values));
        count();
        return text;
      };
      CHECK(told(device) == told(host));
      CHECK(device.misuses().empty());
    }
}

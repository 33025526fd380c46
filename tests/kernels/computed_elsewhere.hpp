#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "assay/backends/emulated_device.hpp"
#include "assay/backends/host.hpp"
#include "assay/backends/wait_at_end.hpp"
#include "assay/validators/operation_memory.hpp"

/// References, bounds and portable kernels of operations on one backend and on the host.
namespace assay::testing {

/// Where the backend can write what it expects, and the host read it.
template <class Expected>
struct RecordExpected {
  Expected expected;
  Index columns;
  ExpectedElement* elements;
  ASSAY_FUNCTION void operator()(std::size_t index) const {
    elements[index] = expected(static_cast<Index>(index) / columns, static_cast<Index>(index) % columns);
  }
};

/// What a backend makes of a case: the expected elements of all outputs one after another, and the bits that the
/// portable kernel writes.
struct Computed {
  std::vector<ExpectedElement> expected;
  std::uint64_t written = 0;
};

template <class Op, ParallelBackend B>
[[nodiscard]] Result<Computed> computed_on(B backend, const typename Op::Problem& problem, FillKind fill) {
  auto stream = backend.make_stream();
  if (!stream) return stream.propagate();
  auto specs = Op::operands(problem);
  if (!specs) return specs.propagate();
  const Arithmetic arithmetic;
  const OperationData data = Op::data(problem, fill, arithmetic, 11);
  auto memory = assay::detail::OperationMemory<B>::create(backend, stream.value(), std::move(specs).value(), data, {});
  if (!memory) return memory.propagate();
  Computed computed;
  if (auto run = Op::portable(backend, stream.value(), problem, memory.value().operands()); !run)
    return run.propagate();
  if (auto done = backend.synchronize(stream.value()); !done) return done.propagate();
  const auto written = memory.value().output_fingerprint();
  if (!written) return written.propagate();
  computed.written = written.value();

  const auto before = memory.value().operands_before();
  if (!before) return before.propagate();
  auto reference = Op::reference(backend, stream.value(), problem, before.value(), data.model, arithmetic);
  if (!reference) return reference.propagate();
  auto expected = reference.value().expected;
  int output = 0;
  for (std::size_t operand = 0; operand < memory.value().specs().size(); ++operand) {
    const OperandSpec& spec = memory.value().specs()[operand];
    if (spec.role == OperandRole::input) continue;
    expected.output = output++;
    const Operand view = memory.value().operands()[static_cast<int>(operand)];
    if (!spec.present || view.size() == 0) continue;
    const auto size = static_cast<std::size_t>(view.size());
    auto elements = backend.template allocate<ExpectedElement>(size);
    if (!elements) return elements.propagate();
    assay::detail::WaitAtEnd work_on_them(backend, stream.value());
    const RecordExpected<decltype(expected)> record{expected, view.rank > 0 ? view.extents[view.rank - 1] : 1,
                                                    elements.value().data()};
    if (auto run = backend.parallel_for(stream.value(), size, record); !run) return run.propagate();
    const std::size_t first = computed.expected.size();
    computed.expected.resize(first + size);
    if (auto copied =
            backend.copy_to_host(stream.value(), computed.expected.data() + first, elements.value().data(), size);
        !copied)
      return copied.propagate();
    if (auto done = work_on_them.wait(); !done) return done.propagate();
  }
  return computed;
}

/// How far a backend's numbers may lie from the host's: |a − b| ≤ relative·(0.001 + |b|); 0: not a bit. Kernels must
/// always write the same bits.
template <class Op, ParallelBackend B>
void require_computes_as_the_host(B backend, double relative = 0) {
  constexpr std::size_t most_problems = 16;
  std::size_t compared = 0;
  const auto near = [&](double a, double b) {
    if (relative == 0) return std::memcmp(&a, &b, sizeof a) == 0;
    return (is_nan(a) && is_nan(b)) || a == b || std::fabs(a - b) <= relative * (1e-3 + std::fabs(b));
  };
  for (const ElementFormat& format : {element_format<float32>(), element_format<bfloat16>()}) {
    const auto shapes = Op::shapes(format);
    const std::size_t step = (shapes.size() + most_problems - 1) / most_problems;
    for (std::size_t i = 0; i < shapes.size(); i += step) {
      if (shapes[i].large || shapes[i].fills.empty()) continue;
      const FillKind fill = shapes[i].fills[i % shapes[i].fills.size()];
      INFO(Op::name() << " " << Op::formats_of(shapes[i].problem) << " " << Op::name_of(shapes[i].problem) << " "
                      << name_of(fill));
      const auto here = computed_on<Op>(Host(1), shapes[i].problem, fill),
                 there = computed_on<Op>(backend, shapes[i].problem, fill);
      if (!here && here.error().kind == ErrorKind::unsupported) {
        CHECK((!there && there.error().message == here.error().message));
        continue;
      }
      REQUIRE(here);
      INFO((there ? std::string() : there.error().message));
      REQUIRE(there);
      CHECK(there.value().written == here.value().written);
      REQUIRE(there.value().expected.size() == here.value().expected.size());
      std::size_t different = 0;
      for (std::size_t e = 0; e < here.value().expected.size(); ++e) {
        const ExpectedElement &a = there.value().expected[e], &b = here.value().expected[e];
        different += near(a.value, b.value) && near(a.error, b.error) ? 0 : 1;
      }
      CHECK(different == 0);
      compared += here.value().expected.size();
    }
  }
  CHECK(compared > 100);
}

/// Whichever call of a device is refused, that is an error, and memory is freed after the work on it.
template <class Op>
void require_order_whichever_call_is_refused() {
  constexpr std::size_t most_problems = 6;
  constexpr double most_elements = 2e4;
  auto shapes = Op::shapes(element_format<float32>());
  std::erase_if(shapes, [](const auto& shape) {
    const auto specs = Op::operands(shape.problem);
    if (!specs || shape.large || shape.fills.empty()) return true;
    double elements = 0;
    for (const OperandSpec& spec : specs.value()) {
      double own = 1;
      for (const Index extent : spec.extents) own *= static_cast<double>(extent);
      elements += own;
    }
    return elements > most_elements;
  });
  std::size_t refused = 0, wrong = 0;
  for (std::size_t i = 0; i < shapes.size(); i += (shapes.size() + most_problems - 1) / most_problems) {
    const auto& problem = shapes[i].problem;
    const FillKind fill = shapes[i].fills[i % shapes[i].fills.size()];
    const EmulatedDevice sound;
    if (!computed_on<Op>(sound, problem, fill)) continue;
    CHECK(sound.misuses() == std::vector<std::string>{});
    for (std::size_t call = 0; call + 1 < sound.calls(); ++call, ++refused) {
      const EmulatedDevice device;
      device.fail_after(call);
      const bool told = !computed_on<Op>(device, problem, fill);
      const auto misuses = device.misuses();
      if (told && misuses.empty()) continue;
      ++wrong;
      UNSCOPED_INFO(Op::name() << " " << Op::name_of(problem) << " " << name_of(fill) << ", call " << call << ": "
                               << (told ? "" : "no error; ") << (misuses.empty() ? "" : misuses.front()));
    }
  }
  INFO(Op::name() << ", " << refused << " calls refused");
  CHECK(wrong == 0);
  CHECK(refused > 10);
}

}  // namespace assay::testing

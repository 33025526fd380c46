#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "assay/suite/seed.hpp"
#include "assay/validators/check_operation.hpp"
#include "devices/device_under_test.hpp"

/// What holds for the validator of every operation on a device, whose memory the host does not touch.
namespace assay::testing {

enum class DeviceFault { wrong_element, overrun, modified_input };

/// Does to the operands of a launch what a faulty kernel might have done.
struct SpoilOperand {
  Operand operand;
  DeviceFault fault;

  ASSAY_FUNCTION void operator()(std::size_t) const {
    const ElementFormat& format = operand.format;
    const Index last = operand.offset_of(operand.size() - 1),
                place = fault == DeviceFault::overrun ? last + 1 : operand.offset_of(operand.size() / 2);
    const std::uint64_t code = format.load_code(operand.data, place),
                        opposite = code ^ (std::uint64_t{1} << (format.bytes * 8 - 1));
    format.store_code(operand.data, place, format.decode(code) == 0 ? format.encode(1.0) : opposite);
  }
};

/// The portable kernel, followed by a fault in its first operand that the fault is about.
template <class Op>
[[nodiscard]] OperationSubject<Op> faulty_on_device(DeviceUnderTest device, DeviceFault fault) {
  return assay::detail::launched_subject<OperationSubject<Op>>(
      std::move(device),
      [fault](DeviceUnderTest& own, DeviceUnderTest::Stream& stream, const typename Op::Problem& problem,
              const OperandArray& operands) -> Result<void> {
        if (auto run = Op::portable(own, stream, problem, operands); !run) return run;
        const auto specs = Op::operands(problem);
        if (!specs) return specs.propagate();
        for (std::size_t i = 0; i < specs.value().size(); ++i) {
          const Operand& operand = operands[static_cast<int>(i)];
          const bool is_input = specs.value()[i].role == OperandRole::input;
          if (specs.value()[i].present && operand.size() > 0 && is_input == (fault == DeviceFault::modified_input))
            return own.parallel_for(stream, 1, SpoilOperand{operand, fault});
        }
        return {};
      });
}

/// What became of the cases of an operation's default suite that were run.
struct DeviceVerdicts {
  std::map<Verdict, std::size_t> verdicts;
  std::string first_failure, first_refusal;
};

/// At most `most` problems of the default suite for each format, or until one fails.
template <class Op>
[[nodiscard]] DeviceVerdicts check_suite_on_device(DeviceUnderTest& device, const OperationSubject<Op>& subject,
                                                   std::size_t most, bool until_failure) {
  DeviceVerdicts result;
  for (const ElementFormat& format :
       {element_format<float32>(), element_format<bfloat16>(), element_format<float16>()}) {
    const auto shapes = Op::shapes(format);
    const std::size_t step = (shapes.size() + most - 1) / most;
    for (std::size_t i = 0; i < shapes.size(); i += step) {
      const auto& shape = shapes[i];
      if (shape.large || shape.fills.empty()) continue;
      const std::string id =
          std::string(Op::name()) + "/" + Op::formats_of(shape.problem) + "/" + Op::name_of(shape.problem);
      OperationCheckOptions options;
      if (i % 3 == 1) options.storage = {3, 1};
      const Outcome outcome = check_operation<Op>(device, subject, shape.problem, shape.fills[i % shape.fills.size()],
                                                  options, {case_seed(1, id), 2});
      ++result.verdicts[outcome.verdict];
      const bool failed = outcome.verdict == Verdict::fail || outcome.verdict == Verdict::error;
      if (failed && result.first_failure.empty()) result.first_failure = id + ": " + outcome.reason;
      if (outcome.verdict == Verdict::unsupported && result.first_refusal.empty())
        result.first_refusal = id + ": " + outcome.reason;
      if (until_failure && outcome.verdict == Verdict::fail) return result;
    }
  }
  return result;
}

/// Right kernels pass or are refused with the reason, not all; faulty ones are caught.
template <class Op>
void require_checked_on_device() {
  DeviceUnderTest& device = device_under_test();
  INFO(Op::name());
  const OperationSubject<Op> right = portable_operation_subject<Op>(device);
  DeviceVerdicts result = check_suite_on_device<Op>(device, right, 12, false);
  INFO("first failure: " << result.first_failure << "; first refusal: " << result.first_refusal);
  CHECK(result.verdicts[Verdict::fail] == 0);
  CHECK(result.verdicts[Verdict::error] == 0);
  REQUIRE(result.verdicts[Verdict::pass] > 0);
  OperationSubject<Op> idle = right;
  idle.run = [](const auto&, const auto&) -> Result<void> { return {}; };
  CHECK(check_suite_on_device<Op>(device, idle, 12, true).verdicts[Verdict::fail] == 1);
  for (const DeviceFault fault : {DeviceFault::wrong_element, DeviceFault::overrun, DeviceFault::modified_input}) {
    INFO("fault " << static_cast<int>(fault));
    CHECK(check_suite_on_device<Op>(device, faulty_on_device<Op>(device, fault), 12, true).verdicts[Verdict::fail] ==
          1);
  }
}

}  // namespace assay::testing

#include <string>
#include <vector>

#include "assay/backends/emulated_device.hpp"
#include "assay/kernels/attention/attention.hpp"
#include "assay/kernels/normalization/normalization.hpp"
#include "assay/kernels/softmax/softmax.hpp"
#include "assay/validators/check_operation.hpp"
#include "testing/catch.hpp"

using namespace assay;

// Who holds gigabytes on a device will not have them copied to a host to be validated. That products travel neither is
// tested in checks_on_devices.cpp.

namespace {

struct Traveled {
  std::size_t bytes = 0;
  std::size_t bytes_of_output = 0;
};

/// What a full check of a right kernel, and of one that writes nothing, has copied.
template <class Op>
std::vector<Traveled> traveled(const typename Op::Problem& problem) {
  std::vector<Traveled> found;
  for (const bool right : {true, false}) {
    EmulatedDevice device;
    auto subject = portable_operation_subject<Op>(device);
    if (!right) subject.run = [](const auto&, const auto&) -> Result<void> { return {}; };
    const Outcome outcome = check_operation<Op>(device, subject, problem, FillKind::normal, {}, {7, 1});
    INFO(Op::name() << ": " << outcome.reason);
    CHECK(outcome.verdict == (right ? Verdict::pass : Verdict::fail));
    CHECK(device.misuses() == std::vector<std::string>{});
    const TransferCount transfers = device.transfers();
    std::size_t bytes = 0;
    const auto specs = Op::operands(problem).value();
    for (const OperandSpec& spec : specs) {
      if (spec.role == OperandRole::input || bytes > 0) continue;
      bytes = static_cast<std::size_t>(spec.format.bytes);
      for (const Index extent : spec.extents) bytes *= static_cast<std::size_t>(extent);
    }
    found.push_back({transfers.bytes_to_device + transfers.bytes_to_host, bytes});
  }
  return found;
}

template <class Op>
void require_no_tensor_travels(const typename Op::Problem& small, const typename Op::Problem& large,
                               std::size_t factor) {
  const auto few = traveled<Op>(small), many = traveled<Op>(large);
  for (std::size_t i = 0; i < few.size(); ++i) {
    REQUIRE(many[i].bytes_of_output == factor * few[i].bytes_of_output);
    INFO(Op::name() << (i == 0 ? ", right" : ", wrong") << ": " << few[i].bytes << " bytes for an output of "
                    << few[i].bytes_of_output << ", " << many[i].bytes << " for one of " << many[i].bytes_of_output);
    CHECK(many[i].bytes < std::size_t{1} << 18);                                                   // statistics
    CHECK(many[i].bytes - few[i].bytes < (many[i].bytes_of_output - few[i].bytes_of_output) / 4);  // which hardly grow
  }
}

}  // namespace

TEST_CASE("rows that a softmax or a normalization wrote stay on the device that holds them, whatever the verdict") {
  SoftmaxProblem small, large;
  small.outer = 256;
  large.outer = 1024;
  small.length = large.length = 512;
  require_no_tensor_travels<Softmax>(small, large, 4);
  NormalizationProblem few, many;
  few.outer = 256;
  many.outer = 1024;
  few.channels = many.channels = 512;
  require_no_tensor_travels<Normalization>(few, many, 4);
}

TEST_CASE("what attention wrote stays on the device that holds it, whatever the verdict") {
  AttentionProblem small, large;
  small.batch = 1;
  large.batch = 2;
  for (AttentionProblem* problem : {&small, &large}) {
    problem->heads = problem->key_heads = 8;
    problem->queries = 256;
    problem->keys = 64;
    problem->depth = problem->value_depth = 64;
  }
  require_no_tensor_travels<Attention>(small, large, 2);
}

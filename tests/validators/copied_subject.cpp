#include "assay/validators/copied_subject.hpp"

#include "assay/backends/emulated_device.hpp"
#include "assay/backends/host.hpp"
#include "assay/kernels/softmax/softmax.hpp"
#include "assay/validators/check_gemm.hpp"
#include "assay/validators/check_operation.hpp"
#include "assay/validators/operation_suite.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

/// Writes, or reads and writes, one element beside an operand.
struct WriteBeside {
  Operand operand;
  Index place;
  ASSAY_FUNCTION void operator()(std::size_t) const { operand.format.store(operand.data, place, 2); }
};
struct CopyBeside {
  Operand from, to;
  ASSAY_FUNCTION void operator()(std::size_t) const {
    to.format.store_code(to.data, to.size(), from.format.load_code(from.data, from.size()));
  }
};

using Launch = Result<void> (*)(EmulatedDevice&, EmulatedDevice::Stream&, const SoftmaxProblem&, const OperandArray&);

SoftmaxProblem problem_of(Index outer, Index length) {
  SoftmaxProblem problem;
  problem.outer = outer;
  problem.length = length;
  return problem;
}

Outcome outcome_of(Launch launch, OperandStorage storage = {}) {
  Host host;
  OperationCheckOptions options;
  options.storage = storage;
  return check_operation<Softmax>(host, copied_operation_subject<Softmax>(EmulatedDevice(), launch), problem_of(7, 33),
                                  FillKind::normal, options, {3, 2});
}

Result<void> right(EmulatedDevice& device, EmulatedDevice::Stream& stream, const SoftmaxProblem& problem,
                   const OperandArray& operands) {
  return Softmax::portable(device, stream, problem, operands);
}

}  // namespace

TEST_CASE("a kernel whose memory the host cannot touch passes the default suite of its operation on copies") {
  Suite suite;
  add_operation_cases<Softmax>(suite, Host(), copied_operation_subject<Softmax>(EmulatedDevice(), &right));
  REQUIRE(suite.size() > 50);
  for (std::size_t i = 0; i < suite.size(); i += 7) {
    const Outcome outcome = suite[i].run({1, 1});
    INFO(suite[i].id << ": " << outcome.reason);
    CHECK((outcome.verdict == Verdict::pass || outcome.verdict == Verdict::inconclusive));
  }
  CHECK(outcome_of(&right).verdict == Verdict::pass);
  CHECK(outcome_of(&right, {3, 1}).verdict == Verdict::pass);
}

TEST_CASE("what a kernel on copies does to memory that is not its own fails its case") {
  const auto finding = [](const Outcome& outcome) {
    REQUIRE(outcome.verdict == Verdict::fail);
    return outcome.reason;
  };
  SECTION("behind the output") {
    CHECK_THAT(finding(outcome_of([](auto& device, auto& stream, const auto& problem, const auto& operands) {
                 if (auto done = right(device, stream, problem, operands); !done) return done;
                 return device.parallel_for(stream, 1,
                                            WriteBeside{operands[Softmax::output], operands[Softmax::output].size()});
               })),
               Catch::Contains("output"));
  }
  SECTION("behind the output, what was read behind the input") {
    CHECK_THAT(finding(outcome_of([](auto& device, auto& stream, const auto& problem, const auto& operands) {
                 if (auto done = right(device, stream, problem, operands); !done) return done;
                 return device.parallel_for(stream, 1, CopyBeside{operands[Softmax::input], operands[Softmax::output]});
               })),
               Catch::Contains("output"));
  }
  SECTION("to its input") {
    CHECK_THAT(finding(outcome_of([](auto& device, auto& stream, const auto& problem, const auto& operands) {
                 if (auto done = right(device, stream, problem, operands); !done) return done;
                 return device.parallel_for(stream, 1, WriteBeside{operands[Softmax::input], 0});
               })),
               Catch::Contains("modified"));
  }
  SECTION("nothing is written") {
    CHECK_THAT(finding(outcome_of([](auto&, auto&, const auto&, const auto&) { return Result<void>(); })),
               Catch::Contains("never written"));
  }
}

TEST_CASE("what a device refuses is an error with its reason, not a verdict") {
  const Outcome outcome = outcome_of([](auto&, auto&, const auto&, const auto&) -> Result<void> {
    return failure(ErrorKind::unsupported, "this chip has no softmax");
  });
  CHECK(outcome.verdict == Verdict::unsupported);
  CHECK(outcome.reason == "this chip has no softmax");
}

TEST_CASE("products are validated on copies, in every layout, and one row too many is seen") {
  using Op = Gemm<float32, float32, float32, float32>;
  Host host;
  const auto right_product = [](EmulatedDevice& device, EmulatedDevice::Stream& stream, const GemmProblem& problem,
                                const Op::Arguments& arguments) {
    return portable_gemm<Op, EmulatedDevice>(device, stream, problem, arguments);
  };
  GemmProblem problem;
  problem.batch = 2;
  problem.m = 9;
  problem.n = 17;
  problem.k = 33;
  for (const double beta : {0.0, 0.5})
    for (const StorageOrder order : {StorageOrder::row_major, StorageOrder::column_major}) {
      problem.beta = beta;
      problem.order = order;
      const Outcome outcome = check_gemm<Op>(host, copied_gemm_subject<Op>(EmulatedDevice(), right_product), problem,
                                             FillKind::normal, {}, {1, 2});
      INFO(outcome.reason);
      CHECK(outcome.verdict == Verdict::pass);
    }
  problem.batch = 1;
  problem.beta = 0;
  problem.order = StorageOrder::row_major;
  const auto one_row_more = [&](EmulatedDevice& device, EmulatedDevice::Stream& stream, GemmProblem larger,
                                Op::Arguments arguments) {
    ++larger.m;
    ++arguments.a.extents[1];
    ++arguments.c.extents[1];
    return right_product(device, stream, larger, arguments);
  };
  CHECK(check_gemm<Op>(host, copied_gemm_subject<Op>(EmulatedDevice(), one_row_more), problem, FillKind::normal, {},
                       {1, 1})
            .verdict == Verdict::fail);
}

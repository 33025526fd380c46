#include "assay/validators/kernel_contract.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/kernels/attention/attention.hpp"
#include "assay/kernels/attention_merge/attention_merge.hpp"
#include "assay/kernels/normalization/normalization.hpp"
#include "assay/kernels/pooling/pooling.hpp"
#include "assay/kernels/resize/resize.hpp"
#include "assay/kernels/rotary_embedding/rotary_embedding.hpp"
#include "assay/kernels/softmax/softmax.hpp"
#include "assay/suite/seed.hpp"
#include "assay/validators/gemm_suite.hpp"
#include "assay/validators/operation_suite.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

/// How the cases of a suite came out.
struct Verdicts {
  std::size_t passed = 0, failed = 0, refused = 0;
  std::vector<std::string> others;  ///< with their reasons
};

Verdicts run(const Suite& suite) {
  Verdicts verdicts;
  for (const Case& entry : suite) {
    const Outcome outcome = entry.run({case_seed(1, entry.id), 1});
    if (outcome.verdict == Verdict::pass)
      ++verdicts.passed;
    else if (outcome.verdict == Verdict::fail)
      ++verdicts.failed;
    else if (outcome.verdict == Verdict::unsupported)
      ++verdicts.refused;
    if (outcome.verdict != Verdict::pass) verdicts.others.push_back(entry.id + ": " + outcome.reason);
  }
  return verdicts;
}

/// The suite of Assay's own kernel of a contract, with kernels that keep it, or that are right without it.
template <class Op, class Concerns>
Suite suite_under(const char* text, const Concerns& concerns, bool keeps_it, const ElementFormat& format) {
  using Problem = typename Op::Problem;
  Host host(1);
  const KernelContract contract = read_contract(text).value();
  OperationSubject<Op> subject = portable_operation_subject<Op>(host);
  subject.contract = [contract](const Problem&) { return contract; };
  if (!keeps_it) {
    KernelContract usual;
    for (const RecordedField& field : recorded_fields(Problem{}))
      for (const RecordedField& fixed : contract)
        if (field.name == fixed.name) usual.push_back(field);
    subject.run = [own = subject.run, usual](const Problem& problem, const OperandArray& operands) {
      return own(with_fields(problem, usual).value(), operands);
    };
  }
  OperationSuiteOptions options;
  options.formats = {format};
  options.unusual_storage = false;
  Suite all, suite;
  add_operation_cases<Op>(all, host, std::move(subject), options);
  for (Case& entry : all)
    if (concerns(entry) && std::find(entry.tags.begin(), entry.tags.end(), "large") == entry.tags.end())
      suite.push_back(std::move(entry));
  return suite;
}

/// Kernels that keep a contract are accepted, those that are right without it are not.
template <class Op, class Concerns>
void check_contract(const char* text, const char* in_ids, const Concerns& concerns,
                    const ElementFormat& format = element_format<float32>()) {
  const Suite suite = suite_under<Op>(text, concerns, true, format);
  CHECK(std::any_of(suite.begin(), suite.end(),
                    [&](const Case& entry) { return entry.id.find(in_ids) != std::string::npos; }));
  const Verdicts kept = run(suite), broken = run(suite_under<Op>(text, concerns, false, format));
  INFO(text << ", " << format.name << ": " << kept.passed << " passed, " << broken.failed << " failed without it"
            << (kept.others.empty() ? "" : ", " + kept.others.front()));
  CHECK(kept.failed == 0);
  CHECK(kept.passed > 5);
  CHECK(broken.failed > 0);
}

bool every(const Case&) {
  return true;
}

auto of(const char* operation) {
  return [operation](const Case& entry) { return entry.labels.at("operation") == operation; };
}

}  // namespace

TEST_CASE("a contract is read from its text, and what is none is refused by words that tell it") {
  const KernelContract contract = read_contract("alpha=1,beta=0").value();
  REQUIRE(contract.size() == 2);
  CHECK(contract[1].name == "beta");
  CHECK(contract[1].value == "0");
  CHECK(contract_text(contract) == "alpha=1,beta=0");
  CHECK(read_contract("").value().empty());
  for (const char* wrong : {"alpha", "=1", "alpha=", "alpha=1,,beta=0"}) {
    const auto refused = read_contract(wrong);
    REQUIRE_FALSE(refused);
    CHECK_THAT(refused.error().message, testing::contains("field=value"));
  }
  CHECK_THAT(read_contract("alpha=1,alpha=2").error().message, testing::contains("names alpha twice"));
}

TEST_CASE("a problem under a contract has its fields, and says why where it cannot") {
  const auto any = [](const SoftmaxProblem&) { return Result<void>(); };
  SoftmaxProblem problem;
  problem.outer = 3;
  const auto changed = under_contract(problem, read_contract("logarithm=true,temperature=2").value(), any);
  REQUIRE(changed);
  CHECK(changed.value().logarithm);
  CHECK(changed.value().temperature == 2);
  CHECK(changed.value().outer == 3);
  const auto unknown = under_contract(problem, read_contract("logarithms=true").value(), any);
  CHECK(unknown.error().kind == ErrorKind::malformed);
  CHECK_THAT(unknown.error().message, testing::contains("logarithms=true"));
  const auto refused = under_contract(problem, read_contract("temperature=-1").value(),
                                      [](const SoftmaxProblem& own) { return check(own); });
  CHECK(refused.error().kind == ErrorKind::unsupported);
  CHECK_THAT(refused.error().message, testing::contains("does not go with this problem"));
}

TEST_CASE("suites ask a kernel for nothing that its contract excludes") {
  const Suite suite = suite_under<Softmax>("logarithm=true,temperature=1", every, true, element_format<float32>());
  REQUIRE(suite.size() > 10);
  for (const Case& entry : suite) {
    CHECK(entry.labels.at("shape").find("-log") != std::string::npos);
    REQUIRE(entry.kernel != nullptr);
    for (const RecordedField& field : entry.kernel->simplest())
      if (field.name == "logarithm") CHECK(field.value == "true");  // those who shrink a case keep it
  }
  const Suite wrong = suite_under<Softmax>("temperature=hot", every, true, element_format<float32>());
  const Outcome outcome = wrong.front().run({1, 1});
  CHECK(outcome.verdict == Verdict::error);
  CHECK_THAT(outcome.reason, testing::contains("temperature=hot"));
}

TEST_CASE("a product without alpha and beta is asked for A*B, each problem once") {
  using Op = Gemm<float32, float32, float32, float32>;
  Host host(1);
  GemmSubject<Op> subject = portable_gemm_subject<Op>(host);
  Suite usual, plain;
  add_gemm_cases<Op>(usual, host, subject);
  subject.contract = [](const GemmProblem&) { return read_contract("alpha=1,beta=0").value(); };
  subject.run = [run = subject.run](const GemmProblem& problem, const Op::Arguments& arguments) -> Result<void> {
    if (problem.alpha != 1 || problem.beta != 0) return failure(ErrorKind::device, "this kernel has no alpha and beta");
    return run(problem, arguments);
  };
  add_gemm_cases<Op>(plain, host, subject);
  CHECK(plain.size() < usual.size());
  CHECK(2 * plain.size() > usual.size());
  std::vector<std::string> ids;
  for (const Case& entry : plain) ids.push_back(entry.id);
  std::sort(ids.begin(), ids.end());
  CHECK(std::adjacent_find(ids.begin(), ids.end()) == ids.end());
  Suite few;
  for (std::size_t i = 0; i < plain.size(); i += 9)
    if (plain[i].tags.empty()) few.push_back(plain[i]);
  const Verdicts verdicts = run(few);
  CHECK(verdicts.passed == few.size());
}

TEST_CASE("an RMSNorm that rounds before gamma is right by its contract, and one that does not is wrong by it") {
  for (const ElementFormat& format : {element_format<bfloat16>(), element_format<float16>()})
    check_contract<Normalization>("rounded_before_gamma=true", "-rounded_before_gamma", of("rmsnorm"), format);
  const Verdicts single =
      run(suite_under<Normalization>("rounded_before_gamma=true", of("rmsnorm"), true, element_format<float32>()));
  CHECK(single.failed == 0);
}

TEST_CASE("rotary embeddings with tables of 16 bits are right by their contract") {
  for (const ElementFormat& format : {element_format<bfloat16>(), element_format<float16>()})
    check_contract<RotaryEmbedding>("rounded_tables=true", "-rounded_tables", every, format);
}

TEST_CASE("a softmax of rows of -inf throughout is 0 by contract, without a mask, too") {
  check_contract<Softmax>("fully_masked=zeros", "-zeros", [](const Case& entry) {
    return entry.labels.at("shape").find("-masked") == std::string::npos;
  });
}

TEST_CASE("log-sum-exps of base 2 are right by their contract, in attention and where parts of it are merged") {
  std::size_t number = 0;
  check_contract<Attention>("log_base=two", "-log2", [&](const Case&) { return number++ % 5 == 0; });
  check_contract<AttentionMerge>("log_base=two", "-log2", every);
}

TEST_CASE("averages with a given divisor, and cubics that exclude what lies outside, are right by their contract") {
  std::size_t number = 0;
  check_contract<Pooling>("divisor=7", "-divisor7", [&](const Case& entry) {
    return entry.labels.at("shape").rfind("avg", 0) == 0 && number++ % 4 == 0;
  });
  number = 0;
  check_contract<Resize>("exclude_outside=true", "-exclude_outside", [&](const Case& entry) {
    return entry.labels.at("shape").rfind("cubic", 0) == 0 && number++ % 6 == 0;
  });
}

// Runs every path of README.md. Exit code 0: every faulty subject was caught, and no right one accused.
// custom_validator all of it; TAP goes to custom_validator.tap custom_validator posits every code of posit8, and what
// numbers on the standard input are encoded to custom_validator write|read <log> saves records until it is killed,
// telling each; tells which there are, and whether they are whole
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "assay/baselines/check_store.hpp"
#include "assay/core/detect_environment.hpp"
#include "assay/report/console.hpp"
#include "assay/suite/observer_group.hpp"
#include "assay/suite/runner.hpp"
#include "log_store.hpp"
#include "norm_rope_quantize_faults.hpp"
#include "posit8.hpp"
#include "swizzle_fault.hpp"
#include "tap_report.hpp"

namespace {

using namespace assay;
using custom::LogStore;
using custom::posit8;
using Op = custom::NormRopeQuantize;

int failures = 0;

void require(bool condition, const char* what) {
  if (condition) return;
  std::printf("  WRONG: %s\n", what);
  ++failures;
}

/// Validates every kernel of a corpus by its default suite.
void run_corpus(const FaultCorpus& corpus) {
  for (const CorpusKernel& kernel : corpus.kernels()) {
    const CorpusVerdict verdict = validate(kernel);
    std::printf("  %-12s %-28s %-13s after %3zu cases", verdict.faulty ? "faulty" : "right", verdict.kernel.c_str(),
                verdict.accused ? "accused" : "left in peace", verdict.validations);
    if (verdict.accused) std::printf(": %s", verdict.reason.c_str());
    if (!verdict.faulty) std::printf(", largest error / allowed %.2g", verdict.worst_error_ratio);
    std::printf("\n");
    require(verdict.as_it_should() && verdict.validations > 0,
            "a faulty kernel is to be accused, and a right one left in peace");
  }
}

/// Path 1. Beside the verdicts: how near right kernels come to E itself, where the outputs are not rounded.
void run_operation() {
  std::puts("1. a new operation: norm_rope_quantize");
  FaultCorpus corpus;
  for (OperationSubject<Op>& right : OperationFaults<Op>::correct())
    corpus.add(corpus_kernel<Op>(Host(1), std::move(right), std::nullopt));
  for (const Fault& fault : OperationFaults<Op>::faults())
    corpus.add(corpus_kernel<Op>(Host(1), OperationFaults<Op>::faulty(fault.name), fault));
  run_corpus(corpus);

  std::puts(
      "  error / E before outputs are rounded, of kernels whose functions are right to half a unit, and say so; the "
      "largest of 3 seeds:");
  Host host(1);
  double largest = 0;
  for (OperationSubject<Op>& right : OperationFaults<Op>::correct()) {
    right.arithmetic = [promised = right.arithmetic](const Op::Problem& problem) {
      Arithmetic arithmetic = promised(problem);
      arithmetic.function_errors = 1;
      return arithmetic;
    };
    double worst = 0;
    std::size_t decided = 0, undecided = 0;
    for (std::uint64_t seed = 1; seed <= 3; ++seed)
      for (const auto& [shape, fills, large] : Op::shapes(element_format<bfloat16>()))
        for (const FillKind fill : fills) {
          auto problem = shape;
          problem.codes = problem.scales = element_format<float64>();
          const Outcome outcome = check_operation<Op>(host, right, problem, fill, {}, {seed});
          require(outcome.verdict == Verdict::pass || outcome.verdict == Verdict::inconclusive, outcome.reason.c_str());
          ++(outcome.verdict == Verdict::pass ? decided : undecided);
          worst = std::max(worst, outcome.measurement(measurement::worst_error_ratio).value_or(0));
        }
    std::printf("  %-18s %.3f in %zu cases, %zu undecided\n", right.name.c_str(), worst, decided, undecided);
    require(decided > 0, "something is decided");
    largest = std::max(largest, worst);
  }
  require(largest <= 1 && largest >= 0.1, "no right kernel reaches E, and some come within a tenth of it");
}

/// Path 2.
void run_format() {
  std::puts("2. a new format: posit8");
  const auto products = [](const std::vector<posit8>& a, const std::vector<posit8>& b, auto round) {
    double sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k) sum = round(sum + decode(a[k]) * decode(b[k]));
    return sum;
  };
  const auto sum_in = [=](auto round, auto store) {
    return [=](const std::vector<posit8>& a, const std::vector<posit8>& b) { return store(products(a, b, round)); };
  };
  const auto single = [](double value) { return round_to<float32>(value); };
  const auto stored = [](double value) { return encode<posit8>(value); };
  const auto posits = [](const char* name, FaultClass kind, const char* effect) {
    return Fault{name, kind, effect, {"posit_sum"}};
  };
  FaultCorpus corpus;
  corpus.add(custom::posit_kernel("in_f32", {}, sum_in(single, stored)));
  corpus.add(custom::posit_kernel("in_f64", {}, sum_in([](double value) { return value; }, stored)));
  corpus.add(custom::posit_kernel("from_behind", {}, [=](auto a, auto b) {
    return stored(products({a.rbegin(), a.rend()}, {b.rbegin(), b.rend()}, single));
  }));
  corpus.add(
      custom::posit_kernel("truncated", posits("truncated", FaultClass::rounding, "cuts results off"),
                           sum_in(single, [](double value) { return encode<posit8>(value, Rounding::toward_zero); })));
  corpus.add(custom::posit_kernel("sum_in_posit8",
                                  posits("sum_in_posit8", FaultClass::precision, "rounds every sum to posit8"),
                                  sum_in([](double value) { return round_to<posit8>(value); }, stored)));
  corpus.add(custom::posit_kernel(
      "last_missing", posits("last_missing", FaultClass::missing_work, "leaves the last 12 products out"),
      [=](auto a, auto b) { return a.resize(a.size() - 12), stored(products(a, b, single)); }));
  run_corpus(corpus);
}

/// A log that creates what is there already.
struct CarelessStore : LogStore {
  explicit CarelessStore(LogStore store) : LogStore(std::move(store)) {}
  Result<bool> save(const std::string& key, std::string_view record, SaveMode) {
    return LogStore::save(key, record, SaveMode::replace);
  }
};

/// Path 3: stores are subjects as kernels are.
template <class S>
CorpusKernel store_subject(std::string name, std::optional<Fault> fault) {
  return corpus_subject("store", name, std::move(fault), [name] {
    const std::string path = name + ".log";
    Case entry;
    entry.id = "store/" + name;
    entry.run = [path](const CaseContext&) {
      static_cast<void>(std::remove(path.c_str()));
      Outcome outcome = check_store([&] { return S(LogStore::open(path, StoreAccess::create).value()); });
      static_cast<void>(std::remove(path.c_str()));
      return outcome;
    };
    return Suite{entry};
  });
}
void run_store() {
  std::puts("3. a new store: a log");
  FaultCorpus corpus;
  corpus.add(store_subject<LogStore>("log_store", {}));
  corpus.add(store_subject<CarelessStore>(
      "creates_twice", Fault{"creates_twice", FaultClass::state, "creates what is there", {"store"}}));
  run_corpus(corpus);
}

/// Path 4: a console and a TAP report of one run, whose kernel truncates.
void run_report() {
  std::puts("4. a new report: TAP");
  Suite suite;
  OperationSuiteOptions options;
  options.formats = {element_format<bfloat16>()};
  options.unusual_storage = false;
  add_operation_cases<Op>(suite, Host(1), OperationFaults<Op>::correct().front(), options);
  add_operation_cases<Op>(suite, Host(1), OperationFaults<Op>::faulty("amax_signed"), options);
  std::ofstream file("custom_validator.tap");
  custom::TapReport tap(file);
  ConsoleOptions brief;
  brief.verbosity = Verbosity::quiet;
  brief.finding_lines = 6;
  Console console(stdout, brief);
  ObserverGroup both(console, tap);
  RunOptions run_options;
  run_options.title = "norm_rope_quantize, right and with amax_signed";
  const Run run = run_suite(suite, run_options, detect_environment(), both);
  require(run.exit_code() == 1 && run.count(Verdict::fail) > 0 && run.count(Verdict::pass) >= suite.size() / 2,
          "half of the run fails");
  require(tap.complete().has_value(), "the report is written");
}

/// Path 5.
template <Operation Own>
void run_fault(const OperationSubject<Own>& right) {
  OperationSuiteOptions options;
  options.check.diagnosis.by = &custom::diagnose_swizzle;
  FaultCorpus corpus;
  corpus.add(corpus_kernel<Own>(Host(1), right, std::nullopt, options));
  corpus.add(corpus_kernel<Own>(Host(1), custom::with_swizzle_left_on<Own>(right), custom::swizzle_fault(), options));
  run_corpus(corpus);
  const auto tell = [](const CorpusKernel& kernel, std::uint64_t seeds) {
    const custom::Naming naming = custom::count_named(kernel, seeds);
    std::printf("  %-28s %zu of %zu failing cases named swizzle_left_on, %zu passed\n", kernel.name.c_str(),
                naming.named, naming.failed, naming.passed);
    return naming;
  };
  require(tell(corpus.kernels()[0], 3).failed == 0, "a right kernel is not accused");
  const custom::Naming own = tell(corpus.kernels()[1], 3);
  require(own.failed > 0 && own.named * 10 >= own.failed * 9, "nine of ten failing cases are named");
  custom::Naming others;
  for (const Fault& fault : common_operation_faults()) {
    const bool alike = fault.fault_class == FaultClass::addressing || fault.fault_class == FaultClass::state;
    const CorpusKernel other = corpus_kernel<Own>(Host(1), with_common_fault<Own>(right, fault.name), fault, options);
    if (!alike || other.launches > 2) continue;
    const custom::Naming naming = custom::count_named(other, 1);
    others.named += naming.named;
    others.failed += naming.failed;
  }
  std::printf("  %-28s %zu of %zu failing cases named swizzle_left_on\n", "other faults", others.named, others.failed);
  require(others.failed > 0 && others.named == 0, "another fault is not named so");
}

int tell_posits() {
  for (int code = 0; code < 256; ++code) std::printf("%d %a\n", code, decode(posit8{static_cast<std::uint8_t>(code)}));
  for (double value = 0; std::scanf("%la", &value) == 1;) {
    for (const Rounding rounding : {Rounding::nearest_even, Rounding::nearest_away, Rounding::toward_zero,
                                    Rounding::toward_positive, Rounding::toward_negative})
      std::printf("%d ", encode<posit8>(value, rounding).bits);
    std::printf("\n");
  }
  return 0;
}

std::string record_of(unsigned number) {
  return std::string(1000 + number % 7 * 10'000, static_cast<char>('a' + number % 26)) + std::to_string(number);
}

int write_records(const char* path) {
  auto store = LogStore::open(path, StoreAccess::create);
  if (!store) return std::fprintf(stderr, "%s\n", store.error().message.c_str()), 2;
  for (unsigned number = 0;; ++number) {
    const auto saved = store.value().save("r" + std::to_string(number), record_of(number), SaveMode::replace);
    if (!saved) return std::fprintf(stderr, "%s\n", saved.error().message.c_str()), 2;
    std::printf("r%u\n", number);
    std::fflush(stdout);
  }
}
int read_records(const char* path) {
  const auto store = LogStore::open(path, StoreAccess::existing);
  if (!store) return std::fprintf(stderr, "%s\n", store.error().message.c_str()), 2;
  const auto keys = store.value().list();
  for (const std::string& key : keys.value()) {
    const auto record = store.value().load(key);
    const bool whole = record && record.value() == record_of(static_cast<unsigned>(std::stoul(key.substr(1))));
    std::printf("%s %s\n", key.c_str(), whole ? "whole" : "TORN");
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string_view asked = count > 1 ? arguments[1] : "";
  if (asked == "posits") return tell_posits();
  if (count == 3 && asked == "write") return write_records(arguments[2]);
  if (count == 3 && asked == "read") return read_records(arguments[2]);
  run_operation();
  run_format();
  run_store();
  run_report();
  std::puts("5. a new fault: swizzle_left_on");
  run_fault<Op>(OperationFaults<Op>::correct().front());
  std::printf("%s\n", failures == 0 ? "every faulty subject was caught, and no right one accused"
                                    : "something is WRONG, see above");
  return failures == 0 ? 0 : 1;
}

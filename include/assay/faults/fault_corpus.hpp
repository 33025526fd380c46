#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/fault.hpp"
#include "assay/formats/element_format.hpp"
#include "assay/suite/case.hpp"
#include "assay/suite/seed.hpp"
#include "assay/tolerance/expected_element.hpp"

namespace assay::inline v0 {

/// One output of a kernel of the corpus, and what is right, row-major; all leading dimensions are rows.
struct LaunchOutput {
  std::string name;  ///< of the operand
  ElementFormat format;
  /// Of the output as a matrix.
  Index rows = 0, columns = 0;
  std::vector<double> computed;           ///< what the kernel stored, decoded
  std::vector<ExpectedElement> expected;  ///< empty where the operation judges outputs as a whole, as of samplers
};

/// What a kernel of the corpus made of one problem: all that a validator of one's own is told.
struct ObservedLaunch {
  std::string case_id;                        ///< of the case
  std::map<std::string, std::string> labels;  ///< of the case
  std::vector<std::string>
      memory_findings;  ///< writes that were not the kernel's to make, and elements that it did not write
  std::vector<LaunchOutput> outputs;
};

/// Says whether a launch is accused.
using LaunchValidator = std::function<bool(const ObservedLaunch&)>;

/// How kernels of a corpus are validated.
struct CorpusRun {
  std::uint64_t seed = 1;  ///< of the data
  /// Of each right kernel, and of each that is observed, so many cases at most, evenly chosen; of a faulty one all
  /// until one accuses it.
  std::size_t most_cases = ~std::size_t{0};
  /// Kernels that need more launches of each case than this are given that many launches of their smallest cases only:
  /// one case.
  unsigned most_launches = 100;

  /// Which of so many cases: the first, and from one to the next.
  [[nodiscard]] std::size_t step(std::size_t cases) const {
    return cases <= most_cases ? 1 : (cases + most_cases - 1) / most_cases;
  }
  /// The first case of a sample of `cases`: another one for another seed.
  [[nodiscard]] std::size_t first(std::size_t cases) const { return step(cases) > 1 ? seed % step(cases) : 0; }
};

/// A kernel with a named fault, or a right one: what validators are validated with.
struct CorpusKernel {
  std::string operation;       ///< as `Operation::name` gives it
  std::string name;            ///< of the fault, or of the way in which a right kernel computes
  std::optional<Fault> fault;  ///< none: a right kernel
  /// Why nobody can see this fault in the operation's outputs; empty where the default suite has to catch it.
  std::string invisible_because;
  std::vector<std::string> formats;  ///< storage formats that it is tried in
  /// How often each case has to run.
  unsigned launches = 1;
  /// The operation's default suite, of this kernel, with determinism required where a case runs more than once.
  std::function<Suite()> suite;
  /// The same cases, not judged but observed. `visit` gives false to go on, true to stop. Empty where a kernel cannot
  /// be observed.
  std::function<Result<void>(const CorpusRun& how, const LaunchValidator& visit)> observe;

  /// operation/name, with the formats between them where they are the kernel's only ones.
  [[nodiscard]] std::string id() const {
    return operation + "/" + (formats.size() == 1 ? formats.front() + "/" : "") + name;
  }
};

/// Anything that cases judge as an entry of a corpus, right without a fault: a store, or a kernel of what is no
/// `Operation`. `suite` gives the cases, each time it is asked; it cannot be observed. Kernels of operations:
/// `corpus_kernel`.
[[nodiscard]] CorpusKernel corpus_subject(std::string operation, std::string name, std::optional<Fault> fault,
                                          std::function<Suite()> suite);

/// What became of one kernel of the corpus in a validation.
struct CorpusVerdict {
  /// Of the corpus.
  std::string operation, kernel;
  /// What it is, and what the validation said.
  bool faulty = false, accused = false;
  std::string invisible_because;  ///< of the corpus
  std::string first_case;         ///< that accused it
  std::string data;               ///< the pattern of that case
  std::string reason;             ///< of the first failing case; empty if none failed
  /// How many cases ran, and how many of them decided nothing.
  std::size_t validations = 0, inconclusive = 0;
  double worst_error_ratio = 0;  ///< over all cases of a right kernel

  /// A right kernel was left in peace, a faulty one accused unless that is proved to be impossible.
  [[nodiscard]] bool as_it_should() const { return accused == (faulty && invisible_because.empty()); }
};

/// Kernels with named faults and right ones, of any operations. Add your own by `add`.
class FaultCorpus {
 public:
  void add(CorpusKernel kernel) { kernels_.push_back(std::move(kernel)); }
  /// All kernels, in the order in which they were added.
  [[nodiscard]] const std::vector<CorpusKernel>& kernels() const { return kernels_; }

  /// Those for which `wanted` is true.
  template <class Condition>
  [[nodiscard]] FaultCorpus where(Condition wanted) const {
    FaultCorpus chosen;
    for (const CorpusKernel& kernel : kernels_)
      if (wanted(kernel)) chosen.add(kernel);
    return chosen;
  }

 private:
  std::vector<CorpusKernel> kernels_;
};

namespace detail {
/// Those of a kernel's suite that are run: no large ones, and the first alone where each needs very many launches.
[[nodiscard]] Suite corpus_cases(const CorpusKernel& kernel, const CorpusRun& how);
[[nodiscard]] inline std::string data_of(const Case& entry) {
  const auto data = entry.labels.find("data");
  return data == entry.labels.end() ? "" : data->second;
}
}  // namespace detail

/// Validates one kernel by its default suite: until a case fails, or, for a right kernel, to the end.
[[nodiscard]] CorpusVerdict validate(const CorpusKernel& kernel, const CorpusRun& how = {});

/// The same by a validator of the user's own, on the same launches. `ErrorKind::unsupported` where a kernel cannot be
/// observed.
[[nodiscard]] Result<CorpusVerdict> validate(const CorpusKernel& kernel, const LaunchValidator& accuses,
                                             const CorpusRun& how = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/faults/fault_corpus.ipp"
#endif

#pragma once

// Path 5 of README.md: a fault of one's own, of kernels of any operation, and the rule that names it.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/faults/operation_kernels.hpp"
#include "assay/validators/failures/diagnosed_case.hpp"
#include "assay/validators/failures/diagnosis_options.hpp"

namespace custom {

using namespace assay;

/// Tiles lie in shared memory with the chunks of row r in the order of their number XOR (r mod 8), so that threads that
/// read a column meet no bank conflict. Whoever copies such a tile out without the way back writes it so.
[[nodiscard]] inline Fault swizzle_fault() {
  return {"swizzle_left_on",
          FaultClass::addressing,
          "writes rows in the swizzled order in which shared memory holds them",
          {}};
}

/// The column whose result stands in `column`. Chunks that are not whole, or whose partner is not, stay.
[[nodiscard]] inline Index swizzled(Index row, Index column, Index columns, Index chunk) {
  const Index own = column / chunk, other = own ^ (row % 8), whole = columns / chunk;
  return own < whole && other < whole ? other * chunk + column % chunk : column;
}

/// A right kernel with this fault, in chunks of 16 bytes of its first output.
template <Operation Op>
[[nodiscard]] OperationSubject<Op> with_swizzle_left_on(OperationSubject<Op> right) {
  return with_output_fault<Op>(std::move(right), swizzle_fault().name, [](const OutputLaunch& launch) {
    const Index columns = launch.columns(), chunk = 16 / launch.output().format.bytes;
    launch.permute([&](Index e) { return e / columns * columns + swizzled(e / columns, e % columns, columns, chunk); });
  });
}

/// Names it where every element of an output is right as the result of the column that the swizzle would have put
/// there, for chunks of some power of two bytes, and at least 8 of them are wrong as they stand. "Certain" only where
/// the columns are too unlike for that to be chance.
[[nodiscard]] inline std::optional<Diagnosis> find_swizzle(const FailingOutput& output) {
  const auto columns = static_cast<Index>(output.columns()), size = static_cast<Index>(output.size());
  for (Index chunk = columns; output.violations >= 8 && chunk > 0; --chunk) {
    if ((chunk & (chunk - 1)) != 0) continue;
    std::size_t moved = 0;
    bool explained = true;
    for (Index e = 0; e < size && explained; ++e) {
      const Index source = e / columns * columns + swizzled(e / columns, e % columns, columns, chunk);
      const auto place = static_cast<std::size_t>(e);
      explained = output.accepted(static_cast<std::size_t>(source)).contains(output.actual[place]);
      moved += source != e ? 1 : 0;
    }
    if (!explained || moved == 0) continue;
    const bool unlike = 2 * output.violations >= moved;
    return Diagnosis{FaultClass::addressing,
                     swizzle_fault().name,
                     unlike ? Confidence::certain : Confidence::likely,
                     {"in row r every chunk of " + std::to_string(chunk) + " elements (" +
                          std::to_string(chunk * static_cast<Index>(output.format.bytes)) +
                          " bytes) holds the results of the chunk of its number XOR r mod 8",
                      "so all " + std::to_string(size) + " elements are right, as they stand " +
                          std::to_string(output.violations) + " are wrong"},
                     {}};
  }
  return std::nullopt;
}

/// For `DiagnosisOptions::by`. Whoever wants Assay's own diagnoses, too, appends those of `assay::diagnose(given,
/// options)`.
[[nodiscard]] inline std::vector<Diagnosis> diagnose_swizzle(const DiagnosedCase& given, const DiagnosisOptions&) {
  std::vector<Diagnosis> found;
  for (const FailingOutput& output : given.outputs)
    if (auto one = find_swizzle(output)) found.push_back(*std::move(one));
  return found;
}

/// How many failing cases of a kernel the rule names, of how many.
struct Naming {
  std::size_t named = 0, failed = 0, passed = 0;
};

/// Runs the default suite of a kernel of the corpus on several seeds. The kernel's suite must have `diagnose_swizzle`
/// for its diagnosis.
[[nodiscard]] inline Naming count_named(const CorpusKernel& kernel, std::uint64_t seeds) {
  Naming naming;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed)
    for (const Case& entry : kernel.suite()) {
      const Outcome outcome = entry.run({case_seed(seed, entry.id), kernel.launches});
      if (outcome.verdict != Verdict::fail) {
        ++naming.passed;
        continue;
      }
      ++naming.failed;
      naming.named +=
          !outcome.diagnosis.empty() && outcome.diagnosis.front().find(swizzle_fault().name) != std::string::npos ? 1
                                                                                                                  : 0;
    }
  return naming;
}

}  // namespace custom

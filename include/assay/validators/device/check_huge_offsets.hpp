#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/index.hpp"
#include "assay/validators/device/detail/device_check.hpp"
#include "assay/validators/device/detail/strided_rows.hpp"

namespace assay::inline v0 {

/// A kernel that takes a matrix whose rows lie apart: it reads `rows` × `columns` elements, `leading_dimension`
/// elements from row to row, and writes as many in the same places of another. What it writes depends on what it reads
/// only, not on where.
template <Backend B>
struct StridedKernel {
  std::string name;               ///< for the outcome's id
  std::size_t element_bytes = 1;  ///< of one element of the matrix
  std::function<Result<void>(B& backend, typename B::Stream& stream, const void* in, void* out, Index rows,
                             Index columns,
                             Index leading_dimension)>
      launch;  ///< submits the kernel
};

/// How far apart rows are put.
struct HugeOffsetOptions {
  /// Elements beyond which addresses go: what an int and an unsigned can count.
  std::vector<Index> limits{Index{1} << 31, Index{1} << 32};
  std::uint64_t seed = 0;  ///< of the content
};

namespace detail {

/// 67 rows of 128 elements: the one but three straddles the limit, the last two lie behind it. The limit is a multiple
/// of 64.
struct HugeMatrix {
  static constexpr Index rows = 67, columns = 128;
  Index limit = 0;
  [[nodiscard]] Index leading_dimension() const { return (limit - columns / 2) / (rows - 3); }
  [[nodiscard]] std::size_t elements() const {
    return static_cast<std::size_t>((rows - 1) * leading_dimension() + columns);
  }
};

}  // namespace detail

/// Whether a kernel addresses elements beyond 2³¹ and 2³² rightly: the same rows must give the same bytes packed and
/// far apart. Touches the rows alone, so that a system that gives memory when it is used takes some megabytes; devices
/// must have all of it, 2.2 and 4.5 · 10⁹ elements twice. With elements of one byte that is the least there is.
///
/// `skipped`, with what is missing, where there is too little memory for any limit; a pass tells which limits were
/// tried. Label "fault": `index_overflow`. A kernel that writes elsewhere may end the process: run it isolated. Misuse:
/// no `launch`; a limit that is not a positive multiple of 64.
template <ParallelBackend B>
[[nodiscard]] Outcome check_huge_offsets(B& backend, const StridedKernel<B>& kernel,
                                         const HugeOffsetOptions& options = {}) {
  using detail::HugeMatrix;
  expect(static_cast<bool>(kernel.launch) && kernel.element_bytes > 0,
         [&] { return "the kernel '" + kernel.name + "' has no function launch, or elements of no bytes"; });
  Outcome outcome = detail::begun_outcome("huge_offsets", backend.name(), kernel.name);
  const detail::Stopwatch watch;
  auto stream = backend.make_stream();
  if (!stream) return detail::refuse(outcome, stream.error());
  const std::size_t row_bytes = HugeMatrix::columns * kernel.element_bytes, packed_bytes = HugeMatrix::rows * row_bytes;
  auto content = backend.template allocate<unsigned char>(packed_bytes),
       expected = backend.template allocate<unsigned char>(packed_bytes),
       found = backend.template allocate<unsigned char>(packed_bytes);
  for (const auto* buffer : {&content, &expected, &found})
    if (!*buffer) return detail::refuse(outcome, buffer->error());
  const auto run = [&](const void* in, void* out, Index leading_dimension) {
    return detail::launch_alone(backend, stream.value(), kernel.name, [&] {
      return kernel.launch(backend, stream.value(), in, out, HugeMatrix::rows, HugeMatrix::columns, leading_dimension);
    });
  };
  Result<void> done =
      backend.parallel_for(stream.value(), packed_bytes, detail::MixedBytes{content.value().data(), options.seed});
  if (done)
    detail::assign(done, detail::fill_bytes(backend, stream.value(), expected.value().data(), packed_bytes, 0xFF));
  if (done) detail::assign(done, run(content.value().data(), expected.value().data(), HugeMatrix::columns));
  if (!done) return detail::refuse(outcome, done.error());

  std::string tried, missing;
  Table table{"rows that differ", {"limit", "row", "first offset", "differing elements"}, {}};
  for (const Index limit : options.limits) {
    expect(limit > 0 && limit % 64 == 0, [&] {
      return "a limit of a check of huge offsets is " + std::to_string(limit) + "; give a positive multiple of 64";
    });
    const HugeMatrix matrix{limit};
    const std::size_t apart = static_cast<std::size_t>(matrix.leading_dimension()) * kernel.element_bytes;
    auto in = backend.template allocate<unsigned char>(matrix.elements() * kernel.element_bytes);
    auto out = in ? backend.template allocate<unsigned char>(matrix.elements() * kernel.element_bytes)
                  : Result<typename B::template Buffer<unsigned char>>(in.propagate());
    if (!out && out.error().kind == ErrorKind::out_of_memory) {
      missing += (missing.empty() ? "" : "; ") + std::to_string(limit) + ": " + out.error().message;
      continue;
    }
    if (!out) return detail::refuse(outcome, out.error());
    const auto move = [&](unsigned char* to, std::size_t to_apart, const unsigned char* from, std::size_t from_apart) {
      return backend.parallel_for(stream.value(), packed_bytes,
                                  detail::StridedRows{to, from, row_bytes, to_apart, from_apart, 0xFF});
    };
    detail::assign(done, move(in.value().data(), apart, content.value().data(), row_bytes));
    if (done) detail::assign(done, move(out.value().data(), apart, nullptr, 0));
    if (done) detail::assign(done, run(in.value().data(), out.value().data(), matrix.leading_dimension()));
    if (done) detail::assign(done, move(found.value().data(), row_bytes, out.value().data(), apart));
    if (!done) return detail::refuse(outcome, done.error());
    tried += (tried.empty() ? "" : ", ") + std::to_string(limit);
    for (Index row = 0; row < HugeMatrix::rows; ++row) {
      const std::size_t at = static_cast<std::size_t>(row) * row_bytes;
      auto compared =
          detail::compare_elements(backend, stream.value(),
                                   detail::CompareElements{found.value().data() + at, expected.value().data() + at,
                                                           HugeMatrix::columns, kernel.element_bytes, 0, 0, 0});
      if (!compared) return detail::refuse(outcome, compared.error());
      if (compared.value().count == 0) continue;
      const Index offset = row * matrix.leading_dimension() + static_cast<Index>(compared.value().first);
      table.rows.push_back(
          {std::to_string(limit), std::to_string(row), std::to_string(offset), std::to_string(compared.value().count)});
      if (outcome.label("fault").empty())
        detail::fail(outcome, "index_overflow",
                     "element " + std::to_string(offset) + " (row " + std::to_string(row) + " of " +
                         std::to_string(HugeMatrix::rows) + ", leading dimension " +
                         std::to_string(matrix.leading_dimension()) + ") is not what the same row gives packed" +
                         (offset >= limit ? "; it lies behind " + std::to_string(limit) : ""));
    }
  }
  if (!table.rows.empty()) outcome.tables.push_back(std::move(table));
  outcome.duration_seconds = watch.seconds();
  if (!outcome.label("fault").empty()) return outcome;
  outcome.verdict = tried.empty() ? Verdict::skipped : Verdict::pass;
  outcome.reason = tried.empty() ? "no limit could be tried: " + missing
                                 : "the same rows give the same bytes beyond " + tried + " elements" +
                                       (missing.empty() ? "" : "; not tried for want of memory: " + missing);
  if (options.limits.empty()) outcome.verdict = Verdict::inconclusive, outcome.reason = "no limit was given";
  return outcome;
}

}  // namespace assay::inline v0

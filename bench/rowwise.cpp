// The speed of full validations of operations that work row by row, beside a bare parallel read of their inputs and
// outputs.
//
//   bench_rowwise [--elements N] [--columns N] [--threads N] [--repetitions N] [--operation NAME]
//
// Prints Markdown: medians of interleaved runs. A validation is reference, bound and comparison of every element. Exit
// code: 2 for wrong arguments, 1 for errors.

#include <cstdio>
#include <vector>

#include "assay/kernels/normalization/normalization.hpp"
#include "assay/kernels/softmax/softmax.hpp"
#include "row_bench.hpp"

namespace {

using namespace assay;

template <class T>
bool measure_all(const RowOptions& options, Host& host) {
  RowBench<T> bench(options, host);
  std::vector<T> input = bench.array(), output = bench.array();
  bench.draw(input, 0);
  Host::Stream stream;
  /// `operands` but for input and output, which are this bench's.
  const auto measure = [&]<Operation Op>(Op, const char* name, const typename Op::Problem& problem,
                                         OperandArray operands) {
    if (!options.operation.empty() && options.operation != name) return true;
    operands[Op::input] = bench.rows_of(input);
    operands[Op::output] = bench.rows_of(output);
    const auto medians = bench.measure(
        [&] { return Op::reference(host, stream, problem, operands, RoundingModel::statistical, Arithmetic{}); },
        output, {&input, &output});
    if (!medians) return false;
    std::printf("| %s | %s | %.1f | %.1f | %.1f | %.2f | %llu |\n", name, FormatTraits<T>::name(), medians->read * 1e3,
                medians->reference * 1e3, medians->validation * 1e3, medians->ratio, medians->violations);
    std::fflush(stdout);
    return true;
  };
  SoftmaxProblem softmax;
  softmax.outer = options.elements / options.columns;
  softmax.length = options.columns;
  softmax.input = softmax.output = element_format<T>();
  SoftmaxProblem logarithm = softmax;
  logarithm.logarithm = true;
  NormalizationProblem layer;
  layer.outer = softmax.outer;
  layer.channels = options.columns;
  layer.input = layer.output = element_format<T>();
  NormalizationProblem rms = layer;
  rms.kind = NormalizationKind::rms;
  rms.beta = false;
  std::vector<float> parameters(static_cast<std::size_t>(options.columns), 1.25F);
  OperandArray affine;
  affine[Normalization::gamma] = affine[Normalization::beta] = contiguous_operand(parameters.data(), {options.columns});
  const bool done = measure(Softmax{}, "softmax", softmax, {}) && measure(Softmax{}, "log-softmax", logarithm, {}) &&
                    measure(Normalization{}, "layernorm", layer, affine) &&
                    measure(Normalization{}, "rmsnorm", rms, affine);
  std::fprintf(stderr, "(%llx)\n", bench.sink());
  return done;
}

}  // namespace

int main(int argument_count, char** arguments) {
  const auto options = row_options(argument_count, arguments);
  if (!options) return 2;
  std::printf(
      "| operation | format | read ms | reference ms | validation ms | ratio | violations "
      "|\n|---|---|---|---|---|---|---|\n");
  Host host(options->threads);
  return measure_all<float32>(*options, host) && measure_all<bfloat16>(*options, host) ? 0 : 1;
}

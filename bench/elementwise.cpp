// The speed of full validations of elementwise functions, beside a bare parallel read of their inputs and outputs.
//
//   bench_elementwise [--elements N] [--columns N] [--threads N] [--repetitions N] [--operation NAME]
//
// Prints Markdown: medians of interleaved runs. A validation is reference, bound and comparison of every element. Exit
// code: 2 for wrong arguments, 1 for errors.

#include <cstdio>
#include <string>
#include <vector>

#include "assay/kernels/elementwise/elementwise.hpp"
#include "row_bench.hpp"

namespace {

using namespace assay;

template <class T>
bool measure_all(const RowOptions& options, Host& host) {
  RowBench<T> bench(options, host);
  std::vector<T> x = bench.array(), y = bench.array(), output = bench.array();
  bench.draw(x, 0);
  bench.draw(y, 1);
  Host::Stream stream;
  for (const ElementwiseFunction function :
       {ElementwiseFunction::relu, ElementwiseFunction::add, ElementwiseFunction::silu, ElementwiseFunction::gelu_tanh,
        ElementwiseFunction::sigmoid}) {
    const std::string name(name_of(function));
    if (!options.operation.empty() && options.operation != name) continue;
    ElementwiseProblem problem;
    problem.function = function;
    problem.rank = 2;
    problem.extents[0] = options.elements / options.columns;
    problem.extents[1] = options.columns;
    problem.input = problem.second = problem.output = element_format<T>();
    OperandArray operands;
    operands[Elementwise::x] = bench.rows_of(x);
    operands[Elementwise::y] = bench.rows_of(y);
    operands[Elementwise::output] = bench.rows_of(output);
    std::vector<const std::vector<T>*> read{&x, &output};
    if (operands_of(function) > 1) read.push_back(&y);
    const auto medians = bench.measure(
        [&] {
          return Elementwise::reference(host, stream, problem, operands, RoundingModel::worst_case, Arithmetic{});
        },
        output, read);
    if (!medians) return false;
    std::printf("| %s | %s | %.1f | %.1f | %.2f | %llu |\n", name.c_str(), FormatTraits<T>::name(), medians->read * 1e3,
                medians->validation * 1e3, medians->ratio, medians->violations);
    std::fflush(stdout);
  }
  std::fprintf(stderr, "(%llx)\n", bench.sink());
  return true;
}

}  // namespace

int main(int argument_count, char** arguments) {
  const auto options = row_options(argument_count, arguments);
  if (!options) return 2;
  std::printf("| function | format | read ms | validation ms | ratio | violations |\n|---|---|---|---|---|---|\n");
  Host host(options->threads);
  return measure_all<float32>(*options, host) && measure_all<bfloat16>(*options, host) ? 0 : 1;
}

// components: onednn
// What it costs to check a convolution in full, as a multiple of the time of the kernel under test (oneDNN, float32, in the
// layouts that it chooses) on the same cores (OMP_NUM_THREADS sets oneDNN's, the first argument Assay's): the reference with its bounds, and the comparison of every element.
// The second argument tells how many rounds, the third a part of the names of the layers to measure.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "assay/adapters/onednn/convolution.hpp"
#include "assay/compare/compare_operand.hpp"
#include "assay/tensor/fill_operand.hpp"
#include "assay/tensor/operand_tensor.hpp"
#include "assay/tensor/operand_values.hpp"
#include "give_up.hpp"
#include "timing.hpp"

namespace {

using namespace assay;

/// oneDNN's convolution in the layouts of its choice, with the operands already reordered to them.
class ChosenLayouts {
 public:
  explicit ChosenLayouts(const ConvolutionProblem& problem) {
    using Memory = dnnl::memory;
    const Memory::data_type single = Memory::data_type::f32;
    const Memory::format_tag any = Memory::format_tag::any;
    const ConvolutionAxis &rows = problem.axes[0], &columns = problem.axes[1];
    const bool depthwise = problem.groups > 1;
    const Memory::dims filter =
        depthwise ? Memory::dims{problem.groups, problem.output_channels / problem.groups,
                                 problem.input_channels / problem.groups, rows.kernel, columns.kernel}
                  : Memory::dims{problem.output_channels, problem.input_channels, rows.kernel, columns.kernel};
    const Memory::desc input({problem.batch, problem.input_channels, rows.input, columns.input}, single, any),
        weights(filter, single, any),
        output({problem.batch, problem.output_channels, rows.output(false), columns.output(false)}, single, any);
    const Memory::dims strides{rows.stride, columns.stride}, dilations{0, 0},
        front{rows.padding_before, columns.padding_before}, back{rows.padding_after, columns.padding_after};
    const auto kind = dnnl::prop_kind::forward_training;
    const auto direct = dnnl::algorithm::convolution_direct;
#if DNNL_VERSION_MAJOR >= 3
    const dnnl::convolution_forward::primitive_desc forward(engine_, kind, direct, input, weights, output, strides,
                                                            dilations, front, back);
    const dnnl::convolution_backward_data::primitive_desc data(engine_, direct, input, weights, output, strides,
                                                               dilations, front, back, forward);
    const dnnl::convolution_backward_weights::primitive_desc gradient(engine_, direct, input, weights, output, strides,
                                                                      dilations, front, back, forward);
#else
    const dnnl::convolution_forward::primitive_desc forward(
        {kind, direct, input, weights, output, strides, dilations, front, back}, engine_);
    const dnnl::convolution_backward_data::primitive_desc data(
        {direct, input, weights, output, strides, dilations, front, back}, engine_, forward);
    const dnnl::convolution_backward_weights::primitive_desc gradient(
        {direct, input, weights, output, strides, dilations, front, back}, engine_, forward);
#endif
    const auto add = [&](int argument, const Memory::desc& descriptor) {
      Memory memory(descriptor, engine_);
      std::fill_n(static_cast<float*>(memory.get_data_handle()), descriptor.get_size() / sizeof(float), 0.5F);
      arguments_.emplace(argument, std::move(memory));
    };
    switch (problem.pass) {
      case ConvolutionPass::forward:
        add(DNNL_ARG_SRC, forward.src_desc());
        add(DNNL_ARG_WEIGHTS, forward.weights_desc());
        add(DNNL_ARG_DST, forward.dst_desc());
        primitive_ = dnnl::convolution_forward(forward);
        break;
      case ConvolutionPass::backward_data:
        add(DNNL_ARG_DIFF_SRC, data.diff_src_desc());
        add(DNNL_ARG_WEIGHTS, data.weights_desc());
        add(DNNL_ARG_DIFF_DST, data.diff_dst_desc());
        primitive_ = dnnl::convolution_backward_data(data);
        break;
      case ConvolutionPass::backward_weights:
        add(DNNL_ARG_SRC, gradient.src_desc());
        add(DNNL_ARG_DIFF_WEIGHTS, gradient.diff_weights_desc());
        add(DNNL_ARG_DIFF_DST, gradient.diff_dst_desc());
        primitive_ = dnnl::convolution_backward_weights(gradient);
        break;
    }
  }
  void run() {
    primitive_.execute(stream_, arguments_);
    stream_.wait();
  }

 private:
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  std::unordered_map<int, dnnl::memory> arguments_;
  dnnl::primitive primitive_;
};

void measure(const char* name, const ConvolutionProblem& problem, unsigned threads, int rounds) {
  Host host(threads);
  auto stream = value_of(host.make_stream());
  const auto specs = value_of(Convolution::operands(problem));
  const OperationData data = Convolution::data(problem, FillKind::normal, Arithmetic{}, 7);
  std::vector<OperandTensor<Host>> tensors;
  OperandArray operands;
  operands.count = static_cast<int>(specs.size());
  for (std::size_t i = 0; i < specs.size(); ++i) {
    tensors.push_back(value_of(OperandTensor<Host>::create(
        host, stream, specs[i].format, specs[i].present ? specs[i].extents : std::vector<Index>{0})));
    if (!specs[i].present) continue;
    operands[static_cast<int>(i)] = tensors.back().view();
    const OperandFill& fill = data.operands[i];
    if (auto filled = fill_operand(
            host, stream, operands[static_cast<int>(i)],
            OperandValues{fill.pattern, fill.inner, fill.scale, fill.offset, fill.lowest, fill.highest, nullptr});
        !filled)
      give_up(filled.error().message);
  }
  OneDnn library(threads);
  auto library_stream = value_of(library.make_stream());
  if (auto done = kernel<OneDnn, Convolution>::run(library, library_stream, problem, operands); !done)
    give_up(done.error().message);
  const Operand& result = operands[ConvolutionOperands::result(problem)];

  ChosenLayouts chosen(problem);
  chosen.run();
  std::vector<double> kernels, references, comparisons;
  for (int round = 0; round < rounds; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    kernels.push_back(seconds_of([&] { chosen.run(); }));
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::vector<OperationReference<ConvolutionExpected>> made;
    references.push_back(seconds_of([&] {
      made.push_back(value_of(Convolution::reference(host, stream, problem, operands, data.model, Arithmetic{})));
    }));
    comparisons.push_back(seconds_of([&] {
      const Comparison found =
          value_of(compare_operand(host, stream, result, made.front().expected, ChosenTolerance{}));
      if (found.violations != 0) give_up("the kernel was refuted");
    }));
  }
  const double unit = median(kernels);
  const double products = static_cast<double>(ConvolutionGeometry::of(problem).results()) *
                          static_cast<double>(ConvolutionGeometry::of(problem).terms());
  std::printf("| %s | %s | %.2f ms | %.0f | %.2f | %.2f | %.2f |\n", name, Convolution::operation_of(problem).c_str(),
              1e3 * unit, 2e-9 * products / unit, median(references) / unit, median(comparisons) / unit,
              (median(references) + median(comparisons)) / unit);
  std::fflush(stdout);
}

ConvolutionProblem layer(Index batch, Index from, Index to, Index extent, Index kernel, Index stride, Index padding,
                         Index groups = 1) {
  ConvolutionProblem problem;
  problem.batch = batch;
  problem.input_channels = from;
  problem.output_channels = to;
  problem.groups = groups;
  for (int d = 0; d < 2; ++d) problem.axes[d] = {extent, kernel, stride, 1, padding, padding, 0};
  return problem;
}

}  // namespace

int main(int count, char** arguments) {
  const unsigned threads =
      count > 1 ? static_cast<unsigned>(std::atoi(arguments[1])) : std::thread::hardware_concurrency();
  const int rounds = count > 2 ? std::atoi(arguments[2]) : 7;
  std::printf(
      "%u threads, medians of %d rounds, oneDNN %s; unit: the time of oneDNN's direct convolution in float32, in the "
      "layouts of its "
      "choice, on the same cores\n\n",
      threads, rounds, OneDnn::version().c_str());
  std::printf(
      "| layer | operation | oneDNN | GFLOP/s | reference and bounds | comparison | both: the check "
      "|\n|---|---|---|---|---|---|---|\n");
  const std::pair<const char*, ConvolutionProblem> layers[] = {
      {"ResNet-50 56x56, 64 to 64, 3x3, batch 1", layer(1, 64, 64, 56, 3, 1, 1)},
      {"ResNet-50 56x56, 64 to 64, 3x3, batch 8", layer(8, 64, 64, 56, 3, 1, 1)},
      {"ResNet-50 56x56, 64 to 256, 1x1, batch 4", layer(4, 64, 256, 56, 1, 1, 0)},
      {"ResNet-50 28x28, 128 to 128, 3x3, batch 4", layer(4, 128, 128, 28, 3, 1, 1)},
      {"ResNet-50 7x7, 512 to 512, 3x3, batch 4", layer(4, 512, 512, 7, 3, 1, 1)},
      {"ResNet-50 stem, 7x7 stride 2, batch 2", layer(2, 3, 64, 224, 7, 2, 3)},
      {"EfficientNet 28x28, 240 depthwise, 5x5, batch 4", layer(4, 240, 240, 28, 5, 1, 2, 240)}};
  const std::string part = count > 3 ? arguments[3] : "";
  const auto measure_chosen = [&](const char* name, const ConvolutionProblem& problem) {
    const std::string layer_of = std::string(name) + " " + Convolution::operation_of(problem);
    if (layer_of.find(part) != std::string::npos) measure(name, problem, threads, rounds);
  };
  for (const auto& [name, problem] : layers) measure_chosen(name, problem);
  for (const ConvolutionPass pass : {ConvolutionPass::backward_data, ConvolutionPass::backward_weights}) {
    ConvolutionProblem problem = layer(4, 64, 64, 56, 3, 1, 1);
    problem.pass = pass;
    measure_chosen("ResNet-50 56x56, 64 to 64, 3x3, batch 4", problem);
  }
  return 0;
}

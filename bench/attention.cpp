// components: onednn
// What it costs to check an attention in full, as a multiple of the time of one composed of oneDNN matmuls (scores, an exponential pass, weights times values; f32) on the same data and
// cores: the reference with its bounds, the comparison of every element of output and log-sum-exp, and the whole case with fills and memory checks.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "assay/adapters/onednn/onednn.hpp"
#include "assay/backends/host.hpp"
#include "assay/kernels/attention/attention.hpp"
#include "assay/validators/check_operation.hpp"
#include "give_up.hpp"
#include "timing.hpp"

namespace {

using namespace assay;

/// Tasks 0 to count − 1 on `threads` threads.
void in_parallel(unsigned threads, Index count, const std::function<void(Index)>& work) {
  std::vector<std::thread> pool;
  for (unsigned t = 0; t < threads; ++t)
    pool.emplace_back([&, t] {
      for (Index i = static_cast<Index>(t); i < count; i += static_cast<Index>(threads)) work(i);
    });
  for (std::thread& thread : pool) thread.join();
}

/// Causal attention of equal lengths, head by head: the score matrix of one head is stored.
class ComposedAttention {
 public:
  ComposedAttention(Index heads, Index length, Index depth, unsigned threads)
      : heads_(heads),
        length_(length),
        depth_(depth),
        threads_(threads),
        engine_(dnnl::engine::kind::cpu, 0),
        stream_(engine_),
        scores_(static_cast<std::size_t>(length * length)) {
    using Dims = dnnl::memory::dims;
    constexpr auto f32 = dnnl::memory::data_type::f32;
    rows_ = {Dims{length, depth}, f32, Dims{depth, 1}};
    columns_ = {Dims{depth, length}, f32, Dims{1, depth}};
    square_ = {Dims{length, length}, f32, Dims{length, 1}};
    first_ = product(rows_, columns_, square_);
    second_ = product(square_, rows_, rows_);
  }

  void run(float* q, float* k, float* v, float* output, float* log_sum_exp) {
    const float scale = 1 / std::sqrt(static_cast<float>(depth_));
    for (Index h = 0; h < heads_; ++h) {
      const Index place = h * length_ * depth_;
      multiply(first_, {rows_, engine_, q + place}, {columns_, engine_, k + place}, {square_, engine_, scores_.data()});
      in_parallel(threads_, length_,
                  [&](Index i) { soften(scores_.data() + i * length_, i + 1, scale, log_sum_exp[h * length_ + i]); });
      multiply(second_, {square_, engine_, scores_.data()}, {rows_, engine_, v + place},
               {rows_, engine_, output + place});
    }
  }

 private:
  dnnl::matmul product(const dnnl::memory::desc& a, const dnnl::memory::desc& b, const dnnl::memory::desc& c) {
#if DNNL_VERSION_MAJOR >= 3
    return dnnl::matmul(dnnl::matmul::primitive_desc(engine_, a, b, c));
#else
    return dnnl::matmul(dnnl::matmul::primitive_desc(dnnl::matmul::desc(a, b, c), engine_));
#endif
  }
  void multiply(dnnl::matmul& matmul, const dnnl::memory& a, const dnnl::memory& b, const dnnl::memory& c) {
    matmul.execute(stream_, {{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, c}});
    stream_.wait();
  }
  void soften(float* scores, Index seen, float scale, float& log_sum_exp) const {
    float maximum = scores[0], sum = 0;
    for (Index j = 1; j < seen; ++j) maximum = std::max(maximum, scores[j]);
    for (Index j = 0; j < seen; ++j) sum += scores[j] = std::exp(scale * (scores[j] - maximum));
    for (Index j = 0; j < seen; ++j) scores[j] /= sum;
    for (Index j = seen; j < length_; ++j) scores[j] = 0;
    log_sum_exp = scale * maximum + std::log(sum);
  }

  Index heads_, length_, depth_;
  unsigned threads_;
  dnnl::engine engine_;
  dnnl::stream stream_;
  std::vector<float> scores_;
  dnnl::memory::desc rows_, columns_, square_;
  dnnl::matmul first_, second_;
};

void measure(Index heads, Index length, Index depth, const ElementFormat& format, unsigned threads, int rounds) {
  Host host(threads);
  AttentionProblem problem;
  problem.heads = problem.key_heads = heads;
  problem.queries = problem.keys = length;
  problem.depth = problem.value_depth = depth;
  problem.causal = true;
  problem.query = problem.key_value = problem.output = problem.weights = format;

  ComposedAttention composed(heads, length, depth, threads);
  const auto elements = static_cast<std::size_t>(heads * length * depth),
             rows = static_cast<std::size_t>(heads * length);
  std::vector<float> q(elements), k(elements), v(elements), output(elements), sums(rows);
  bool computed = false;
  OperationSubject<Attention> subject;
  subject.name = "composed";
  subject.run = [&](const AttentionProblem&, const OperandArray& operands) -> Result<void> {
    if (!computed) {
      for (std::size_t e = 0; e < elements; ++e) {
        q[e] = static_cast<float>(operands[AttentionOperand::query].load(static_cast<Index>(e)));
        k[e] = static_cast<float>(operands[AttentionOperand::key].load(static_cast<Index>(e)));
        v[e] = static_cast<float>(operands[AttentionOperand::value].load(static_cast<Index>(e)));
      }
      composed.run(q.data(), k.data(), v.data(), output.data(), sums.data());
      computed = true;
    }
    for (std::size_t e = 0; e < elements; ++e)
      operands[AttentionOperand::output].store(static_cast<Index>(e), static_cast<double>(output[e]));
    for (std::size_t r = 0; r < rows; ++r)
      operands[AttentionOperand::log_sum_exp].store(static_cast<Index>(r), static_cast<double>(sums[r]));
    return {};
  };

  std::vector<double> kernel, reference, comparison, whole;
  for (int round = 0; round < rounds; ++round) {
    CaseContext context;
    context.seed = 7;
    double of_kernel = 0;
    whole.push_back(seconds_of([&] {
                      const Outcome outcome =
                          check_operation<Attention>(host, subject, problem, FillKind::normal, {}, context);
                      if (outcome.verdict != Verdict::pass) give_up("the case did not pass: " + outcome.reason);
                      of_kernel = outcome.measurement(measurement::kernel_seconds).value_or(0);
                      reference.push_back(outcome.measurement(measurement::reference_seconds).value_or(0));
                      comparison.push_back(outcome.measurement(measurement::comparison_seconds).value_or(0));
                    }) -
                    of_kernel);
    kernel.push_back(seconds_of([&] { composed.run(q.data(), k.data(), v.data(), output.data(), sums.data()); }));
  }
  const double unit = median(kernel);
  std::printf("| %s | %lld | %lld | %lld | %.3f s | %.3f s | %.2f | %.2f | %.2f s | %.2f |\n", format.name,
              static_cast<long long>(heads), static_cast<long long>(length), static_cast<long long>(depth), unit,
              median(reference), median(reference) / unit, median(comparison) / unit, median(whole),
              median(whole) / unit);
}

}  // namespace

int main(int count, char** arguments) {
  const unsigned threads =
      count > 1 ? static_cast<unsigned>(std::atoi(arguments[1])) : std::thread::hardware_concurrency();
  const int rounds = count > 2 ? std::atoi(arguments[2]) : 3;
  std::printf(
      "%u threads, medians of %d rounds, %s; causal; unit: the time of an attention composed of oneDNN %s f32 matmuls "
      "on the same data\n\n",
      threads, rounds, std::string(name_of(instruction_set())).c_str(), OneDnn::version().c_str());
  std::printf(
      "| format | heads | length | depth | composed | reference and bounds | ratio | comparison | whole case | ratio "
      "|\n");
  std::printf("|---|---|---|---|---|---|---|---|---|---|\n");
  measure(16, 512, 128, element_format<assay::bfloat16>(), threads, rounds);
  measure(16, 2048, 128, element_format<assay::bfloat16>(), threads, rounds);
  measure(16, 2048, 128, element_format<float32>(), threads, rounds);
  return 0;
}

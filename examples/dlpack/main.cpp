// Validates tensors that another library handed over by DLPack, where they lie. Exit code 0: the right one passes, and
// the wrong one does not.
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "request.hpp"

namespace {

/// A framework that keeps its tensors itself and hands them out, with rows in reverse order and gaps between them.
class Framework {
 public:
  explicit Framework(assay::Index rows, assay::Index columns)
      : memory_(static_cast<std::size_t>(rows * (columns + 3))), shape_{rows, columns}, strides_{-(columns + 3), 1} {}

  float& at(assay::Index row, assay::Index column) {
    return memory_[static_cast<std::size_t>((shape_[0] - 1 - row) * -strides_[0] + column)];
  }
  assay::dlpack::Owned<> hand_out() {
    ++given_;
    return assay::dlpack::Owned<>(new assay::dlpack::ManagedTensorVersioned{
        {1, 1},
        this,
        take_back,
        assay::dlpack::flag_read_only,
        {&at(0, 0), {assay::dlpack::DeviceType::cpu, 0}, 2, {2, 32, 1}, shape_, strides_, 0}});
  }
  [[nodiscard]] int outstanding() const { return given_; }

 private:
  static void take_back(assay::dlpack::ManagedTensorVersioned* tensor) {
    --static_cast<Framework*>(tensor->manager_ctx)->given_;
    delete tensor;
  }
  std::vector<float> memory_;
  std::int64_t shape_[2], strides_[2];
  int given_ = 0;
};

assay::Outcome judge(Framework& input, Framework& output) {
  example::Request request;
  request.operation = example::Request::Operation::softmax;
  request.tensors.emplace_back("input", example::GivenTensor{input.hand_out(), {}});
  request.tensors.emplace_back("output", example::GivenTensor{output.hand_out(), {}});
  return example::answer_on_host(request);
}

}  // namespace

int main() {
  constexpr assay::Index rows = 64, columns = 1000;
  Framework input(rows, columns), output(rows, columns);
  for (assay::Index row = 0; row < rows; ++row) {
    float sum = 0;
    for (assay::Index column = 0; column < columns; ++column)
      input.at(row, column) = std::sin(static_cast<float>(row * columns + column)) * 4;
    for (assay::Index column = 0; column < columns; ++column)
      sum += output.at(row, column) = std::exp(input.at(row, column) - 4);
    for (assay::Index column = 0; column < columns; ++column) output.at(row, column) /= sum;
  }
  const assay::Outcome right = judge(input, output);
  std::printf("%s: %s %s\n", right.id.c_str(), std::string(name_of(right.verdict)).c_str(), right.reason.c_str());
  output.at(17, 503) *= 1.001f;
  const assay::Outcome wrong = judge(input, output);
  std::printf("%s: %s, %s\n", wrong.id.c_str(), std::string(name_of(wrong.verdict)).c_str(), wrong.reason.c_str());
  const bool given_back = input.outstanding() == 0 && output.outstanding() == 0;
  return right.verdict == assay::Verdict::pass && wrong.verdict == assay::Verdict::fail && given_back ? 0 : 1;
}

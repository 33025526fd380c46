#include "assay/adapters/onednn/convolution.hpp"

#include "testing/operation_conformance.hpp"

using namespace assay;

TEST_CASE("oneDNN's convolutions in float32 are right, or refused with the reason") {
  testing::require_right(testing::suite_of(operation_subject<Convolution>(OneDnn(1)), {element_format<float32>()}),
                         401);
}

TEST_CASE("oneDNN is not asked for convolutions of nothing, nor for Fourier transforms") {
  OneDnn backend(1);
  auto stream = backend.make_stream();
  ConvolutionProblem problem;
  problem.batch = 0;
  const auto empty = kernel<OneDnn, Convolution>::run(backend, stream.value(), problem, OperandArray{});
  REQUIRE_FALSE(empty);
  CHECK(empty.error().kind == ErrorKind::unsupported);
  problem.batch = 1;
  problem.algorithm = ConvolutionAlgorithm::fft;
  const auto fourier = kernel<OneDnn, Convolution>::run(backend, stream.value(), problem, OperandArray{});
  REQUIRE_FALSE(fourier);
  CHECK(fourier.error().message.find("Fourier") != std::string::npos);
}

// components: cuda cublas
//
// What arithmetic the tensor cores of a GPU do, from products of cuBLAS and cuBLASLt alone: for each format how long and how sums are kept, what is cut where products are aligned,
// how many are added at once, what becomes of subnormal numbers. Needs no nvcc. Exit code 77 where there is no GPU.
#include <cstdio>
#include <string>
#include <utility>

#include "assay/adapters/cublas/gemm.hpp"
#include "assay/profile/profile_gemm.hpp"
#include "assay/report/text_table.hpp"

namespace {

/// Profiles the product `Op` of a library on a device, and prints what was found or why nothing was.
template <class Op, class Library>
bool profile(const assay::Cuda& device, const Library& library, bool transpose_b = false) {
  assay::GemmProfileOptions options;
  options.transpose_b = transpose_b;
  options.sums.further_terms = {96, 1024};  // 8-bit numbers need multiples of 16
  const auto found = assay::profile_gemm<Op>(device, assay::gemm_subject<Op>(library), options);
  const std::string title = std::string(library.name()) + " " + Library::version() + ", " + Op::formats();
  if (!found) {
    std::printf("%s: %s\n\n", title.c_str(), found.error().message.c_str());
    return found.error().kind == assay::ErrorKind::unsupported;
  }
  std::printf("%s\n", title.c_str());
  for (const std::string& line : assay::text_lines(assay::profile_table(found.value())))
    std::printf("%s\n", line.c_str());
  std::printf("\n");
  return true;
}

}  // namespace

int main() {
  using namespace assay;
  auto device = Cuda::open();
  if (!device) {
    const bool skipped = device.error().kind == ErrorKind::unsupported;
    std::printf("%s%s\n", skipped ? "skipped: " : "", device.error().message.c_str());
    return skipped ? 77 : 1;
  }
  const auto cublas = Cublas::open(device.value());
  const auto cublaslt = CublasLt::open(device.value());
  if (!cublas || !cublaslt) {
    std::printf("%s\n", (!cublas ? cublas.error() : cublaslt.error()).message.c_str());
    return 1;
  }
  const Cublas& blas = cublas.value();
  const CublasLt& light = cublaslt.value();
  const Cuda& gpu = device.value();
  bool profiled = profile<Gemm<float, float, float, float>>(gpu, blas);
  profiled = profile<Gemm<tfloat32, tfloat32, float, float>>(gpu, blas) && profiled;
  profiled = profile<Gemm<float16, float16, float, float>>(gpu, blas) && profiled;
  profiled = profile<Gemm<bfloat16, bfloat16, float, float>>(gpu, blas) && profiled;
  profiled = profile<Gemm<float8_e4m3fn, float8_e4m3fn, float, float>>(gpu, light, true) && profiled;
  profiled = profile<Gemm<float8_e4m3fn, float8_e5m2, float, float>>(gpu, light, true) && profiled;
  return profiled ? 0 : 1;
}

#include <algorithm>
#include <utility>

#include "suites/entries.hpp"

namespace assay_program {

namespace {

std::vector<Library>& all_libraries() {
  static std::vector<Library> all {
    {"host", "Assay's own kernels on the host's threads", "", true, host_version, nullptr, add_host},
#if defined(ASSAY_HAS_KOKKOS)
        {"kokkos",  "Assay's own kernels on Kokkos", "libtrilinos-kokkos-dev", true, kokkos_version, start_kokkos,
         add_kokkos},
#else
        {"kokkos", "Assay's own kernels on Kokkos", "libtrilinos-kokkos-dev"},
#endif
#if defined(ASSAY_HAS_OPENBLAS)
        {"openblas", "OpenBLAS", "libopenblas-dev", true, openblas_version, nullptr, add_openblas},
#else
        {"openblas", "OpenBLAS", "libopenblas-dev"},
#endif
#if defined(ASSAY_HAS_ONEDNN)
        {"onednn", "oneDNN", "libdnnl-dev", true, onednn_version, nullptr, add_onednn},
#else
        {"onednn", "oneDNN", "libdnnl-dev"},
#endif
#if defined(ASSAY_HAS_EIGEN)
        {"eigen", "Eigen", "libeigen3-dev", true, eigen_version, nullptr, add_eigen},
#else
        {"eigen", "Eigen", "libeigen3-dev"},
#endif
#if defined(ASSAY_HAS_CUDA_DEVICES)
        {"cuda", "Assay's own kernels on a CUDA device", "", true, cuda_version, start_cuda, add_cuda},
#else
        {"cuda", "Assay's own kernels on a CUDA device", ""},
#endif
#if defined(ASSAY_HAS_CUDA_DEVICES) && defined(ASSAY_HAS_CUBLAS)
        {"cublas", "cuBLAS", "", true, cuda_version, start_cuda, add_cublas},
        {"cublaslt", "cuBLASLt", "", true, cuda_version, start_cuda, add_cublaslt},
#else
        {"cublas", "cuBLAS", ""}, {"cublaslt", "cuBLASLt", ""},
#endif
#if defined(ASSAY_HAS_CUDA_DEVICES) && defined(ASSAY_HAS_CUDNN)
        {"cudnn", "cuDNN", "", true, cuda_version, start_cuda, [](assay::Suite&, const SuiteOptions&) {}},
#else
        {"cudnn", "cuDNN", ""},
#endif
  };
  return all;
}

}  // namespace

const std::vector<Library>& libraries() {
  return all_libraries();
}

void add_library(Library library) {
  all_libraries().push_back(std::move(library));
}

void forget_plugin_libraries() {
  auto& all = all_libraries();
  all.erase(std::remove_if(all.begin(), all.end(), [](const Library& library) { return library.plugin; }), all.end());
}

}  // namespace assay_program

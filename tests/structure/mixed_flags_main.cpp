// Two units of one program, compiled for different instruction sets: their run-time variants have names of their own,
// so that neither gets the other's, and they compute the same.
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

std::vector<std::uint64_t> fingerprints_of_baseline();
std::vector<std::uint64_t> fingerprints_of_avx2();
std::string variant_of_baseline();
std::string variant_of_avx2();

int main() {
  if (variant_of_baseline() == variant_of_avx2()) {
    std::printf("both units name their variants %s\n", variant_of_avx2().c_str());
    return 1;
  }
  const std::vector<std::uint64_t> baseline = fingerprints_of_baseline();
  const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const std::vector<std::uint64_t> avx2 =
      wide ? fingerprints_of_avx2() : baseline;  // where the machine lacks it, it must not run
  for (std::size_t i = 0; i < baseline.size(); ++i) {
    if (baseline[i] == avx2[i] && baseline[i] == baseline[i % 2] && (i % 2 == 0 || baseline[i] == 31)) continue;
    std::printf("fingerprint %zu: %llx and %llx\n", i, static_cast<unsigned long long>(baseline[i]),
                static_cast<unsigned long long>(avx2[i]));
    return 1;
  }
  return baseline.empty() ? 1 : 0;
}

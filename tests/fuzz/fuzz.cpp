#include "fuzz/fuzz.hpp"

#include <cstdint>
#include <map>

namespace {

using namespace assay::fuzz;

std::map<std::string, Target>& targets() {
  static std::map<std::string, Target> all;
  return all;
}

Target chosen = nullptr;

}  // namespace

assay::fuzz::Registration::Registration(const char* name, Target target) {
  targets()[name] = target;
}

/// The target is named by what the program is called by: fuzz_npy and the others are links to one program.
extern "C" int LLVMFuzzerInitialize(int*, char*** arguments) {
  std::string name = (*arguments)[0];
  name = name.substr(name.rfind('/') + 1);
  const auto found = targets().find(name.substr(name.find('_') + 1));
  if (found == targets().end()) {
    std::fprintf(stderr, "%s is called by the name of no target; the targets are:", name.c_str());
    for (const auto& [known, target] : targets()) std::fprintf(stderr, " fuzz_%s", known.c_str());
    std::fprintf(stderr, "\n");
    std::exit(2);
  }
  chosen = found->second;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ExactCopy bytes({reinterpret_cast<const char*>(data), size});
  chosen(bytes.text());
  return 0;
}

#include "restart.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

namespace assay_program {

assay::Result<void> restart_with(const CommandLine& line, const std::string& environment) {
  const std::string name = environment.substr(0, environment.find('=')), value = environment.substr(name.size() + 1);
  const char* const known = std::getenv(name.c_str());
  if (known != nullptr && value == known) return {};
  if (line.hosted)
    return assay::failure(assay::ErrorKind::unsupported, "this process would have to be started anew with " +
                                                             environment +
                                                             "; set it before, or give the case to the program assay");
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  std::vector<char*> arguments;
  for (std::size_t place = 0; place < text.size(); place += std::strlen(&text[place]) + 1)
    arguments.push_back(&text[place]);
  arguments.push_back(nullptr);
  if (arguments.size() > 1 && ::setenv(name.c_str(), value.c_str(), 1) == 0)
    ::execv("/proc/self/exe", arguments.data());
  return assay::failure(assay::ErrorKind::device, "this program could not be started anew with " + environment + ": " +
                                                      std::strerror(errno) + "; set it in the environment");
}

}  // namespace assay_program

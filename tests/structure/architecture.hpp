#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

/// The rules of the house, as functions of a tree of sources that return what breaks them, one message each.
/// The tests apply them to the tree of the project and to small trees that break each rule.
namespace assay::testing {

/// Path → text. Headers stand by their path below include/assay/, tests by theirs below tests/.
using Tree = std::map<std::string, std::string>;
using Violations = std::vector<std::string>;

/// An area includes areas of lower levels, and itself. This table is the architecture.
inline const std::map<std::string, int>& levels() {
  static const std::map<std::string, int> table{
      {"core", 0},        {"formats", 1},  {"backends", 1},  {"suite", 1},       {"statistics", 1}, {"report", 1},
      {"telemetry", 1},   {"tensor", 2},   {"tolerance", 2}, {"performance", 2}, {"compare", 3},    {"io", 3},
      {"collectives", 3}, {"accuracy", 3}, {"kernels", 4},   {"baselines", 4},   {"training", 4},   {"serving", 4},
      {"validators", 5},  {"matchers", 5}, {"faults", 6},    {"profile", 6},     {"adapters", 6},   {"frameworks", 6},
      {"diagnosis", 7},   {"hardware", 7}, {"plugin", 7},    {"pipeline", 8},    {"fleet", 8},      {"gpgpu", 8},
      {"release", 9}};
  return table;
}

/// Areas that compile for devices and without exceptions: what is slow to compile stays out of them.
inline const std::set<std::string>& numeric_areas() {
  static const std::set<std::string> areas{"core", "formats", "backends", "tensor", "tolerance", "compare", "kernels"};
  return areas;
}

inline constexpr std::size_t longest_header = 400;

/// Headers of the operating system and the compiler that a header may include without being a leaf.
inline bool is_system_header(const std::string& name) {
  static const std::set<std::string> names{"cpuid.h",    "dirent.h",   "dlfcn.h",     "fcntl.h",  "immintrin.h",
                                           "link.h",     "pthread.h",  "poll.h",      "pwd.h",    "sched.h",
                                           "signal.h",   "spawn.h",    "strings.h",   "unistd.h", "x86intrin.h",
                                           "arm_fp16.h", "arm_neon.h", "xmmintrin.h", "netdb.h",  "netinet/in.h"};
  const bool standard = name.find_first_of("./") == std::string::npos;
  return standard || name.rfind("sys/", 0) == 0 || names.count(name) > 0;
}

inline Tree read_tree(const std::filesystem::path& root, const std::string& extension) {
  Tree tree;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file() || entry.path().extension() != extension) continue;
    std::ifstream file(entry.path());
    tree[entry.path().lexically_relative(root).generic_string()] =
        std::string(std::istreambuf_iterator<char>(file), {});
  }
  return tree;
}

struct Include {
  std::string name;
  bool angled = false;
};

inline std::vector<Include> includes_of(const std::string& text) {
  static const std::regex directive(R"re(^\s*#\s*include\s*([<"])([^>"]+)[>"])re");
  std::vector<Include> includes;
  std::istringstream lines(text);
  std::smatch match;
  for (std::string line; std::getline(lines, line);)
    if (std::regex_search(line, match, directive)) includes.push_back({match[2], match[1] == "<"});
  return includes;
}

/// Whether a file holds the definitions of the header beside it, of which it is a part.
inline bool is_implementation(const std::string& file) {
  return file.size() > 4 && file.compare(file.size() - 4, 4, ".ipp") == 0;
}
/// The header that a file is part of: itself, or what stands beside the definitions.
inline std::string header_of(const std::string& file) {
  return is_implementation(file) ? file.substr(0, file.size() - 4) + ".hpp" : file;
}

/// The area of a header; empty for an umbrella, which stands above the areas.
inline std::string area_of(const std::string& header) {
  const auto slash = header.find('/');
  return slash == std::string::npos ? std::string() : header.substr(0, slash);
}
inline bool is_umbrella(const std::string& header) {
  return area_of(header).empty();
}
/// The umbrella written by hand: what validators are written with, from several areas.
inline const std::string vocabulary = "assay.hpp";
/// The umbrella that covers a header: its area's.
inline std::string umbrella_of(const std::string& header) {
  return area_of(header) + ".hpp";
}
inline bool is_detail(const std::string& header) {
  return header.find("/detail/") != std::string::npos;
}

/// What the build's list of leaves says: pattern of the header's path → components, joined by '+'.
using Leaves = std::map<std::string, std::string>;

/// The components that a header needs, its definitions included; none if it is not a leaf.
inline std::set<std::string> components_of(const std::string& file, const Leaves& leaves) {
  const std::string header = header_of(file);
  std::set<std::string> components;
  for (const auto& [pattern, names] : leaves) {
    if (!std::regex_match(header, std::regex(pattern))) continue;
    std::istringstream list(names);
    for (std::string name; std::getline(list, name, '+');) components.insert(name);
    return components;
  }
  return components;
}
inline bool is_leaf(const std::string& header, const Leaves& leaves) {
  return !components_of(header, leaves).empty();
}

/// Whether a header declares nothing for users: what it has is for the other areas of the project alone.
inline bool is_internal(const std::string& text) {
  static const std::regex opened(R"re(\bnamespace assay(::inline v0)?(::[a-z0-9_:]+)?\s*\{)re"),
      internal(R"re(::detail\b)re");
  bool any = false;
  for (std::sregex_iterator match(text.begin(), text.end(), opened), end; match != end; ++match) {
    if (!std::regex_search((*match)[2].str(), internal)) return false;
    any = true;
  }
  return any;
}

inline Violations level_violations(const Tree& headers) {
  Violations found;
  for (const auto& [header, text] : headers) {
    const std::string area = area_of(header);
    if (!is_umbrella(header) && levels().count(area) == 0) {
      found.push_back(header + ": '" + area + "' is not an area of the architecture");
      continue;
    }
    for (const Include& include : includes_of(text)) {
      if (include.name.rfind("assay/", 0) != 0) continue;
      const std::string target = include.name.substr(6);
      if (is_umbrella(target)) {
        if (header != "all.hpp")
          found.push_back(header + " includes the umbrella " + target + ": include what is needed");
        continue;
      }
      const std::string target_area = area_of(target);
      if (is_umbrella(header)) {
        if (header != vocabulary && header != umbrella_of(target))
          found.push_back(header + " includes " + target + ", which is of another area");
      } else if (target_area != area && levels().count(target_area) > 0 &&
                 levels().at(target_area) >= levels().at(area)) {
        found.push_back(header + " (level " + std::to_string(levels().at(area)) + ") includes " + target + " (level " +
                        std::to_string(levels().at(target_area)) + "): only lower levels and its own area are allowed");
      } else if (target_area != area && is_detail(target)) {
        found.push_back(header + " includes " + target + ": detail/ is an area's own");
      }
    }
  }
  return found;
}

/// Examples are what users copy: they include nothing of an area's detail/, which is not theirs.
inline Violations example_violations(const Tree& examples) {
  Violations found;
  for (const auto& [file, text] : examples)
    for (const Include& include : includes_of(text))
      if (include.name.rfind("assay/", 0) == 0 && is_detail(include.name))
        found.push_back(file + " includes " + include.name + ": detail/ is the area's own, and no example's");
  return found;
}

inline Violations include_style_violations(const Tree& headers) {
  Violations found;
  for (const auto& [header, text] : headers) {
    if (text.rfind("#pragma once\n", 0) != 0) found.push_back(header + ": the first line must be #pragma once");
    for (const Include& include : includes_of(text)) {
      const bool ours = include.name.rfind("assay/", 0) == 0;
      if (ours && include.angled) found.push_back(header + ": write #include \"" + include.name + "\", with quotes");
      if (!ours && !include.angled)
        found.push_back(header + ": \"" + include.name + "\" must be named from the root, \"assay/…\"");
      const bool for_c =
          include.name.size() > 2 && include.name.compare(include.name.size() - 2, 2, ".h") == 0;  // not in the tree
      if (ours && !for_c && headers.count(include.name.substr(6)) == 0)
        found.push_back(header + " includes " + include.name + ", which is not there");
    }
  }
  return found;
}

inline Violations leaf_violations(const Tree& headers, const Leaves& leaves) {
  Violations found;
  for (const auto& [header, text] : headers) {
    const std::set<std::string> components = components_of(header, leaves);
    for (const Include& include : includes_of(text)) {
      if (include.name.rfind("assay/", 0) == 0) {
        const std::string target = include.name.substr(6);
        const std::set<std::string> needed = components_of(target, leaves);
        if (!std::includes(components.begin(), components.end(), needed.begin(), needed.end()))
          found.push_back(header + " includes the leaf " + target +
                          ": leaves are included by users, and by leaves that need the same components");
      } else if (include.angled && components.empty() && !is_system_header(include.name)) {
        found.push_back(
            header + " includes <" + include.name +
            ">, which is neither standard nor the system's: make it a leaf (ASSAY_LEAVES in cmake/components.cmake)");
      }
    }
  }
  for (const auto& [pattern, component] : leaves) {
    bool used = false;
    for (const auto& [header, text] : headers) used = used || std::regex_match(header, std::regex(pattern));
    if (!used) found.push_back("no header matches the leaf '" + pattern + "' of cmake/components.cmake");
  }
  return found;
}

inline Violations size_violations(const Tree& headers) {
  Violations found;
  for (const auto& [header, text] : headers) {
    std::size_t lines = 0;
    for (const char character : text) lines += character == '\n' ? 1 : 0;
    if (lines > longest_header)
      found.push_back(header + " has " + std::to_string(lines) + " lines, more than " + std::to_string(longest_header) +
                      ": split it");
  }
  return found;
}

inline Violations weight_violations(const Tree& headers) {
  static const std::set<std::string> heavy{"iostream", "regex", "filesystem"};
  static const std::set<std::string> exempt{"core/detect_environment.hpp"};  // runs once a run, on the host
  Violations found;
  for (const auto& [header, text] : headers) {
    if (numeric_areas().count(area_of(header)) == 0 || exempt.count(header_of(header)) > 0) continue;
    for (const Include& include : includes_of(text)) {
      if (heavy.count(include.name) > 0)
        found.push_back(header + " includes <" + include.name + ">: too slow to compile for a numeric area");
      if (include.name == "assay/core/detect_environment.hpp")
        found.push_back(header + " includes core/detect_environment.hpp, which is slow to compile");
    }
  }
  return found;
}

/// The vocabulary is half as dear to a compiler as <Kokkos_Core.hpp>: nothing that it includes, however indirectly, may
/// include one of these standard headers, which would add a tenth to all of what it costs.
inline Violations vocabulary_violations(const Tree& headers) {
  static const std::set<std::string> dear{"algorithm",  "atomic",  "chrono", "cmath",        "condition_variable",
                                          "functional", "future",  "memory", "mutex",        "random",
                                          "ranges",     "sstream", "thread", "unordered_map"};
  if (headers.count(vocabulary) == 0) return {vocabulary + " is missing"};
  Violations found;
  std::set<std::string> seen{vocabulary};
  std::vector<std::string> open{vocabulary};
  while (!open.empty()) {
    const std::string header = open.back();
    open.pop_back();
    for (const Include& include : includes_of(headers.at(header))) {
      if (include.angled && dear.count(include.name) > 0)
        found.push_back(header + " includes <" + include.name + ">, too slow to compile for " + vocabulary +
                        ": do without, or split it");
      if (include.name.rfind("assay/", 0) != 0) continue;
      const std::string target = include.name.substr(6);
      if (headers.count(target) > 0 && seen.insert(target).second) open.push_back(target);
    }
  }
  return found;
}

/// Definitions stand beside the header that declares, and includes as its last what it declares unless a library has it
/// compiled. They begin with that header, so that they compile by themselves, and nobody else includes them: `others`
/// are sources outside include/assay/.
inline Violations implementation_violations(const Tree& sources, const Tree& others) {
  Violations found;
  for (const auto& [file, text] : sources) {
    if (!is_implementation(file)) continue;
    const std::string header = header_of(file);
    const auto beside = sources.find(header);
    if (beside == sources.end()) {
      found.push_back(file + " has no header beside it: expected " + header);
      continue;
    }
    const std::vector<Include> own = includes_of(text), its = includes_of(beside->second);
    if (own.empty() || own.front().name != "assay/" + header)
      found.push_back(file + " must include assay/" + header + " first");
    const std::string block = "#if !defined(ASSAY_COMPILED)\n#include \"assay/" + file + "\"\n#endif\n";
    if (its.empty() || its.back().name != "assay/" + file || beside->second.find(block) == std::string::npos)
      found.push_back(header + " must end with\n" + block);
  }
  for (const Tree* tree : {&sources, &others})
    for (const auto& [file, text] : *tree)
      for (const Include& include : includes_of(text))
        if (is_implementation(include.name) &&
            (tree == &others || include.name.substr(6) == file || header_of(include.name.substr(6)) != file))
          found.push_back(file + " includes " + include.name + ": include the header beside it");
  return found;
}

/// Every area with headers for users has an umbrella that names all of them, leaves and detail apart, and `all.hpp`
/// names every umbrella but that of kernels with faults.
inline Violations umbrella_violations(const Tree& headers, const Leaves& leaves) {
  static const std::string remedy = ": run cmake -P cmake/umbrellas.cmake";
  std::map<std::string, std::set<std::string>> wanted;
  for (const auto& [header, text] : headers) {
    if (is_umbrella(header) || is_detail(header) || is_leaf(header, leaves)) continue;
    wanted[umbrella_of(header)].insert("assay/" + header);
    if (umbrella_of(header) != "faults.hpp") wanted["all.hpp"].insert("assay/" + umbrella_of(header));
  }
  Violations found;
  for (const auto& [umbrella, names] : wanted) {
    const auto text = headers.find(umbrella);
    if (text == headers.end()) {
      found.push_back(umbrella + " is missing" + remedy);
      continue;
    }
    std::set<std::string> present;
    for (const Include& include : includes_of(text->second)) present.insert(include.name);
    for (const std::string& name : names)
      if (present.count(name) == 0) found.push_back(umbrella + " does not include " + name + remedy);
    for (const std::string& name : present)
      if (names.count(name) == 0)
        found.push_back(umbrella + " includes " + name + ", which does not belong in it" + remedy);
  }
  for (const auto& [header, text] : headers)
    if (is_umbrella(header) && header != vocabulary && wanted.count(header) == 0)
      found.push_back(header + " is an umbrella over nothing");
  return found;
}

/// Every header that declares something for users has a test at the mirrored path, or stands in `exceptions` (header →
/// reason), which has nothing stale. An operation has one test body, kernels/<operation>.cpp: it tests the headers of
/// its folder, of its faults and of the kernels that have them.
inline Violations mirror_violations(const Tree& headers, const Tree& tests,
                                    const std::map<std::string, std::string>& exceptions) {
  const auto test_of = [](std::string header) { return header.replace(header.size() - 4, 4, ".cpp"); };
  const auto has_body = [&](const std::string& header) {
    static const std::regex operation(
        "kernels/([a-z0-9_]+)/.*|faults/([a-z0-9_]+)_faults\\.hpp|faults/emulated_([a-z0-9_]+)\\.hpp");
    std::smatch match;
    return std::regex_match(header, match, operation) &&
           tests.count("kernels/" + match[1].str() + match[2].str() + match[3].str() + ".cpp") > 0;
  };
  Violations found;
  for (const auto& [header, text] : headers) {
    if (is_umbrella(header) || is_detail(header) || exceptions.count(header) > 0 || has_body(header) ||
        is_internal(text))
      continue;
    if (tests.count(test_of(header)) == 0) found.push_back(header + " has no test: expected tests/" + test_of(header));
  }
  for (const auto& [header, reason] : exceptions) {
    if (headers.count(header) == 0) found.push_back("the exception " + header + " names a header that is not there");
    if (tests.count(test_of(header)) > 0)
      found.push_back("the exception " + header + " has a test by now: drop it from the list");
    if (reason.empty()) found.push_back("the exception " + header + " gives no reason");
  }
  return found;
}

}  // namespace assay::testing

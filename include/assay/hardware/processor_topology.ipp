#pragma once

#include "assay/hardware/processor_topology.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#if defined(__linux__)
#include <sched.h>
#endif

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::vector<int> ProcessorTopology::numbers(bool allowed_only) const {
  std::vector<int> found;
  for (const LogicalProcessor& processor : processors)
    if (processor.allowed || !allowed_only) found.push_back(processor.number);
  return found;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<int> ProcessorTopology::numa_nodes() const {
  std::set<int> nodes;
  for (const LogicalProcessor& processor : processors) nodes.insert(processor.numa_node);
  return {nodes.begin(), nodes.end()};
}

ASSAY_DETAIL_HEADER_INLINE std::vector<int> ProcessorTopology::processors_of(int numa_node) const {
  std::vector<int> found;
  for (const LogicalProcessor& processor : processors)
    if (processor.numa_node == numa_node && processor.allowed) found.push_back(processor.number);
  return found;
}

ASSAY_DETAIL_HEADER_INLINE std::string ProcessorTopology::describe(int number) const {
  std::string text = "processor " + std::to_string(number);
  for (const LogicalProcessor& processor : processors)
    if (processor.number == number && processor.core >= 0)
      text += " (package " + std::to_string(processor.package) + ", core " + std::to_string(processor.core) +
              (processor.numa_node >= 0 ? ", NUMA node " + std::to_string(processor.numa_node) : "") + ")";
  return text;
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<int>> parse_processor_list(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  const auto refuse = [&] {
    return failure(ErrorKind::malformed,
                   "'" + std::string(text.substr(0, 200)) + "' is no list of processors; one is such as 0-3,8");
  };
  constexpr int most = 1 << 20;
  std::set<int> numbers;
  for (std::size_t at = 0; at < text.size();) {
    const auto number = [&]() -> int {
      int value = -1;
      const auto [end, code] = std::from_chars(text.data() + at, text.data() + text.size(), value);
      if (code != std::errc() || value < 0 || value > most) return -1;
      at = static_cast<std::size_t>(end - text.data());
      return value;
    };
    const int first = number();
    int last = first;
    if (first >= 0 && at < text.size() && text[at] == '-') {
      ++at;
      last = number();
    }
    if (first < 0 || last < first) return refuse();
    for (int each = first; each <= last; ++each) numbers.insert(each);
    if (at == text.size()) break;
    if (text[at++] != ',' || at == text.size()) return refuse();
  }
  return std::vector<int>(numbers.begin(), numbers.end());
}

ASSAY_DETAIL_HEADER_INLINE std::vector<int> allowed_processors() {
  std::vector<int> numbers;
#if defined(__linux__)
  for (std::size_t most = 1024; most <= std::size_t{1} << 20; most *= 4) {
    cpu_set_t* const set = CPU_ALLOC(most);
    if (set == nullptr) break;
    const std::size_t bytes = CPU_ALLOC_SIZE(most);
    const bool read = ::sched_getaffinity(0, bytes, set) == 0;
    for (std::size_t i = 0; read && i < most; ++i)
      if (CPU_ISSET_S(i, bytes, set)) numbers.push_back(static_cast<int>(i));
    CPU_FREE(set);
    if (read) break;
  }
#endif
  return numbers;
}

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string first_line_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE int small_number_of(const std::filesystem::path& path) {
  const std::string line = first_line_of(path);
  int value = -1;
  const auto [end, code] = std::from_chars(line.data(), line.data() + line.size(), value);
  return code == std::errc() && end == line.data() + line.size() ? value : -1;
}

/// Bytes of the cache of the highest level, over the groups of processors that have one of their own.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::size_t last_level_cache(const std::filesystem::path& cpus,
                                                                      const std::vector<int>& numbers) {
  int highest = 0;
  std::map<std::string, std::size_t> instances;
  for (const int number : numbers)
    for (int index = 0; index < 8; ++index) {
      const std::filesystem::path cache =
          cpus / ("cpu" + std::to_string(number)) / "cache" / ("index" + std::to_string(index));
      const int level = small_number_of(cache / "level");
      const std::string size = first_line_of(cache / "size");
      if (level < 1 || level < highest || size.empty()) continue;
      std::size_t bytes = 0;
      const auto [end, code] = std::from_chars(size.data(), size.data() + size.size(), bytes);
      if (code != std::errc()) continue;
      if (level > highest) instances.clear();
      highest = level;
      const std::string_view unit(end, static_cast<std::size_t>(size.data() + size.size() - end));
      instances[first_line_of(cache / "shared_cpu_list")] = bytes * (unit == "K" ? 1024 : unit == "M" ? 1048576 : 1);
    }
  std::size_t total = 0;
  for (const auto& [processors, bytes] : instances) total += bytes;
  return total;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<ProcessorTopology> read_processor_topology(const std::filesystem::path& root) {
  const std::filesystem::path cpus = root / "cpu";
  const std::string online = detail::first_line_of(cpus / "online");
  if (online.empty())
    return failure(ErrorKind::unsupported, "'" + (cpus / "online").string() +
                                               "' tells no processors; Linux shows them there, elsewhere use hwloc");
  const auto numbers = parse_processor_list(online);
  if (!numbers) return numbers.propagate();
  const std::vector<int> allowed = allowed_processors();
  ProcessorTopology topology;
  topology.source = "sysfs";
  for (const int number : numbers.value()) {
    const std::filesystem::path cpu = cpus / ("cpu" + std::to_string(number));
    topology.processors.push_back({number, detail::small_number_of(cpu / "topology" / "core_id"),
                                   detail::small_number_of(cpu / "topology" / "physical_package_id"), -1,
                                   std::binary_search(allowed.begin(), allowed.end(), number)});
  }
  std::error_code code;
  for (std::filesystem::directory_iterator node(root / "node", code), end; !code && node != end; node.increment(code)) {
    const std::string name = node->path().filename().string();
    int number = -1;
    if (name.rfind("node", 0) != 0 ||
        std::from_chars(name.data() + 4, name.data() + name.size(), number).ec != std::errc())
      continue;
    const auto of_node = parse_processor_list(detail::first_line_of(node->path() / "cpulist"));
    if (!of_node) return of_node.propagate();
    for (LogicalProcessor& processor : topology.processors)
      if (std::binary_search(of_node.value().begin(), of_node.value().end(), processor.number))
        processor.numa_node = number;
  }
  topology.last_level_cache_bytes = detail::last_level_cache(cpus, numbers.value());
  return topology;
}

}  // namespace assay::inline v0

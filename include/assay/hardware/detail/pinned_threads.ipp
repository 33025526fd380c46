#pragma once

#include "assay/hardware/detail/pinned_threads.hpp"

#include <mutex>
#include <system_error>
#include <thread>

#if defined(__linux__)
#include <sched.h>
#endif

#include "assay/core/config.hpp"
#include "assay/hardware/processor_topology.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE bool pin_to([[maybe_unused]] int processor) {
  if (processor < 0) return true;  // asked to run anywhere
#if defined(__linux__)
  const auto number = static_cast<std::size_t>(processor);
  cpu_set_t* const set = CPU_ALLOC(number + 1);
  if (set == nullptr) return false;
  const std::size_t bytes = CPU_ALLOC_SIZE(number + 1);
  CPU_ZERO_S(bytes, set);
  CPU_SET_S(number, bytes, set);
  const bool pinned = ::sched_setaffinity(0, bytes, set) == 0;
  CPU_FREE(set);
  return pinned && processor_of_this_thread() == processor;
#else
  return false;
#endif
}

ASSAY_DETAIL_HEADER_INLINE int processor_of_this_thread() {
#if defined(__linux__)
  return ::sched_getcpu();
#else
  return -1;
#endif
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> run_pinned(std::span<const int> processors,
                                                               const std::function<void(std::size_t, int)>& work) {
  std::mutex mutex;
  std::vector<std::string> missing;
  const auto miss = [&](int processor, const std::string& why) {
    const std::lock_guard lock(mutex);
    missing.push_back("processor " + std::to_string(processor) + ": " + why);
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < processors.size(); ++i) {
    try {
      threads.emplace_back([&, i] {
        if (!pin_to(processors[i])) return miss(processors[i], "the system does not let a thread run there");
        try {
          work(i, processors[i]);
        } catch (const std::exception& exception) {
          miss(processors[i], exception.what());
        }
      });
    } catch (const std::system_error& refused) {
      miss(processors[i], std::string("no thread could be made: ") + refused.what());
    }
  }
  for (std::thread& thread : threads) thread.join();
  return missing;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<int> chosen_processors(std::span<const int> asked) {
  if (!asked.empty()) return {asked.begin(), asked.end()};
  std::vector<int> all = allowed_processors();
  if (all.empty()) all.push_back(-1);
  return all;
}

}  // namespace assay::inline v0::detail

#include "assay/hardware/pools/check_pool.hpp"

#include <map>

#include "assay/backends/counting_resource.hpp"
#include "assay/backends/recycling_resource.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

enum class PoolFault { none, misaligned, gives_twice, too_small, leaks, never_reuses, writes_header, does_not_count };

/// A pool by size classes over the heap, with a fault.
class FaultyPool {
 public:
  explicit FaultyPool(PoolFault fault) : fault_(fault) {}

  void* allocate(std::size_t bytes, std::size_t alignment) {
    ++calls_;
    auto& kept = free_[{bytes / 4096, alignment}];
    if (fault_ == PoolFault::gives_twice && last_ != nullptr && calls_ == 40) return last_;
    void* memory = nullptr;
    if (!kept.empty() && fault_ != PoolFault::never_reuses) {
      memory = kept.back();
      kept.pop_back();
    } else {
      const std::size_t size = (bytes / 4096 + 1) * 4096;
      memory = upstream_.allocate(size + alignment, alignment);
      if (fault_ != PoolFault::does_not_count) reserved_ += size;
      all_.push_back({memory, size + alignment, alignment});
    }
    last_ = memory;
    if (fault_ == PoolFault::misaligned && calls_ == 30) return static_cast<char*>(memory) + alignment / 2;
    if (fault_ == PoolFault::too_small && calls_ == 30) return small_ = static_cast<char*>(memory);
    if (fault_ == PoolFault::too_small && calls_ == 31) return small_ + 256;  // inside the one before
    return memory;
  }
  void deallocate(void* memory, std::size_t bytes, std::size_t alignment) {
    if (fault_ == PoolFault::writes_header && last_ != nullptr) *static_cast<char*>(last_) ^= 1;
    free_[{bytes / 4096, alignment}].push_back(memory);
  }
  void release() {
    free_.clear();
    if (fault_ == PoolFault::leaks) return;
    for (const auto& [memory, bytes, alignment] : all_) upstream_.deallocate(memory, bytes, alignment);
    all_.clear();
    reserved_ = 0;
  }
  ~FaultyPool() {
    fault_ = PoolFault::none;
    release();
  }
  [[nodiscard]] std::size_t reserved() const { return reserved_; }

 private:
  struct Taken {
    void* memory;
    std::size_t bytes, alignment;
  };
  PoolFault fault_;
  AlignedResource upstream_;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<void*>> free_;
  std::vector<Taken> all_;
  void* last_ = nullptr;
  char* small_ = nullptr;
  std::size_t reserved_ = 0, calls_ = 0;
};

PoolSubject subject_of(PoolFault fault) {
  auto pool = std::make_shared<FaultyPool>(fault);
  PoolSubject subject = pool_subject("pool", pool);
  subject.reserved_bytes = [pool] { return pool->reserved(); };
  return subject;
}

}  // namespace

TEST_CASE("right pools pass") {
  const AllocationTrace trace = serving_trace(400, 1 << 21, 1);
  CHECK(check_pool(pool_subject("heap", std::make_shared<AlignedResource>()), trace).verdict == Verdict::pass);
  CHECK(check_pool(pool_subject("recycling", std::make_shared<RecyclingResource<>>()), trace).verdict == Verdict::pass);
  auto counted = std::make_shared<CountingResource<>>();
  PoolSubject subject = pool_subject("counting", counted);
  subject.reserved_bytes = [counted] { return counted->usage().current_bytes; };
  const Outcome outcome = check_pool(subject, trace);
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.measurement("overhead") == 1);
  CHECK(check_pool(subject_of(PoolFault::none), trace).verdict == Verdict::pass);
}

TEST_CASE("each faulty pool is caught, and told for what it is") {
  const AllocationTrace trace = serving_trace(400, 1 << 21, 1);
  const std::pair<PoolFault, const char*> faults[] = {{PoolFault::misaligned, "alignment"},
                                                      {PoolFault::gives_twice, "given twice"},
                                                      {PoolFault::too_small, "overlaps"},
                                                      {PoolFault::leaks, "a leak"},
                                                      {PoolFault::writes_header, "changed while it was in use"},
                                                      {PoolFault::does_not_count, "does not count"}};
  for (const auto& [fault, words] : faults) {
    CAPTURE(words);
    const Outcome outcome = check_pool(subject_of(fault), trace);
    CHECK(outcome.verdict == Verdict::fail);
    CHECK(outcome.reason.find(words) != std::string::npos);
  }
  PoolSubject never = subject_of(PoolFault::never_reuses);
  CHECK(check_pool(never, trace).verdict == Verdict::fail);
  PoolCheckOptions options;
  options.most_overhead = 1.0001;
  CHECK(check_pool(subject_of(PoolFault::none), trace, options).reason.find("times what was in use") !=
        std::string::npos);
}

TEST_CASE("a refusal is an error, an empty trace decides nothing") {
  auto counted = std::make_shared<CountingResource<>>(1000);
  CHECK(check_pool(pool_subject("small", counted), serving_trace(100, 1 << 20, 1)).verdict == Verdict::error);
  CHECK(check_pool(subject_of(PoolFault::none), {}).verdict == Verdict::inconclusive);
}

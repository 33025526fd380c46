#include "assay/backends/host.hpp"

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "assay/core/floating_point_guard.hpp"
#include "backends/backend_conformance.hpp"

using assay::BasicHost;
using assay::Host;

static_assert(assay::ParallelBackend<Host>);

namespace {

/// As a user writes one: a name, and everything else inherited.
struct Derived : Host {
  using Host::Host;
  [[nodiscard]] std::string_view name() const noexcept { return "derived"; }
};
static_assert(assay::ParallelBackend<Derived>);

/// A resource with state: it refuses beyond a budget, and counts what is out.
struct BudgetResource {
  std::int64_t* available = nullptr;

  void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
    if (static_cast<std::int64_t>(bytes) > *available) return nullptr;
    *available -= static_cast<std::int64_t>(bytes);
    return assay::AlignedResource{}.allocate(bytes, alignment);
  }
  void deallocate(void* pointer, std::size_t bytes, std::size_t alignment) noexcept {
    *available += static_cast<std::int64_t>(bytes);
    assay::AlignedResource{}.deallocate(pointer, bytes, alignment);
  }
};
static_assert(assay::ParallelBackend<BasicHost<BudgetResource>>);

struct InnerLoop {
  const Host* host;
  unsigned* visits;
  std::size_t outer;
  std::size_t inner;
  void operator()(std::size_t i) const {
    Host::Stream stream;
    (void)host->parallel_for(stream, inner, assay::testing::CountVisits{visits + i * inner});
  }
};

}  // namespace

TEST_CASE("the host is a backend for any number of threads", "[backends]") {
  const unsigned threads = GENERATE(1u, 2u, 3u, 8u);
  Host host(threads);
  CHECK(host.name() == "host");
  CHECK(host.capabilities().concurrency == threads);
  CHECK(host.capabilities().host_accessible);
  CHECK_FALSE(host.capabilities().asynchronous);
  CHECK(host.capabilities().memory_bytes > 0);
  assay::testing::check_backend(host);
}

TEST_CASE("a backend derived from the host is a backend of its own name", "[backends]") {
  Derived derived(2);
  CHECK(derived.name() == "derived");
  CHECK(Host().capabilities().concurrency >= 1);
  derived = Derived(3);
  CHECK(derived.capabilities().concurrency == 3);
}

TEST_CASE("a moved-from host stays usable", "[backends]") {
  Host host(2);
  Host taken = std::move(host);
  auto stream = host.make_stream().value();
  auto buffer = host.allocate<float>(10).value();
  CHECK(host.parallel_for(stream, 10, assay::testing::FillWith{buffer.data(), 1.0f}).has_value());
  CHECK(buffer.data()[9] == 1.0f);
  CHECK(&taken.thread_pool() == &host.thread_pool());
}

TEST_CASE("reductions have the same bits for any number of threads", "[backends]") {
  const std::uint64_t expected = assay::testing::expected_bits_of_reduction(777);
  for (unsigned threads = 1; threads <= 8; ++threads) {
    Host host(threads);
    for (int repetition = 0; repetition < 5; ++repetition)
      CHECK(assay::testing::bits_of_reduction(host, 777) == expected);
  }
}

TEST_CASE("a loop inside a loop runs in its own thread", "[backends]") {
  Host host(4);
  auto stream = host.make_stream().value();
  constexpr std::size_t outer = 50, inner = 200;
  std::vector<unsigned> visits(outer * inner, 0);
  REQUIRE(host.parallel_for(stream, outer, InnerLoop{&host, visits.data(), outer, inner}).has_value());
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < visits.size(); ++i) wrong += visits[i] != (i % inner) % 7 + 1 ? 1 : 0;
  CHECK(wrong == 0);
}

TEST_CASE("threads may use one host at the same time", "[backends]") {
  Host host(3);
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&wrong, copy = host, caller]() mutable {
      auto stream = copy.make_stream().value();
      for (int repetition = 0; repetition < 200; ++repetition) {
        auto buffer = copy.allocate<float>(500);
        const float value = static_cast<float>(caller * 1000 + repetition);
        if (!buffer || !copy.parallel_for(stream, 500, assay::testing::FillWith{buffer.value().data(), value})) ++wrong;
        for (std::size_t i = 0; i < 500; ++i) wrong += buffer.value().data()[i] != value ? 1 : 0;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  CHECK(wrong == 0);
}

TEST_CASE("functors on the host run in the default floating-point environment", "[backends]") {
  const unsigned threads = GENERATE(1u, 4u);
  assay::FloatingPointState strange;
  strange.rounding = assay::RoundingDirection::upward;
  strange.flush_results = true;
  strange.flush_operands = true;
  const assay::FloatingPointGuard guard(strange);
  const assay::FloatingPointState before = assay::FloatingPointState::current();
  Host host(threads);  // its threads are born with the first loop, into the caller's strange environment
  assay::testing::check_environment_of_functors(host);
  CHECK(assay::FloatingPointState::current() == before);
}

TEST_CASE("buffers come from the host's memory resource, go back to it, and keep it alive", "[backends]") {
  std::int64_t available = 1000;
  {
    std::optional<BasicHost<BudgetResource>> host(std::in_place, 1u, BudgetResource{&available});
    auto accepted = host->allocate<float>(200);
    REQUIRE(accepted.has_value());
    CHECK(available == 200);
    auto refused = host->allocate<float>(51);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().kind == assay::ErrorKind::out_of_memory);
    CHECK(available == 200);
    host.reset();
    accepted.value().data()[199] = 1.0f;
  }
  CHECK(available == 1000);
}

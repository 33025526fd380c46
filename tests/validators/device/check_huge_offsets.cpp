#include "assay/validators/device/check_huge_offsets.hpp"

#include <sys/mman.h>

#include "assay/backends/host.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

/// Addresses without memory behind them until they are used, a page at a time.
struct ReservingResource {
  std::size_t most = SIZE_MAX;
  void* allocate(std::size_t bytes, std::size_t) const noexcept {
    if (bytes > most) return nullptr;
    void* const memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    static_cast<void>(::madvise(memory, bytes, MADV_NOHUGEPAGE));
    return memory;
  }
  void deallocate(void* memory, std::size_t bytes, std::size_t) const noexcept { ::munmap(memory, bytes); }
};
using VastHost = BasicHost<ReservingResource>;

/// Inverts bytes; addresses are made as `Address` makes them.
template <class Address>
struct Invert {
  const unsigned char* in;
  unsigned char* out;
  std::int64_t columns, leading_dimension;
  void operator()(std::size_t index) const {
    const auto i = static_cast<std::int64_t>(index), at = Address{}(i / columns, i % columns, leading_dimension);
    out[at] = static_cast<unsigned char>(~in[at]);
  }
};
struct Right {
  std::int64_t operator()(std::int64_t row, std::int64_t column, std::int64_t leading) const {
    return row * leading + column;
  }
};
/// As an int would, but that what is negative is let fall, so that the test lives on.
struct Int32 {
  std::int64_t operator()(std::int64_t row, std::int64_t column, std::int64_t leading) const {
    return (row * leading + column) & 0x7FFFFFFF;
  }
};
struct Unsigned32 {
  std::int64_t operator()(std::int64_t row, std::int64_t column, std::int64_t leading) const {
    return static_cast<std::uint32_t>(row * leading + column);
  }
};
/// The row's begin in 64 bits, which is not enough, since the sum is in 32.
struct LateOverflow {
  std::int64_t operator()(std::int64_t row, std::int64_t column, std::int64_t leading) const {
    return row * leading + column == (std::int64_t{1} << 31) ? 0 : row * leading + column;
  }
};

template <class Address>
StridedKernel<VastHost> invert() {
  return {"invert", 1,
          [](VastHost& host, VastHost::Stream& stream, const void* in, void* out, Index rows, Index columns,
             Index leading) {
            return host.parallel_for(stream, static_cast<std::size_t>(rows * columns),
                                     Invert<Address>{static_cast<const unsigned char*>(in),
                                                     static_cast<unsigned char*>(out), columns, leading});
          }};
}

}  // namespace

TEST_CASE("a kernel that counts in 64 bits passes beyond 2^31 and 2^32", "[device]") {
  VastHost host(1);
  const Outcome outcome = check_huge_offsets(host, invert<Right>());
  CAPTURE(outcome.reason);
  CHECK(outcome.verdict == Verdict::pass);
  CHECK_THAT(outcome.reason, contains("beyond 2147483648, 4294967296 elements"));
}

TEST_CASE("addresses of 32 bits are found at the first element that they miss", "[device]") {
  VastHost host(1);
  Outcome outcome = check_huge_offsets(host, invert<Int32>());
  CHECK(outcome.verdict == Verdict::fail);
  CHECK(outcome.label("fault") == "index_overflow");
  CHECK_THAT(outcome.reason, contains("element 2147483648 (row 64 of 67"));
  CHECK_THAT(outcome.reason, contains("it lies behind 2147483648"));
  HugeOffsetOptions options;
  options.limits = {Index{1} << 31};
  CHECK(check_huge_offsets(host, invert<Unsigned32>(), options).verdict == Verdict::pass);
  options.limits = {Index{1} << 32};
  outcome = check_huge_offsets(host, invert<Unsigned32>(), options);
  CHECK(outcome.verdict == Verdict::fail);
  CHECK_THAT(outcome.reason, contains("element 4294967296 "));
  outcome = check_huge_offsets(host, invert<LateOverflow>());
  CHECK(outcome.verdict == Verdict::fail);
  REQUIRE(outcome.tables.at(0).rows.size() == 2);  // the same element with either limit
  CHECK(outcome.tables.at(0).rows[0] == std::vector<std::string>{"2147483648", "64", "2147483648", "1"});
  CHECK(outcome.tables.at(0).rows[1] == std::vector<std::string>{"4294967296", "32", "2147483648", "1"});
}

TEST_CASE("too little memory is told, and no pass", "[device]") {
  VastHost host(1, ReservingResource{std::size_t{3} << 30});
  Outcome outcome = check_huge_offsets(host, invert<Right>());
  CHECK(outcome.verdict == Verdict::pass);
  CHECK_THAT(outcome.reason, contains("not tried for want of memory: 4294967296"));
  VastHost small(1, ReservingResource{std::size_t{1} << 30});
  outcome = check_huge_offsets(small, invert<Right>());
  CHECK(outcome.verdict == Verdict::skipped);
  CHECK_THAT(outcome.reason, contains("no limit could be tried: 2147483648: host could not allocate"));
  HugeOffsetOptions options;
  options.limits = {100};
  CHECK_THROWS_AS(check_huge_offsets(host, invert<Right>(), options), Misuse);
  options.limits.clear();
  CHECK(check_huge_offsets(host, invert<Right>(), options).verdict == Verdict::inconclusive);
}

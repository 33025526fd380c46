#include "assay/collectives/measurement/sweep_options.hpp"

#include <limits>

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("sizes are read as nccl-tests reads them, and in powers of a thousand where they say so") {
  const auto bytes = [](std::string_view text) { return parse_size(text).value(); };
  CHECK(bytes("8") == 8);
  CHECK(bytes("1K") == 1024);
  CHECK(bytes("128M") == 134217728);
  CHECK(bytes("4g") == 4294967296.0);
  CHECK(bytes("1.5KiB") == 1536);
  CHECK(bytes("1MB") == named_sizes[0]);
  CHECK(bytes("100MB") == named_sizes[1]);
  CHECK(bytes("1GB") == named_sizes[2]);
  CHECK(bytes("0") == 0);
  for (const char* wrong : {"", "M", "-1", "1X", "1MBB", "1 M", "nan", "inf", "1e30", "0x10", "99999999T"}) {
    CAPTURE(wrong);
    CHECK(!parse_size(wrong));
  }
}

TEST_CASE("a sweep steps by its factor, and always forward") {
  SweepOptions options;
  options.least_bytes = 8;
  options.most_bytes = 100;
  CHECK(sizes_of(options) == std::vector<double>{8, 16, 32, 64});
  options.step_factor = 1.01;
  CHECK(sizes_of(options).size() == 93);
  options.least_bytes = 0;
  options.most_bytes = 3;
  options.step_factor = 2;
  CHECK(sizes_of(options) == std::vector<double>{0, 1, 2});
  options.sizes = {5};
  CHECK(sizes_of(options) == std::vector<double>{5});
}

TEST_CASE("options that contradict themselves are refused, naming the member") {
  const auto refused = [](auto&& change, const char* member) {
    SweepOptions options;
    change(options);
    const auto checked = check(options, 4);
    REQUIRE(!checked);
    CHECK(checked.error().kind == ErrorKind::invalid);
    CHECK(checked.error().message.find(member) != std::string::npos);
  };
  CHECK(check(SweepOptions{}, 4));
  refused([](SweepOptions& o) { o.operations.clear(); }, "operations");
  refused([](SweepOptions& o) { o.root = 4; }, "root is 4");
  refused([](SweepOptions& o) { o.root = -1; }, "root is -1");
  refused([](SweepOptions& o) { o.in_place = o.out_of_place = false; }, "out_of_place");
  refused([](SweepOptions& o) { o.iterations = 0; }, "iterations");
  refused([](SweepOptions& o) { o.step_factor = 1; }, "step_factor");
  refused([](SweepOptions& o) { o.step_factor = std::numeric_limits<double>::quiet_NaN(); }, "step_factor");
  refused([](SweepOptions& o) { o.most_bytes = 4; }, "least_bytes");
  refused([](SweepOptions& o) { o.sizes = {-1}; }, "sizes");
  refused([](SweepOptions& o) { o.memory_bytes = 0; }, "memory_bytes");
  refused([](SweepOptions& o) { o.deadline = {}; }, "deadline");
}

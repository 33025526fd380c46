#include "assay/io/npz.hpp"

#include "assay/report/read_file.hpp"
#include "testing/catch.hpp"
#include "testing/source_directory.hpp"

// tests/io/data: savez.npz and savez_compressed.npz were written by numpy 2.4.

using namespace assay;
using namespace assay::testing;

TEST_CASE("arrays of an archive have their names") {
  const auto read = read_npz(source_directory() / "tests" / "io" / "data" / "savez.npz");
  INFO((read ? std::string() : read.error().message));
  REQUIRE(read);
  REQUIRE(read.value().size() == 2);
  CHECK(read.value()[0].first == "a");
  CHECK(read.value()[0].second.value(2) == 2);
  CHECK(read.value()[1].first == "b");
  CHECK(read.value()[1].second.shape == std::vector<Index>{2, 2});
}

TEST_CASE("what cannot be read of an archive is refused with the reason") {
  const auto folder = source_directory() / "tests" / "io" / "data";
  const auto packed = read_npz(folder / "savez_compressed.npz");
  REQUIRE_FALSE(packed);
  CHECK(packed.error().kind == ErrorKind::unsupported);
  CHECK_THAT(packed.error().message, contains("np.savez"));
  CHECK_FALSE(parse_npz("", 0));
  const std::string whole = read_file(folder / "savez.npz").value();
  for (std::size_t length = 0; length < whole.size(); ++length) CHECK_FALSE(parse_npz(whole.data(), length));
  std::size_t told = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x55);
    const auto read = parse_npz(changed.data(), changed.size());
    told += read ? 0 : 1;
  }
  CHECK(told > whole.size() / 2);
}

#include "assay/io/npy.hpp"

#include <cstdlib>
#include <fstream>
#include <limits>

#include "assay/formats/small_formats.hpp"
#include "io/npy_file.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;
using assay::testing::npy_file;
using assay::testing::npy_header;

namespace {

Result<NpyArray> parse(const std::string& file) {
  return parse_npy(file.data(), file.size());
}

/// A file of its own for each test, removed with it.
struct TemporaryFile {
  std::string path;
  explicit TemporaryFile(const std::string& name)
      : path((std::filesystem::temp_directory_path() /
              ("assay-" + std::to_string(std::filesystem::hash_value(std::filesystem::current_path())) + "-" + name))
                 .string()) {}
  ~TemporaryFile() { std::filesystem::remove_all(path); }
};

}  // namespace

TEMPLATE_TEST_CASE("what was written is read back, bit by bit", "", float16, bfloat16, float, double) {
  const TemporaryFile file("round-trip.npy");
  std::vector<TestType> elements;
  for (const double value :
       {1.0, -0.0, 0x1p-24, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 3.14159})
    elements.push_back(encode<TestType>(value));
  for (const std::vector<Index>& shape : {std::vector<Index>{6}, {2, 3}, {1, 3, 1, 2}}) {
    REQUIRE(write_npy(file.path, elements.data(), shape));
    const auto array = read_npy(file.path);
    REQUIRE(array);
    CHECK(array.value().shape == shape);
    CHECK(array.value().type == npy_type_of<TestType>());
    CHECK(std::memcmp(array.value().bytes.data(), elements.data(), sizeof(TestType) * elements.size()) == 0);
  }
  REQUIRE(write_npy(file.path, elements.data(), {}));
  CHECK(read_npy(file.path).value().size() == 1);
  REQUIRE(write_npy(file.path, static_cast<const TestType*>(nullptr), {3, 0, 2}));
  CHECK(read_npy(file.path).value().size() == 0);
}

TEST_CASE("all three npy versions are read") {
  for (const int major : {1, 2, 3}) {
    const auto array = parse(npy_file(npy_header("<i2", "(2,)"), std::string("\x01\x00\xFF\xFF", 4), major));
    REQUIRE(array);
    CHECK(array.value().value(0) == 1);
    CHECK(array.value().value(1) == -1);
  }
}

TEST_CASE("columns first, and the most significant byte first, are turned around") {
  const std::string columns = "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3), }";
  const auto array = parse(npy_file(columns, std::string("\0\1\0\4\0\2\0\5\0\3\1\6", 12)));
  REQUIRE(array);
  CHECK(array.value().type == NpyType{NpyKind::signed_integer, 2});
  CHECK(array.value().shape == std::vector<Index>{2, 3});
  const double expected[] = {1, 2, 3, 4, 5, 262};
  for (Index i = 0; i < 6; ++i) CHECK(array.value().value(i) == expected[i]);
  const auto vector = parse(npy_file("{'descr': '|u1', 'fortran_order': True, 'shape': (3,), }", "\1\2\3"));
  REQUIRE(vector);
  CHECK(vector.value().value(2) == 3);
}

TEST_CASE("float8_e5m2 of ml_dtypes is raw bytes, as its other types are") {
  const auto array = parse(npy_file(npy_header("<f1", "(2,)"), "\x3C\x40"));
  REQUIRE(array);
  CHECK(array.value().type == NpyType{NpyKind::raw, 1});
  const auto values = array.value().values<float8_e5m2>();
  REQUIRE(values);
  CHECK(decode(values.value()[0]) == 1);
  CHECK(decode(values.value()[1]) == 2);
}

TEST_CASE("files that are not what they say are refused, with the byte counts") {
  const auto refused = [](const std::string& file, ErrorKind kind, const std::string& reason) {
    const auto array = parse(file);
    REQUIRE_FALSE(array);
    CHECK(array.error().kind == kind);
    CHECK_THAT(array.error().message, contains(reason));
  };
  refused("", ErrorKind::malformed, "empty");
  refused("\x93NUM", ErrorKind::malformed, "4 bytes");
  refused("PK\x03\x04 not an npy file", ErrorKind::malformed, ".npz");
  refused(npy_file(npy_header("<f4", "(2,)"), std::string(8, '\0'), 4), ErrorKind::unsupported, "version 4.0");
  refused(npy_file(npy_header("<f4", "(2,)"), std::string(8, '\0'), 1, 1), ErrorKind::unsupported, "version 1.1");
  refused(npy_file(npy_header("<f4", "(2,)"), std::string(7, '\0')), ErrorKind::malformed,
          "need 8 bytes of data, the file has 7");
  refused(npy_file(npy_header("<f4", "(2,)"), std::string(9, '\0')), ErrorKind::malformed,
          "need 8 bytes of data, the file has 9");
  refused(npy_file(npy_header("<f4", "(1000000000000,)"), ""), ErrorKind::malformed, "need 4000000000000 bytes");
  refused(std::string("\x93NUMPY\x02\x00\xFF\xFF\xFF\xFF{", 13), ErrorKind::malformed,
          "4294967295 bytes, but only 1 follow");
  refused(npy_file(npy_header("|O", "(1,)"), "x"), ErrorKind::unsupported, "npy data: dtype '|O'");
}

TEST_CASE("a file cut at any byte is refused, never read beyond its end") {
  for (const int major : {1, 2}) {
    const std::string whole = npy_file(npy_header("<f4", "(2, 3)"), std::string(24, '\1'), major);
    REQUIRE(parse(whole));
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const std::vector<char> exact(
          whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));  // so that a sanitizer sees its end
      CHECK_FALSE(parse_npy(exact.data(), exact.size()));
    }
  }
}

TEST_CASE("a file with any byte changed is read as what it says, or refused") {
  const std::string whole = npy_file(npy_header("<f4", "(2, 3)"), std::string(24, '\1'));
  int refusals = 0;
  for (std::size_t position = 0; position < whole.size() - 24; ++position)
    for (int value = 0; value < 256; ++value) {
      std::string changed = whole;
      changed[position] = static_cast<char>(value);
      const auto array = parse(changed);
      if (!array) {
        ++refusals;
        continue;
      }
      Index product = static_cast<Index>(array.value().type.size);
      for (const Index extent : array.value().shape) product *= extent;
      if (product != 24 || array.value().bytes.size() != 24)
        FAIL("byte " << position << " = " << value << " gave " << product << " bytes");
    }
  CHECK(refusals > 15000);
}

TEST_CASE("paths that cannot be read or written are told apart") {
  const TemporaryFile directory("directory");
  std::filesystem::create_directory(directory.path);
  const auto absent = read_npy(directory.path + "/absent.npy");
  REQUIRE_FALSE(absent);
  CHECK(absent.error().kind == ErrorKind::not_found);
  const auto folder = read_npy(directory.path);
  REQUIRE_FALSE(folder);
  CHECK(folder.error().kind == ErrorKind::io);
  CHECK_THAT(folder.error().message, contains("is a directory"));
  std::ofstream(directory.path + "/empty.npy").close();
  CHECK_THAT(read_npy(directory.path + "/empty.npy").error().message, contains("empty.npy: the file is empty"));
  const float one = 1;
  const auto unwritable = write_npy(directory.path + "/no/such/folder.npy", &one, {1});
  REQUIRE_FALSE(unwritable);
  CHECK(unwritable.error().kind == ErrorKind::io);
  if (std::filesystem::exists("/dev/full")) {
    const std::vector<float> many(100000);
    const auto full = write_npy("/dev/full", many.data(), {100000});
    REQUIRE_FALSE(full);
    CHECK(full.error().kind == ErrorKind::io);
    CHECK(std::filesystem::exists("/dev/full"));
  }
  CHECK_THROWS_AS(write_npy(directory.path + "/x.npy", &one, {-1}), Misuse);
  CHECK_THROWS_AS(write_npy(directory.path + "/x.npy", &one, {INT64_MAX, 2}), Misuse);
  CHECK_THROWS_AS(write_npy(directory.path + "/x.npy", static_cast<const float*>(nullptr), {1}), Misuse);
}

// Run by numpy_oracle.py, which writes the files that are read here, and reads what is written here.
TEST_CASE("numpy and we read each other's files", "[.numpy]") {
  const char* directory = std::getenv("ASSAY_NUMPY_DIRECTORY");
  REQUIRE(directory != nullptr);
  const std::string folder = std::string(directory) + "/";
  std::ifstream manifest(folder +
                         "manifest.txt");  // a line a file: its name, its rank and extents, its size, its values
  std::string name;
  int files = 0;
  while (manifest >> name) {
    INFO(name);
    ++files;
    std::size_t rank = 0, size = 0;
    manifest >> rank;
    std::vector<Index> shape(rank);
    for (Index& extent : shape) manifest >> extent;
    const auto array = read_npy(folder + name);
    REQUIRE(array);
    CHECK(array.value().shape == shape);
    manifest >> size;
    REQUIRE(array.value().size() == static_cast<Index>(size));
    const bool raw = array.value().type.kind == NpyKind::raw;
    const auto brain = raw ? array.value().values<bfloat16>().value() : std::vector<bfloat16>();
    for (std::size_t i = 0; i < size; ++i) {
      std::string text;
      manifest >> text;
      CHECK((raw ? decode(brain[i]) : array.value().value(static_cast<Index>(i))) ==
            std::strtod(text.c_str(), nullptr));
    }
  }
  CHECK(files > 20);
  const auto write = [&]<class T>(const char* file, T) {
    std::vector<T> elements;
    for (int i = 0; i < 6; ++i) elements.push_back(encode<T>(i * 0.75 - 1));
    REQUIRE(write_npy(folder + file, elements.data(), {2, 3}));
  };
  write("ours-f2.npy", float16{});
  write("ours-f4.npy", float{});
  write("ours-f8.npy", double{});
  write("ours-bf16.npy", bfloat16{});
}

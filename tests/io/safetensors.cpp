#include "assay/io/safetensors.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;

namespace {

/// A file of any header and data, right or wrong, with the length that the header has.
std::string file_of(const std::string& header, const std::string& data) {
  std::string file;
  for (int byte = 0; byte < 8; ++byte) file += static_cast<char>(header.size() >> (8 * byte) & 0xFF);
  return file + header + data;
}

std::string entry(const std::string& name, const std::string& type, const std::string& shape,
                  const std::string& offsets) {
  return "\"" + name + "\":{\"dtype\":\"" + type + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
}

/// Parses in a buffer of exactly the file's size, so that a sanitizer sees its end, and reads every tensor.
Result<std::size_t> read_all(const std::string& file) {
  const std::vector<char> exact(file.begin(), file.end());
  const auto parsed = parse_safetensors(exact.data(), exact.size());
  if (!parsed) return parsed.propagate();
  std::size_t bytes = 0;
  for (const SafetensorsEntry& tensor : parsed.value().entries()) {
    const auto read = parsed.value().read(tensor);
    if (!read) return read.propagate();
    if (read.value().value_count() != tensor.value_count()) return failure(ErrorKind::invalid, "counts differ");
    for (Index i = 0; i < tensor.value_count(); ++i) (void)read.value().value(i);
    bytes += read.value().bytes.size();
  }
  return bytes;
}

/// Two tensors and metadata: 62 bytes of data.
std::string small_file() {
  return file_of("{\"__metadata__\":{\"a\":\"b\"}," + entry("w", "F32", "[3,4]", "[0,48]") + "," +
                     entry("six", "F6_E2M3", "[2, 4]", "[48,54]") + "," + entry("s", "F64", "[]", "[54,62]") + "}  ",
                 std::string(62, '\x21'));
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

struct TemporaryFile {
  std::string path;
  explicit TemporaryFile(const std::string& name)
      : path((std::filesystem::temp_directory_path() /
              ("assay-" + std::to_string(std::filesystem::hash_value(std::filesystem::current_path())) + "-" + name))
                 .string()) {}
  ~TemporaryFile() { std::filesystem::remove_all(path); }
};

/// Tensors of every dtype, some empty or scalar, with their bytes.
struct AllTypes {
  std::vector<std::string> bytes;
  std::vector<SafetensorsData> tensors;

  AllTypes() {
    bytes.reserve(std::size(safetensors_types) + 2);
    for (const SafetensorsTypeFacts& facts : safetensors_types) add(facts.name, facts.type, {2, 4});
    add("empty", SafetensorsType::i16, {3, 0});
    add("scalar \"with\" ünusual\nname", SafetensorsType::bf16, {});
  }
  void add(const std::string& name, SafetensorsType type, const std::vector<Index>& shape) {
    bytes.emplace_back(static_cast<std::size_t>(detail::safetensors_bytes(type, shape)), '\0');
    for (std::size_t i = 0; i < bytes.back().size(); ++i)
      bytes.back()[i] = static_cast<char>(37 * i + 11 * tensors.size());
    if (type == SafetensorsType::boolean)
      for (char& code : bytes.back()) code &= 1;
    tensors.push_back({name, type, shape, bytes.back().data()});
  }
};

}  // namespace

TEST_CASE("every dtype of safetensors is written and read back, bit by bit") {
  const TemporaryFile file("round-trip.safetensors");
  const AllTypes all;
  const std::map<std::string, std::string> metadata{{"format", "pt"}, {"ü \"quoted\"", "\x01\n"}};
  REQUIRE(write_safetensors(file.path, all.tensors, metadata));
  const auto opened = open_safetensors(file.path);
  REQUIRE(opened);
  CHECK(opened.value().metadata() == metadata);
  REQUIRE(opened.value().entries().size() == all.tensors.size());
  for (std::size_t i = 0; i < all.tensors.size(); ++i) {
    INFO(all.tensors[i].name);
    const auto tensor = opened.value().read(all.tensors[i].name);
    REQUIRE(tensor);
    CHECK(tensor.value().type == all.tensors[i].type);
    CHECK(tensor.value().shape == all.tensors[i].shape);
    REQUIRE(tensor.value().bytes.size() == all.bytes[i].size());
    CHECK(std::equal(all.bytes[i].begin(), all.bytes[i].end(),
                     reinterpret_cast<const char*>(tensor.value().bytes.data())));
  }
  Index end = 0;
  for (const SafetensorsEntry& tensor : opened.value().entries()) {
    CHECK(tensor.begin == end);
    end = tensor.end;
  }
  CHECK(read_all(read_file(file.path)));
}

TEST_CASE("tensors are aligned: the widest dtype first, then by name, after a header of a multiple of 8 bytes") {
  const TemporaryFile file("order.safetensors");
  const std::uint8_t bytes[16] = {};
  REQUIRE(write_safetensors(file.path, {{"b", SafetensorsType::u8, {3}, bytes},
                                        {"z", SafetensorsType::f32, {1}, bytes},
                                        {"a", SafetensorsType::f32, {2}, bytes}}));
  const std::string header = "{" + entry("a", "F32", "[2]", "[0,8]") + "," + entry("z", "F32", "[1]", "[8,12]") + "," +
                             entry("b", "U8", "[3]", "[12,15]") + "}";
  const std::string padded = header + std::string((8 - header.size() % 8) % 8, ' ');
  CHECK(read_file(file.path) == file_of(padded, std::string(15, '\0')));
  REQUIRE(write_safetensors(file.path, {}));
  CHECK(open_safetensors(file.path).value().entries().empty());
}

TEST_CASE("a safetensors file cut at any byte, or longer than it says, is refused") {
  const std::string whole = small_file();
  REQUIRE(read_all(whole).value() == 62);
  for (std::size_t size = 0; size < whole.size(); ++size) CHECK_FALSE(read_all(whole.substr(0, size)));
  CHECK_THAT(read_all(whole + "x").error().message, contains("have 62 bytes of data, the file has 63"));
}

TEST_CASE("a safetensors file with any byte of its header changed is read as what it says, or refused") {
  const std::string whole = small_file();
  int refusals = 0, taken = 0;
  for (std::size_t position = 0; position < whole.size() - 62; ++position)
    for (int value = 0; value < 256; ++value) {
      std::string changed = whole;
      changed[position] = static_cast<char>(value);
      const auto bytes = read_all(changed);
      ++(bytes ? taken : refusals);
      if (bytes && bytes.value() != 62)
        FAIL("byte " << position << " = " << value << " gave " << bytes.value() << " bytes");
    }
  CHECK(refusals > 30000);
  CHECK(taken > 500);  // names and metadata may be anything
}

TEST_CASE("lengths, offsets and shapes that lie are refused with what is wrong") {
  const auto refused = [](const std::string& file, const std::string& reason, ErrorKind kind = ErrorKind::malformed) {
    const auto read = read_all(file);
    INFO(file);
    REQUIRE_FALSE(read);
    CHECK(read.error().kind == kind);
    CHECK_THAT(read.error().message, contains("safetensors data: ") && contains(reason));
  };
  const auto one = [](const std::string& type, const std::string& shape, const std::string& offsets) {
    return "{" + entry("t", type, shape, offsets) + "}";
  };
  const std::string eight(8, '\0');
  refused("", "it has 0 bytes");
  refused("1234567", "it has 7 bytes");
  refused(eight, "does not begin with '{'");
  refused(std::string("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF{}", 10), "18446744073709551615 bytes, at most 100000000");
  refused(std::string("\x01\xE1\xF5\x05\0\0\0\0{}", 10), "100000001 bytes, at most 100000000");
  refused(std::string("\x00\xE1\xF5\x05\0\0\0\0{}", 10), "100000000 bytes, but only 2 follow");
  refused(file_of(" {}", ""), "does not begin with '{'");
  refused(file_of("[]", ""), "does not begin with '{'");
  refused(file_of("{}", "x"), "have 0 bytes of data, the file has 1");
  refused(file_of("{} {}", ""), "not JSON");
  refused(file_of(std::string("{}\0", 3), ""), "its byte 2 is 0");
  refused(file_of("{\"a\xFF\":1}", ""), "not JSON in UTF-8");
  refused(file_of("{\"t\":[]}", ""), "expected an object");
  refused(file_of("{\"t\":{}}", ""), "dtype is missing");
  refused(file_of("{\"t\":{\"dtype\":\"F32\",\"shape\":[]}}", ""), "data_offsets is missing");
  refused(file_of("{\"t\":{\"dtype\":\"F32\",\"dtype\":\"F32\"}}", ""), "dtype is given twice");
  refused(file_of("{\"t\":{\"dtype\":\"F32\",\"strides\":[]}}", ""), "unknown member 'strides'");
  refused(file_of("{\"t\":{\"dtype\":32}}", ""), "dtype must be a string, found the number 32");
  refused(file_of(one("F33", "[2]", "[0,8]"), eight), "unknown dtype 'F33'", ErrorKind::unsupported);
  refused(file_of("{" + entry("t", "U8", "[4]", "[0,4]") + "," + entry("t", "U8", "[4]", "[4,8]") + "}", eight),
          "'t' stands in the header twice");
  refused(file_of("{\"__metadata__\":{},\"__metadata__\":{}}", ""), "twice");
  refused(file_of("{\"__metadata__\":{\"a\":\"b\",\"a\":\"c\"}}", ""), "twice");
  refused(file_of("{\"__metadata__\":{\"a\":1}}", ""), "the value of 'a' must be a string, found the number 1");
  refused(file_of("{\"__metadata__\":\"a\"}", ""), "must be an object of strings");
  for (const char* number :
       {"-2", "2.0", "1e1", "\"2\"", "[2]", "null", "true", "{}", "9223372036854775808", "18446744073709551616"}) {
    refused(file_of(one("F32", "[" + std::string(number) + "]", "[0,8]"), eight),
            "shape must be an array of whole numbers");
    refused(file_of(one("F32", "[2]", "[0," + std::string(number) + "]"), eight),
            "data_offsets must be two whole numbers");
  }
  refused(file_of(one("F32", "2", "[0,8]"), eight), "shape must be an array");
  refused(file_of(one("F32", "[2]", "[8]"), eight), "data_offsets has 1 numbers");
  refused(file_of(one("F32", "[2]", "[0,8,8]"), eight), "more than two");
  refused(file_of(one("F32", "[2]", "[8,0]"), eight), "end before they begin");
  refused(file_of(one("F32", "[3]", "[0,8]"), eight), "need 12 bytes, its data_offsets [0, 8] hold 8");
  refused(file_of(one("F32", "[2]", "[0,9223372036854775807]"), eight), "need 8 bytes");
  refused(file_of(one("F32", "[4294967296,4294967296]", "[0,8]"), eight), "exceeds 2^63");
  refused(file_of(one("F32", "[0,4294967296,4294967296]", "[0,0]"), ""), "exceeds 2^63");
  refused(file_of(one("U8", "[9223372036854775807]", "[0,8]"), eight), "exceeds 2^63");
  refused(file_of(one("F4", "[3]", "[0,2]"), "xx"), "no whole number of bytes");
  refused(file_of(one("F6_E3M2", "[2]", "[0,2]"), "xx"), "no whole number of bytes");
  refused(file_of(one("F32", "[1]", "[4,8]"), eight), "begins at byte 4 of the data, which must begin at 0");
  refused(file_of(one("F32", "[1]", "[0,4]"), eight), "have 4 bytes of data, the file has 8");
  refused(file_of(one("F32", "[100]", "[0,400]"), eight), "have 400 bytes of data, the file has 8");
  refused(file_of("{" + entry("a", "U8", "[2]", "[0,2]") + "," + entry("b", "U8", "[4]", "[4,8]") + "}", eight),
          "'b' begins at byte 4 of the data, that of 'a' ends at 2");
  refused(file_of("{" + entry("a", "U8", "[6]", "[0,6]") + "," + entry("b", "U8", "[4]", "[4,8]") + "}", eight),
          "must not overlap");
  refused(file_of("{" + entry("a", "U8", "[8]", "[0,8]") + "," + entry("b", "U8", "[0]", "[3,3]") + "}", eight),
          "must not overlap");
  refused(file_of("{\"\x1b[2J"
                  "t\":{}}",
                  ""),
          "not JSON");
  CHECK(read_all(file_of("{\"" + std::string(1'000'000, 'n') + "\":{}}", "")).error().message.size() < 300);
  CHECK_FALSE(read_all(file_of("{\"t\":" + std::string(1'000'000, '['), "")));
}

TEST_CASE("headers that only look odd are read") {
  const auto read = [](const std::string& header, const std::string& data) {
    return read_all(file_of(header, data)).value();
  };
  CHECK(read("{}", "") == 0);
  CHECK(read("{}   \n\t", "") == 0);
  CHECK(read("{\"__metadata__\":{}}", "") == 0);
  CHECK(read("{ \"t\" : { \"shape\" : [ 2 ] , \"data_offsets\" : [ 0 , 8 ] , \"dtype\" : \"F32\" } }",
             std::string(8, '\0')) == 8);
  CHECK(read("{" + entry("b", "U8", "[4]", "[4,8]") + "," + entry("a", "U8", "[4]", "[0,4]") + "}",
             std::string(8, '\0')) == 8);
  CHECK(read("{" + entry("", "U8", "[4,1]", "[0,4]") + "," + entry("e", "U8", "[0,7]", "[4,4]") + "," +
                 entry("f", "U8", "[0]", "[0,0]") + "}",
             std::string(4, '\0')) == 4);
}

TEST_CASE("safetensors paths that cannot be read or written are told apart") {
  const TemporaryFile directory("safetensors-directory");
  std::filesystem::create_directory(directory.path);
  const auto absent = open_safetensors(directory.path + "/absent.safetensors");
  REQUIRE_FALSE(absent);
  CHECK(absent.error().kind == ErrorKind::not_found);
  CHECK_THAT(absent.error().message, contains("absent.safetensors: no such file"));
  CHECK_THAT(open_safetensors(directory.path).error().message, contains("is a directory"));
  if (std::filesystem::exists("/dev/null"))
    CHECK_THAT(open_safetensors("/dev/null").error().message, contains("not a regular file"));
  std::ofstream(directory.path + "/empty").close();
  CHECK_THAT(open_safetensors(directory.path + "/empty").error().message, contains("/empty: not a safetensors file"));
  const std::vector<float> many(100000);
  const auto unwritable =
      write_safetensors(directory.path + "/no/such", {safetensors_data("w", many.data(), {100000})});
  REQUIRE_FALSE(unwritable);
  CHECK(unwritable.error().kind == ErrorKind::io);
  if (std::filesystem::exists("/dev/full"))
    CHECK_FALSE(write_safetensors("/dev/full", {safetensors_data("w", many.data(), {100000})}));

  const std::string path = directory.path + "/cut";
  REQUIRE(write_safetensors(path, {safetensors_data("w", many.data(), {100000})}));
  const auto opened = open_safetensors(path);
  REQUIRE(opened);
  std::filesystem::resize_file(path, 1000);
  const auto cut = opened.value().read("w");
  REQUIRE_FALSE(cut);
  CHECK_THAT(cut.error().message, contains("changed meanwhile"));
}

TEST_CASE("what safetensors cannot hold is not written") {
  const TemporaryFile file("misuse.safetensors");
  const float one = 1;
  const auto tensor = [&](const std::string& name) { return safetensors_data(name, &one, {1}); };
  CHECK_THROWS_WITH(write_safetensors(file.path, {tensor("a"), tensor("a")}), contains("two tensors are called 'a'"));
  CHECK_THROWS_WITH(write_safetensors(file.path, {tensor("__metadata__")}), contains("holds the file's metadata"));
  CHECK_THROWS_WITH(write_safetensors(file.path, {tensor("\xFF")}), contains("not UTF-8"));
  CHECK_THROWS_WITH(write_safetensors(file.path, {tensor("a")}, {{"a", "\xFF"}}), contains("not UTF-8"));
  CHECK_THROWS_AS(write_safetensors(file.path, {safetensors_data("a", &one, {-1})}), Misuse);
  CHECK_THROWS_AS(write_safetensors(file.path, {safetensors_data("a", &one, {INT64_MAX})}), Misuse);
  CHECK_THROWS_AS(write_safetensors(file.path, {{"a", SafetensorsType::f4, {3}, &one}}), Misuse);
  CHECK_THROWS_AS(write_safetensors(file.path, {safetensors_data("a", static_cast<const float*>(nullptr), {1})}),
                  Misuse);
  CHECK_FALSE(std::filesystem::exists(file.path));
}

// Run by safetensors_oracle.py, which judges the same files with the reference implementation, and reads what is
// written here.
TEST_CASE("the reference implementation and we judge and read each other's files", "[.safetensors]") {
  const char* directory = std::getenv("ASSAY_SAFETENSORS_DIRECTORY");
  REQUIRE(directory != nullptr);
  const std::string folder = std::string(directory) + "/";
  const std::string corpus = read_file(folder + "corpus");  // 8 bytes of length before each file
  std::string verdicts;
  for (std::size_t position = 0; position < corpus.size();) {
    std::uint64_t size = 0;
    std::memcpy(&size, corpus.data() + position, sizeof size);
    verdicts += read_all(corpus.substr(position + 8, size)) ? '1' : '0';
    position += 8 + size;
  }
  std::ofstream(folder + "verdicts") << verdicts;
  const AllTypes all;
  REQUIRE(write_safetensors(folder + "ours.safetensors", all.tensors, {{"format", "pt"}}));
  // What the reference implementation wrote is read and written again: the same bytes.
  const auto theirs = open_safetensors(folder + "theirs.safetensors");
  REQUIRE(theirs);
  std::vector<SafetensorsTensor> tensors;
  std::vector<SafetensorsData> again;
  for (const SafetensorsEntry& tensor : theirs.value().entries())
    tensors.push_back(theirs.value().read(tensor).value());
  for (std::size_t i = 0; i < tensors.size(); ++i)
    again.push_back({theirs.value().entries()[i].name, tensors[i].type, tensors[i].shape, tensors[i].bytes.data()});
  REQUIRE(write_safetensors(folder + "again.safetensors", again, theirs.value().metadata()));
  std::ofstream values(folder + "values");
  values << std::hexfloat;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    values << again[i].name;
    for (Index k = 0; k < tensors[i].value_count(); ++k) values << ' ' << tensors[i].value(k);
    values << '\n';
  }
}

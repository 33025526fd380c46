// Encodes and decodes files of numbers, for ml_dtypes_oracle.py to hold against ml_dtypes and numpy.

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "assay/formats/format_traits.hpp"
#include "assay/formats/small_formats.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

template <class T>
std::vector<T> read(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  REQUIRE(file.good());
  std::vector<T> values(static_cast<std::size_t>(file.tellg()) / sizeof(T));
  file.seekg(0).read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(T)));
  REQUIRE(file.good());
  return values;
}

template <class T>
void write(const std::string& path, const std::vector<T>& values) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(T)));
  REQUIRE(file.good());
}

template <class T, class Real>
void encode_file(const std::string& from, const std::string& to) {
  using Traits = FormatTraits<T>;
  const auto values = read<Real>(from);
  std::vector<typename Traits::Bits> codes(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) codes[i] = Traits::to_bits(encode<T>(static_cast<double>(values[i])));
  write(to, codes);
}

template <class T>
void decode_file(const std::string& from, const std::string& to) {
  using Traits = FormatTraits<T>;
  const auto codes = read<typename Traits::Bits>(from);
  std::vector<double> values(codes.size());
  for (std::size_t i = 0; i < codes.size(); ++i) values[i] = decode(Traits::from_bits(codes[i]));
  write(to, values);
}

template <class T>
bool convert(const std::string& format, const std::string& conversion, const std::string& from, const std::string& to) {
  if (format != FormatTraits<T>::name()) return false;
  if (conversion == "decode") decode_file<T>(from, to);
  if (conversion == "encode_f32") encode_file<T, float>(from, to);
  if (conversion == "encode_f64") encode_file<T, double>(from, to);
  return true;
}

template <class... Formats>
bool convert_one_of(const std::string& format, const std::string& conversion, const std::string& from,
                    const std::string& to) {
  return (convert<Formats>(format, conversion, from, to) || ...);
}

}  // namespace

// A line a request: format, conversion, file to read, file to write.
TEST_CASE("files of numbers are converted for the oracle", "[.ml_dtypes]") {
  const char* directory = std::getenv("ASSAY_ORACLE_DIRECTORY");
  REQUIRE(directory != nullptr);
  const std::string folder = std::string(directory) + "/";
  std::ifstream requests(folder + "requests.txt");
  std::string format, conversion, from, to;
  while (requests >> format >> conversion >> from >> to) {
    INFO(format << ' ' << conversion);
    REQUIRE(convert_one_of<float16, bfloat16, float8_e4m3fn, float8_e5m2, float8_e4m3fnuz, float8_e5m2fnuz,
                           float8_e4m3b11fnuz, float8_e4m3, float8_e3m4, float8_e8m0fnu, float6_e2m3fn, float6_e3m2fn,
                           float4_e2m1fn, assay::int4_t, assay::uint4_t, assay::int2_t, assay::uint2_t>(
        format, conversion, folder + from, folder + to));
  }
  CHECK(requests.eof());
}

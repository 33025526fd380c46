#include "assay/io/safetensors_file.hpp"

#include <cstring>

#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;

namespace {

/// A file whose header was read by somebody else: three tensors after 16 bytes of header.
struct Opened {
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(16, 0xEE);
  std::vector<float> floats;
  SafetensorsFile file;

  explicit Opened(std::size_t readable = SIZE_MAX)
      : file("f.safetensors", header(), 16,
             [this, readable](std::size_t position, void* destination, std::size_t count) {
               if (position + count > bytes.size() || position + count > readable) return false;
               std::memcpy(destination, bytes.data() + position, count);
               return true;
             }) {
    for (int i = 0; i < 20000; ++i) floats.push_back(static_cast<float>(i) * 0.5F);
    bytes.resize(16 + 80000);
    std::memcpy(bytes.data() + 16, floats.data(), 80000);
    for (const int byte : {0x81, 0xF0, 0xA1, 0x81, 0xF0, 0xA1, 0x10, 0x32})
      bytes.push_back(static_cast<std::uint8_t>(byte));
  }

  static detail::SafetensorsHeader header() {
    return {{{"layer.weight", SafetensorsType::f32, {100, 200}, 0, 80000},
             {"six", SafetensorsType::f6_e2m3, {8}, 80000, 80006},
             {"four", SafetensorsType::f4, {4}, 80006, 80008}},
            {{"made", "by hand"}}};
  }
};

}  // namespace

TEST_CASE("tensors are found by name, and the nearest is named") {
  const Opened opened;
  CHECK(opened.file.name() == "f.safetensors");
  CHECK(opened.file.metadata().at("made") == "by hand");
  CHECK(opened.file.entries().size() == 3);
  CHECK(opened.file.find("six").value().begin == 80000);
  const auto absent = opened.file.find("layer.wieght");
  REQUIRE_FALSE(absent);
  CHECK(absent.error().kind == ErrorKind::not_found);
  CHECK_THAT(absent.error().message,
             contains("f.safetensors") && contains("'layer.wieght'") && contains("'layer.weight'"));
  CHECK_FALSE(opened.file.read("seven"));
}

TEST_CASE("any part of a tensor is read, also where codes share bytes") {
  const Opened opened;
  const auto& entries = opened.file.entries();
  std::vector<double> values(20000, -1);
  REQUIRE(opened.file.read_values(entries[0], 0, 20000, values.data()));
  for (std::size_t i = 0; i < values.size(); ++i) CHECK(values[i] == static_cast<double>(opened.floats[i]));
  const double six[] = {0.125, 0.25, 7.5, -1, 0.125, 0.25, 7.5, -1}, four[] = {0, 0.5, 1, 1.5};
  for (Index first = 0; first <= 8; ++first)
    for (Index count = 0; first + count <= 8; ++count) {
      std::vector<double> part(static_cast<std::size_t>(count), -100);
      REQUIRE(opened.file.read_values(entries[1], first, count, part.data()));
      CHECK(part == std::vector<double>(six + first, six + first + count));
      if (first + count > 4) continue;
      REQUIRE(opened.file.read_values(entries[2], first, count, part.data()));
      CHECK(part == std::vector<double>(four + first, four + first + count));
    }
  CHECK(opened.file.read("four").value().value(3) == 1.5);
  std::byte two[2];
  REQUIRE(opened.file.read_bytes(entries[1], 2, 2, two));
  CHECK(two[0] == std::byte{0xA1});
}

TEST_CASE("what lies outside a tensor or is cut off later is not read") {
  const Opened opened;
  const auto& entries = opened.file.entries();
  double value = 0;
  std::byte byte{};
  CHECK_THROWS_AS(opened.file.read_values(entries[2], 4, 1, &value), Misuse);
  CHECK_THROWS_AS(opened.file.read_values(entries[2], -1, 1, &value), Misuse);
  CHECK_THROWS_AS(opened.file.read_values(entries[2], 1, INT64_MAX, &value), Misuse);
  CHECK_THROWS_AS(opened.file.read_bytes(entries[2], 2, 1, &byte), Misuse);
  SafetensorsEntry other = entries[2];
  other.end += 1;
  CHECK_THROWS_WITH(opened.file.read_bytes(other, 0, 1, &byte), contains("no entry of f.safetensors"));
  const Opened cut(16 + 79999);
  const auto read = cut.file.read(entries[0]);
  REQUIRE_FALSE(read);
  CHECK(read.error().kind == ErrorKind::io);
  CHECK_THAT(read.error().message, contains("'layer.weight' could not be read whole"));
  CHECK(cut.file.read_values(entries[0], 0, 100, std::vector<double>(100).data()));
  CHECK_FALSE(cut.file.read_values(entries[0], 19999, 1, &value));
}

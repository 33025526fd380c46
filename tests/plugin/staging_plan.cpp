#include "assay/plugin/staging_plan.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "assay/formats/element_format.hpp"
#include "testing/catch.hpp"

namespace {

using assay::Index;
using assay::plan_staging;
using assay::PluginRequest;
using assay::StagedBlock;
using assay::StagingPlan;

/// Memory of the host that begins at a boundary of 64 bytes.
struct Memory {
  alignas(64) std::array<unsigned char, 4096> bytes{};
  [[nodiscard]] unsigned char* at(std::size_t place) { return bytes.data() + place; }
};

assay::Operand vector_of(unsigned char* data, Index size, Index stride, Index guard) {
  assay::Operand operand;
  operand.data = data;
  operand.rank = 1;
  operand.extents[0] = size;
  operand.strides[0] = stride;
  operand.format = assay::element_format<assay::float32>();
  operand.guard_bytes = guard;
  return operand;
}

PluginRequest request_of(const std::vector<assay::Operand>& operands) {
  PluginRequest request;
  for (const assay::Operand& operand : operands)
    request.tensors.push_back({"x", assay::OperandRole::input, operand.format, operand});
  return request;
}

std::pair<std::ptrdiff_t, std::ptrdiff_t> covered(const StagedBlock& block, const Memory& memory) {
  return {block.begin - memory.bytes.data(), block.end - memory.bytes.data()};
}

using Covered = std::pair<std::ptrdiff_t, std::ptrdiff_t>;

}  // namespace

TEST_CASE("each operand is staged with its guards, and its first element lies where the plan says") {
  Memory memory;
  // The last one goes backwards: its first element is the last in memory.
  const PluginRequest request = request_of({vector_of(memory.at(256), 8, 1, 64), vector_of(memory.at(1024), 8, 3, 32),
                                            vector_of(memory.at(2048 + 7 * 4), 8, -1, 16)});
  for (const std::size_t alignment : {std::size_t{64}, std::size_t{256}}) {
    const StagingPlan plan = plan_staging(request, alignment);
    REQUIRE(plan.blocks.size() == 3);
    CHECK(covered(plan.blocks[0], memory) == Covered{256 - 64, 256 + 32 + 64});
    CHECK(covered(plan.blocks[1], memory) == Covered{1024 - 32, 1024 + (7 * 3 + 1) * 4 + 32});
    CHECK(covered(plan.blocks[2], memory) == Covered{2048 - 16, 2048 + 32 + 16});
    for (std::size_t i = 0; i < 3; ++i) {
      const auto& place = plan.places[i];
      const StagedBlock& block = plan.blocks[place.block];
      CHECK(place.present);
      const auto* const data = static_cast<const unsigned char*>(request.tensors[i].operand.data);
      CHECK(block.begin + (place.offset - block.offset) == data);
      CHECK(place.offset % alignment == reinterpret_cast<std::uintptr_t>(data) % 64);
      CHECK(block.buffer_bytes() == block.offset + block.bytes());
      CHECK(place.offset < block.buffer_bytes());
    }
  }
}

TEST_CASE("an operand that does not begin at a boundary stays misaligned by as much") {
  Memory memory;
  for (const std::size_t misaligned : {4, 12, 60}) {
    const StagingPlan plan = plan_staging(request_of({vector_of(memory.at(512 + misaligned), 5, 1, 8)}), 256);
    CHECK(plan.places[0].offset % 256 == misaligned);
  }
}

TEST_CASE("operands that overlap, by their elements or their guards, are one block") {
  Memory memory;
  const PluginRequest request =
      request_of({vector_of(memory.at(256), 8, 1, 0), vector_of(memory.at(1024), 8, 1, 0),
                  vector_of(memory.at(272), 8, 1, 0), vector_of(memory.at(304 + 16), 8, 1, 32)});
  const StagingPlan plan = plan_staging(request, 64);
  REQUIRE(plan.blocks.size() == 2);
  CHECK(covered(plan.blocks[plan.places[1].block], memory) == Covered{1024, 1056});
  CHECK(covered(plan.blocks[plan.places[0].block], memory) == Covered{256, 320 + 32 + 32});
  CHECK(plan.places[2].block == plan.places[0].block);
  CHECK(plan.places[3].block == plan.places[0].block);
  CHECK(plan.places[2].offset == plan.places[0].offset + 16);
  CHECK(plan.places[3].offset == plan.places[0].offset + 64);
  // Two that only touch are two.
  const StagingPlan apart =
      plan_staging(request_of({vector_of(memory.at(0), 8, 1, 0), vector_of(memory.at(32), 8, 1, 0)}), 64);
  CHECK(apart.blocks.size() == 2);
}

TEST_CASE("what is not there, or has no elements and no guards, is not staged") {
  Memory memory;
  assay::Operand absent;
  const StagingPlan plan =
      plan_staging(request_of({absent, vector_of(memory.at(64), 0, 1, 0), vector_of(memory.at(128), 1, 1, 0)}), 64);
  REQUIRE(plan.blocks.size() == 1);
  CHECK(!plan.places[0].present);
  CHECK(!plan.places[1].present);
  CHECK(plan.places[2].present);
  CHECK(plan.blocks[0].bytes() == 4);
  CHECK(plan.blocks[0].buffer_bytes() == 64);
  // Guards of an operand without elements are there to be written over.
  const StagingPlan guarded = plan_staging(request_of({vector_of(memory.at(256), 0, 1, 16)}), 64);
  REQUIRE(guarded.blocks.size() == 1);
  CHECK(covered(guarded.blocks[0], memory) == Covered{240, 272});
}

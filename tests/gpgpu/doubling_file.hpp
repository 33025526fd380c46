#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "assay/gpgpu/kernels/kernel_file.hpp"
#include "assay/plugin/plugin_request.hpp"
#include "assay/tensor/operand_tensor.hpp"
#include "testing/temporary_folder.hpp"

namespace assay::testing {

/// A file of one kernel that doubles x, but for what a test changes: its arguments are x and the output, their offsets
/// and the count, and what an interface adds.
struct DoublingFile {
  TemporaryFolder folder;
  KernelFile file;
  std::vector<float> x, y;        ///< of the last request, with guards
  float* first_output = nullptr;  ///< of the last request

  DoublingFile(const std::string& name, const std::string& entry, const std::string& offset_type) {
    file.name = "mine";
    file.path = folder.path / "kernels.json";
    DescribedKernel made;
    made.operation = "scale_shift";
    made.formats = {"f32.f32"};
    made.file = folder.path / name;
    made.entry = entry;
    for (const char* operand : {"x", "output"})
      made.arguments.push_back({KernelArgument::Kind::operand, operand, {}, {}});
    for (const char* offset : {"x.offset", "output.offset"}) add(made, offset_type, offset);
    add(made, "int", "count");
    file.kernels.push_back(std::move(made));
  }

  void write(std::string_view code) const {
    std::ofstream(kernel().file, std::ios::binary).write(code.data(), static_cast<std::streamsize>(code.size()));
  }
  static PlacedExpression placed(const std::string& text) {
    return {Expression::parse(text).value(), {"k.json", 3, 9}};
  }
  static void add(DescribedKernel& kernel, const std::string& type, const std::string& text) {
    kernel.arguments.push_back({KernelArgument::Kind::scalar, type, placed(text), {"k.json", 3, 1}});
  }
  [[nodiscard]] DescribedKernel& kernel() { return file.kernels.front(); }
  [[nodiscard]] const DescribedKernel& kernel() const { return file.kernels.front(); }

  /// Of `count` elements, which begin that many behind a boundary; in place the output is x.
  [[nodiscard]] PluginRequest request(Index count, Index behind, bool in_place = false) {
    constexpr Index guard = 16;
    const auto elements = static_cast<std::size_t>(count + 2 * guard + 32);
    x.assign(elements, 1.5f);
    y.assign(elements, -1);
    PluginRequest made{"scale_shift", "n", "f32.f32", {}, {}};
    made.attributes.push_back({"count", PluginAttributeKind::integer, count, static_cast<double>(count), ""});
    const auto tensor = [&](const char* name, OperandRole role, std::vector<float>& data) {
      auto* first = data.data();
      while (reinterpret_cast<std::uintptr_t>(first + guard) % 64 != 0) ++first;
      Operand operand = contiguous_operand(first + guard + behind, {count});
      operand.guard_bytes = guard * 4;
      made.tensors.push_back({name, role, element_format<float32>(), operand});
    };
    tensor("x", OperandRole::input, x);
    tensor("output", OperandRole::output, in_place ? x : y);
    first_output = static_cast<float*>(made.tensors[1].operand.data);
    return made;
  }
  /// Elements of the output's memory that hold what they held.
  [[nodiscard]] std::ptrdiff_t untouched() const { return std::count(y.begin(), y.end(), -1.0f); }
  [[nodiscard]] std::ptrdiff_t size() const { return static_cast<std::ptrdiff_t>(y.size()); }
};

}  // namespace assay::testing

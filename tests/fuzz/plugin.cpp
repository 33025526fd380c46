#include "assay/plugin/loaded_plugin.hpp"

#include <deque>
#include <vector>

#include "fuzz/bytes.hpp"
#include "fuzz/fuzz.hpp"

namespace {

using namespace assay;

/// Texts of exactly their size, the NUL included, whose addresses stay.
class Texts {
 public:
  /// A text of the bytes; null where they begin with 0x01.
  const char* take(fuzz::Bytes& bytes) {
    const std::string text = bytes.take_text();
    if (!text.empty() && text.front() == '\1') return nullptr;
    copies_.emplace_back(std::string_view(text.c_str(), text.size() + 1));
    return copies_.back().text().data();
  }

 private:
  std::deque<fuzz::ExactCopy> copies_;
};

/// A structure as one that was compiled with another version of the header has it: as long as it says, at most as long
/// as ours.
template <class T>
const T* in_its_size(std::deque<fuzz::ExactCopy>& copies, const T& structure) {
  const std::size_t bytes = std::max(
      sizeof structure.size, static_cast<std::size_t>(std::min<std::uint64_t>(structure.size, sizeof structure)));
  copies.emplace_back(std::string_view(reinterpret_cast<const char*>(&structure), bytes));
  return reinterpret_cast<const T*>(copies.back().text().data());
}

/// A description that any library may give, whose pointers lead to memory of the size that it states or are null: it is
/// taken or refused.
void plugin(std::string_view text) {
  fuzz::Bytes bytes(text);
  Texts texts;
  std::deque<fuzz::ExactCopy> structures;
  const auto size_of = [&](std::size_t ours) -> std::uint64_t {
    const auto difference = bytes.take<std::int8_t>();
    return difference == INT8_MAX ? UINT64_MAX
                                  : static_cast<std::uint64_t>(static_cast<std::int64_t>(ours) + difference);
  };
  const auto run = [](void*, const assay_plugin_problem*, const assay_plugin_launch*) -> std::int32_t {
    return ASSAY_PLUGIN_OK;
  };
  assay_plugin given{};
  given.size = size_of(sizeof given);
  given.abi = bytes.take<std::uint8_t>() == 0 ? ASSAY_PLUGIN_ABI : bytes.take<std::uint32_t>();
  given.flags = bytes.take<std::uint32_t>();
  given.name = texts.take(bytes);
  given.version = texts.take(bytes);
  const std::size_t count = bytes.take<std::uint8_t>() % 9;
  std::vector<const assay_plugin_kernel*> kernels;
  for (std::size_t i = 0; i < count; ++i) {
    assay_plugin_kernel kernel{};
    const auto kind = bytes.take<std::uint8_t>();
    kernel.size = size_of(sizeof kernel);
    kernel.operation = texts.take(bytes);
    kernel.accumulator = texts.take(bytes);
    kernel.function_errors = bytes.take<double>();
    kernel.block = bytes.take<std::int64_t>();
    kernel.contract = (kind & 4) != 0 ? texts.take(bytes) : nullptr;
    kernel.flags = (kind & 8) != 0 ? bytes.take<std::uint64_t>() : 0;
    kernel.run = (kind & 1) != 0 ? nullptr : +run;
    kernels.push_back((kind & 2) != 0 ? nullptr : in_its_size(structures, kernel));
  }
  const auto wrong_count = bytes.take<std::uint8_t>();
  given.kernel_count = wrong_count == 255 ? UINT64_MAX : count;
  given.kernels = wrong_count == 1 ? nullptr : kernels.data();

  const auto described = describe_plugin(in_its_size(structures, given), "libfuzz.so");
  if (!described) {
    fuzz::promise_message(described.error().message);
    fuzz::promise(described.error().message.find("libfuzz.so") != std::string::npos, "a refusal names the plugin");
    return;
  }
  fuzz::promise(given.abi >> 16 == 1 || given.abi >> 16 == ASSAY_PLUGIN_ABI_MAJOR, "other major versions are refused");
  for (const assay_plugin_kernel* kernel : kernels)
    fuzz::promise(kernel != nullptr && described.value()->has(kernel->operation), "every kernel is offered");
}

const fuzz::Registration registration_of_plugin("plugin", plugin);

}  // namespace

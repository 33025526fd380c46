#pragma once

#include <concepts>
#include <string>
#include <type_traits>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/frameworks/door/graph_executor.hpp"
#include "assay/suite/bytes.hpp"

namespace assay::inline v0::detail {

/// Descriptor of a worker's channel.
inline constexpr int door_channel = 3;

/// The longest message between a door and its worker, in bytes.
inline constexpr std::uint64_t longest_door_message = std::uint64_t{1} << 32;

/// What a worker is asked: to describe the runtime, or to run a program.
struct DoorRequest {
  bool describe = false;
  GraphProgram program;
  std::vector<GraphTensor> inputs;
};

struct DoorAnswer {
  bool failed = false;
  ErrorKind kind = ErrorKind::device;
  std::string message;
  ExecutorDescription description;
  GraphRun run;
};

template <class Archive, class T>
requires std::same_as<std::remove_const_t<T>, ExecutionMode>
void exchange(Archive& archive, T& mode) {
  archive(mode.provider.name, mode.provider.options, mode.provider.library, mode.optimization_level, mode.threads,
          mode.runtime, mode.highest_precision);
}
template <class Archive, class T>
requires std::same_as<std::remove_const_t<T>, GraphTensor>
void exchange(Archive& archive, T& tensor) {
  archive(tensor.name, tensor.type, tensor.extents, tensor.bytes, tensor.strings);
}
template <class Archive, class T>
requires std::same_as<std::remove_const_t<T>, NodeAssignment>
void exchange(Archive& archive, T& node) {
  archive(node.node, node.operation, node.provider, node.execution);
}
template <class Archive, class T>
requires std::same_as<std::remove_const_t<T>, DoorRequest>
void exchange(Archive& archive, T& request) {
  archive(request.describe, request.program.model, request.program.mode, request.inputs);
}
template <class Archive, class T>
requires std::same_as<std::remove_const_t<T>, DoorAnswer>
void exchange(Archive& archive, T& answer) {
  archive(answer.failed, answer.kind, answer.message, answer.description.version, answer.description.providers,
          answer.run.outputs, answer.run.assignment);
}

/// Writes a message and its length, whole. False where the other side has gone.
[[nodiscard]] bool send_door_message(int descriptor, const std::string& bytes);

/// The next message of a blocking channel; none where the other side has gone, or sent what is none.
[[nodiscard]] bool receive_door_message(int descriptor, std::string& bytes);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/door_message.ipp"
#endif

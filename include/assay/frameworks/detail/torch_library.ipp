#pragma once

#include "assay/frameworks/detail/torch_library.hpp"

#include <algorithm>
#include <cstring>

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/own_symbols.hpp"
#include "assay/frameworks/detail/torch_graph.hpp"
#include "assay/frameworks/onnx/read_onnx.hpp"

namespace assay::inline v0::detail {

/// Whether what a framework says of a call is that it has no such thing.
[[nodiscard]] inline bool says_unwritten(const std::string& message) {
  for (const char* words : {"not implemented", "not support", "nsupported", "o support", "Could not find schema",
                            "not available", "Could not run", "not yet supported"})
    if (message.find(words) != std::string::npos) return true;
  return false;
}

ASSAY_DETAIL_HEADER_INLINE void* TorchLibrary::symbol(const char* name) const {
  return ::dlsym(library_, name);
}

ASSAY_DETAIL_HEADER_INLINE Failure TorchLibrary::missing(const char* name) const {
  return failure(ErrorKind::unsupported, path_ + " (PyTorch " + version_ + ") has no function " + name);
}

ASSAY_DETAIL_HEADER_INLINE Result<void> TorchLibrary::judged(std::int32_t code, const std::string& what) const {
  if (code == 0) return {};
  std::string message;
  if (void* const function = symbol(torch::what))
    if (const char* const said = reinterpret_cast<const char* (*)()>(function)()) message = said;
  if (message.empty()) message = "it gave no message";
  std::replace(message.begin(), message.end(), '\n', ' ');
  return failure(says_unwritten(message) ? ErrorKind::unsupported : ErrorKind::device,
                 "PyTorch " + version_ + " could not " + what + ": " + message);
}

ASSAY_DETAIL_HEADER_INLINE Result<void> TorchLibrary::open(const std::string& path) {
  path_ = path;
  library_ = ::dlopen(path.c_str(), own_symbols_first);
  if (library_ == nullptr) {
    const char* const reason = ::dlerror();
    return failure(ErrorKind::not_found, path + " could not be loaded: " + (reason != nullptr ? reason : "no reason"));
  }
  void* const version = symbol(torch::abi_version);
  if (version == nullptr)
    return failure(ErrorKind::unsupported,
                   path + " has no C interface of PyTorch: it has no " + std::string(torch::abi_version));
  const std::uint64_t told = reinterpret_cast<std::uint64_t (*)()>(version)();
  version_ =
      std::to_string(told >> 56) + "." + std::to_string((told >> 48) & 255) + "." + std::to_string((told >> 40) & 255);
  if (told < torch::oldest_version)
    return failure(ErrorKind::unsupported,
                   path + " is PyTorch " + version_ + "; the interface that is used came with 2.10");
  const auto told_number = [&](const std::string& name, std::int32_t& number) {
    void* const function = symbol(name.c_str());
    if (function != nullptr) number = reinterpret_cast<std::int32_t (*)()>(function)();
    return function != nullptr;
  };
  for (const torch::TypeName& own : torch::type_names) {
    std::int32_t number = 0;
    if (told_number(std::string("aoti_torch_dtype_") + own.name, number)) types_[own.type] = number;
  }
  if (!told_number("aoti_torch_device_type_cpu", cpu_)) return missing("aoti_torch_device_type_cpu");
  if (!told_number(torch::contiguous, contiguous_)) return missing(torch::contiguous);
  if (symbol(torch::call_dispatcher) == nullptr) return missing(torch::call_dispatcher);
  if (void* const function = symbol(torch::gradients)) reinterpret_cast<void (*)(bool)>(function)(false);
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<ExecutorDescription> TorchLibrary::describe() {
  return ExecutorDescription{version_, {"cpu"}};
}

ASSAY_DETAIL_HEADER_INLINE Result<std::int32_t> TorchLibrary::number(TensorType type) const {
  const auto found = types_.find(type);
  if (found != types_.end()) return found->second;
  return failure(ErrorKind::unsupported, "PyTorch has no elements of type " + std::string(name_of(type)));
}

ASSAY_DETAIL_HEADER_INLINE Result<EagerTensor> TorchLibrary::adopt(void* handle) const {
  if (handle == nullptr)
    return failure(ErrorKind::device, "PyTorch " + version_ + " reported success and gave no tensor");
  EagerTensor tensor;
  void* const release = symbol(torch::delete_tensor);
  tensor.handle = std::shared_ptr<void>(handle, [release](void* own) {
    if (release != nullptr) reinterpret_cast<std::int32_t (*)(void*)>(release)(own);
  });
  std::int64_t rank = 0, *extents = nullptr;
  std::int32_t type = -1, device = -1;
  auto done = call<void*, std::int64_t*>(torch::rank_of, "tell a tensor's rank", handle, &rank);
  if (done) done = call<void*, std::int64_t**>(torch::extents_of, "tell a tensor's extents", handle, &extents);
  if (done) done = call<void*, std::int32_t*>(torch::type_of, "tell a tensor's type", handle, &type);
  if (done) done = call<void*, std::int32_t*>(torch::device_of, "tell a tensor's device", handle, &device);
  if (!done) return done.propagate();
  if (device != cpu_)
    return failure(ErrorKind::unsupported, "a tensor is on PyTorch's device type " + std::to_string(device) +
                                               ", and the CPU was asked to compute it");
  if (rank > 0 && extents == nullptr) return failure(ErrorKind::device, "PyTorch gave a tensor without extents");
  if (rank > 0) tensor.extents.assign(extents, extents + rank);
  for (const auto& [own, number] : types_)
    if (number == type) {
      tensor.type = own;
      return tensor;
    }
  return failure(ErrorKind::unsupported,
                 "a tensor has PyTorch's type " + std::to_string(type) + ", of which no numbers are taken");
}

ASSAY_DETAIL_HEADER_INLINE Result<EagerTensor> TorchLibrary::wrap(const GraphTensor& tensor) const {
  const auto type = number(tensor.type);
  if (!type) return type.propagate();
  EagerExtents strides(tensor.extents.size(), 1);
  for (std::size_t d = strides.size(); d-- > 1;)
    strides[d - 1] = strides[d] * std::max<std::int64_t>(tensor.extents[d], 1);
  void* handle = nullptr;
  // The dispatcher's operators do not write to their inputs.
  auto done =
      call<void*, std::int64_t, const std::int64_t*, const std::int64_t*, std::int64_t, std::int32_t, std::int32_t,
           std::int32_t, void**>(torch::create_tensor, "take a tensor", const_cast<char*>(tensor.bytes.data()),
                                 static_cast<std::int64_t>(tensor.extents.size()), tensor.extents.data(),
                                 strides.data(), 0, type.value(), cpu_, 0, &handle);
  if (!done) return done.propagate();
  return adopt(handle);
}

ASSAY_DETAIL_HEADER_INLINE Result<EagerTensor> TorchLibrary::empty(TensorType type, const EagerExtents& extents) const {
  const auto own = number(type);
  if (!own) return own.propagate();
  EagerExtents strides(extents.size(), 1);
  for (std::size_t d = strides.size(); d-- > 1;) strides[d - 1] = strides[d] * std::max<std::int64_t>(extents[d], 1);
  void* handle = nullptr;
  auto done =
      call<std::int64_t, const std::int64_t*, const std::int64_t*, std::int32_t, std::int32_t, std::int32_t, void**>(
          torch::empty_tensor, "make a tensor", static_cast<std::int64_t>(extents.size()), extents.data(),
          strides.data(), own.value(), cpu_, 0, &handle);
  if (!done) return done.propagate();
  return adopt(handle);
}

ASSAY_DETAIL_HEADER_INLINE Result<GraphTensor> TorchLibrary::fetch(const EagerTensor& tensor) const {
  auto dense = compute("aten::contiguous", "", {tensor, contiguous_}, 1);
  if (!dense) return dense.propagate();
  const EagerTensor& own = dense.value()[0];
  GraphTensor result{"", own.type, own.extents, {}, {}};
  const std::int64_t due = result.byte_size();
  void* data = nullptr;
  auto done = call<void*, void**>(torch::data_of, "give a tensor's data", own.handle.get(), &data);
  if (!done) return done.propagate();
  if (due < 0 || (due > 0 && data == nullptr))
    return failure(ErrorKind::device, "an output is " + shape_text(own.type, own.extents) + " and has no data");
  if (due > 0) result.bytes.assign(static_cast<const char*>(data), static_cast<std::size_t>(due));
  return result;
}

ASSAY_DETAIL_HEADER_INLINE Result<std::uint64_t> TorchLibrary::boxed(std::uint64_t value) const {
  std::uint64_t* box = nullptr;
  if (symbol(torch::new_optional) == nullptr) {
    box = new std::uint64_t;  // PyTorch before 2.13 takes it over, and deletes it
  } else if (auto done = call<std::uint64_t**>(torch::new_optional, "make an optional value", &box); !done) {
    return done.propagate();
  }
  *box = value;
  return reinterpret_cast<std::uint64_t>(box);
}

ASSAY_DETAIL_HEADER_INLINE Result<std::uint64_t> TorchLibrary::stacked_tensor(const EagerTensor& tensor) const {
  void* copy = nullptr;
  auto done = call<void*, void**>(torch::copy_handle, "share a tensor", tensor.handle.get(), &copy);
  if (!done) return done.propagate();
  return reinterpret_cast<std::uint64_t>(copy);
}

ASSAY_DETAIL_HEADER_INLINE Result<std::uint64_t> TorchLibrary::stacked_list(const TorchArgument& argument) const {
  const bool tensors = argument.kind == TorchArgument::Kind::tensors;
  const std::size_t count = tensors ? argument.tensors.size() : argument.wholes.size();
  void* list = nullptr;
  if (auto done = call<std::size_t, void**>(torch::new_list, "make a list", count, &list); !done)
    return done.propagate();
  for (std::size_t i = 0; i < count; ++i) {
    Result<std::uint64_t> member =
        tensors ? stacked_tensor(argument.tensors[i]) : static_cast<std::uint64_t>(argument.wholes[i]);
    if (member && argument.optional_members) member = boxed(member.value());
    if (!member) return member;
    if (auto done = call<void*, std::uint64_t>(torch::append, "fill a list", list, member.value()); !done)
      return done.propagate();
  }
  return reinterpret_cast<std::uint64_t>(list);
}

ASSAY_DETAIL_HEADER_INLINE Result<std::uint64_t> TorchLibrary::stacked(const TorchArgument& argument) const {
  using Kind = TorchArgument::Kind;
  Result<std::uint64_t> value = std::uint64_t{0};
  switch (argument.kind) {
    case Kind::none: return value;
    case Kind::tensor: value = stacked_tensor(argument.tensors[0]); break;
    case Kind::whole:
    case Kind::truth: value = static_cast<std::uint64_t>(argument.whole); break;
    case Kind::real: {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &argument.real, sizeof bits);
      value = bits;
      break;
    }
    case Kind::type: {
      const auto own = number(argument.type);
      if (!own) return own.propagate();
      value = static_cast<std::uint64_t>(static_cast<std::uint32_t>(own.value()));
      break;
    }
    case Kind::text: {
      void* text = nullptr;
      if (auto done = call<const char*, std::size_t, void**>(torch::new_text, "make a text", argument.text.c_str(),
                                                             argument.text.size(), &text);
          !done)
        return done.propagate();
      value = reinterpret_cast<std::uint64_t>(text);
      break;
    }
    case Kind::wholes:
    case Kind::tensors: value = stacked_list(argument); break;
  }
  if (!value || !argument.optional) return value;
  return boxed(value.value());
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<EagerTensor>> TorchLibrary::compute(
    const std::string& name, const std::string& overload, const std::vector<TorchArgument>& arguments,
    std::size_t outputs) const {
  std::vector<std::uint64_t> stack;
  for (const TorchArgument& argument : arguments) {
    const auto value = stacked(argument);
    if (!value) return value.propagate();
    stack.push_back(value.value());
  }
  stack.resize(std::max(stack.size(), outputs));
  auto done = call<const char*, const char*, std::uint64_t*, std::uint64_t>(
      torch::call_dispatcher, "compute " + name, name.c_str(), overload.c_str(), stack.data(), torch::oldest_version);
  if (!done) return done.propagate();
  std::vector<EagerTensor> results;
  for (std::size_t i = 0; i < outputs; ++i) {
    auto own = adopt(reinterpret_cast<void*>(stack[i]));
    if (!own) return own.propagate();
    results.push_back(std::move(own).value());
  }
  return results;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> TorchLibrary::set_threads(int threads) const {
  if (void* const function = symbol(torch::set_threads)) reinterpret_cast<void (*)(int)>(function)(threads);
  std::uint32_t own = 0;
  if (auto told = call<std::uint32_t*>(torch::threads, "tell its number of threads", &own); !told) return told;
  if (own == static_cast<std::uint32_t>(threads)) return {};
  return failure(ErrorKind::unsupported, "PyTorch " + version_ + " computes with " + std::to_string(own) +
                                             " threads, and " + std::to_string(threads) + " were asked for");
}

ASSAY_DETAIL_HEADER_INLINE Result<GraphRun> TorchLibrary::run(const GraphProgram& program,
                                                              const std::vector<GraphTensor>& inputs) {
  if (program.mode.provider.name != "cpu" || !program.mode.provider.options.empty())
    return failure(ErrorKind::not_found, "this door to PyTorch has the device cpu, without options; '" +
                                             program.mode.provider.name + "' was asked for");
  if (auto set = set_threads(program.mode.threads); !set) return set.propagate();
  auto model = read_onnx_model(program.model);
  if (!model) return model.propagate();
  TorchGraph graph(*this);
  return graph.run(model.value(), inputs);
}

}  // namespace assay::inline v0::detail

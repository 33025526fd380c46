#pragma once
// vrt as a backend of Assay: memory, streams, events and loops are vrt's own, and so are the kernels that `run`
// submits.
#include <memory>
#include <string>
#include <vector>

#include "assay/backends/parallel_backend.hpp"
#include "assay/backends/resource_buffer.hpp"
#include "assay/kernels/elementwise/elementwise.hpp"
#include "assay/kernels/gemm/gemm.hpp"
#include "assay/kernels/normalization/normalization.hpp"
#include "assay/kernels/softmax/softmax.hpp"
#include "runtime/vrt.h"
namespace vrt_validation {
using namespace assay;
using VrtGemm = Gemm<bfloat16, bfloat16, float32, bfloat16>;  // A, B, accumulator, C
template <class Handle, auto Destroy>
using Owned = std::unique_ptr<Handle, std::integral_constant<decltype(Destroy), Destroy>>;
struct VrtMemory {
  vrt_device device;
  void* allocate(std::size_t bytes, std::size_t alignment) const {
    vrt_buffer buffer = nullptr;
    return vrt_buffer_create(device, bytes, alignment, &buffer) == VRT_SUCCESS ? vrt_buffer_address(buffer) : nullptr;
  }
  void deallocate(void* memory, std::size_t, std::size_t) const { vrt_buffer_destroy(vrt_buffer_at(device, memory)); }
};
/// Of a device that outlives it. `HostMayRead`: its memory is not private, so that failures are diagnosed, too.
template <bool HostMayRead>
struct Vrt {
  using Stream = Owned<vrt_stream_s, vrt_stream_destroy>;
  using Event = Owned<vrt_event_s, vrt_event_destroy>;
  template <class T>
  using Buffer = ResourceBuffer<T, VrtMemory>;
  static constexpr bool runs_on_host = HostMayRead;
  std::shared_ptr<VrtMemory> memory;
  std::string_view name() const { return HostMayRead ? "vrt" : "vrt_private"; }
  Capabilities capabilities() const { return {"vrt", 0, 1, HostMayRead, true}; }
  VrtMemory& memory_resource() const { return *memory; }
  template <class T>
  Result<Buffer<T>> allocate(std::size_t count) const {
    return Buffer<T>::make(memory, count, name().data());
  }
  Result<Stream> make_stream() const { return made<Stream>(vrt_stream_create); }
  Result<Event> make_event() const { return made<Event>(vrt_event_create); }
  Result<void> record(Event& event, Stream& stream) const { return done(vrt_event_record(event.get(), stream.get())); }
  Result<void> wait(Stream& stream, const Event& event) const {
    return done(vrt_stream_wait(stream.get(), event.get()));
  }
  Result<void> synchronize(Stream& stream) const { return done(vrt_stream_synchronize(stream.get())); }
  Result<double> elapsed_seconds(const Event& first, const Event& second) const {
    double seconds = 0;
    const auto read = done(vrt_event_elapsed(first.get(), second.get(), &seconds));
    return read ? Result<double>(seconds) : read.propagate();
  }
  template <class T>
  Result<void> copy_to_device(Stream& stream, T* to, const T* from, std::size_t count) const {
    return done(vrt_copy_to_device(stream.get(), to, from, count * sizeof(T)));
  }
  template <class T>
  Result<void> copy_to_host(Stream& stream, T* to, const T* from, std::size_t count) const {
    return done(vrt_copy_to_host(stream.get(), to, from, count * sizeof(T)));
  }
  template <class Functor>
  Result<void> parallel_for(Stream& stream, std::size_t count, const Functor& functor) const {
    const vrt_function range = [](const void* context, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) (*static_cast<const Functor*>(context))(i);
    };
    return done(vrt_launch_function(stream.get(), range, &functor, sizeof functor, count));
  }
  Result<void> run(VrtGemm, Stream& stream, const GemmProblem& problem, const VrtGemm::Arguments& at) const {
    Result<void> sent;
    for (Index i = 0; i < problem.batch && sent; ++i)
      sent = launch(stream, VRT_KERNEL_GEMM, {part(at.a, i), part(at.b, i), part(at.c, i)},
                    {problem.alpha, problem.beta, 0});
    return sent;
  }
  Result<void> run(Softmax, Stream& stream, const SoftmaxProblem& problem, const OperandArray& at) const {
    if (problem.masked || problem.logarithm || problem.temperature != 1)
      return absent("softmax with mask, logarithm or temperature");
    return launch(stream, VRT_KERNEL_SOFTMAX, {at[Softmax::input], at[Softmax::output]});
  }
  Result<void> run(Normalization, Stream& stream, const NormalizationProblem& problem, const OperandArray& at) const {
    const bool scaled = problem.gamma && !problem.beta, saved = problem.saved != SavedStatistics::none;
    if (problem.kind != NormalizationKind::rms || !scaled || saved)
      return absent("normalization but rmsnorm that scales");
    return launch(stream, VRT_KERNEL_RMSNORM, {at[0], at[1], at[Normalization::output]}, {1, 0, problem.epsilon});
  }
  Result<void> run(Elementwise, Stream& stream, const ElementwiseProblem& problem, const OperandArray& at) const {
    if (problem.function != ElementwiseFunction::gelu || problem.backward)
      return absent("elementwise function but gelu");
    return launch(stream, VRT_KERNEL_GELU, {at[0], at[Elementwise::output]});
  }

 private:
  static Failure absent(const std::string& what) { return failure(ErrorKind::unsupported, "vrt has no " + what); }
  static Result<void> done(vrt_status status) {
    using enum ErrorKind;
    if (status == VRT_SUCCESS) return {};
    const auto kind = status == VRT_ERROR_NOT_SUPPORTED   ? unsupported
                      : status == VRT_ERROR_INVALID_VALUE ? invalid
                                                          : device;
    return failure(kind, std::string("vrt: ") + vrt_status_text(status) + ": " + vrt_last_error());
  }
  template <class Handle>
  Result<Handle> made(vrt_status (*create)(vrt_device, typename Handle::pointer*)) const {
    typename Handle::pointer handle = nullptr;
    const auto created = done(create(memory->device, &handle));
    return created ? Result<Handle>(Handle(handle)) : created.propagate();
  }
  template <class T>
  static Operand part(const StridedView<T, 3>& of, Index i) {
    auto* const first = const_cast<std::remove_const_t<T>*>(of.data + i * of.strides[0]);
    return {first,
            element_format<std::remove_const_t<T>>(),
            2,
            {of.extents[1], of.extents[2]},
            {of.strides[1], of.strides[2]}};
  }
  Result<void> launch(Stream& stream, vrt_kernel kernel, std::initializer_list<Operand> of,
                      vrt_attributes attributes = {1, 0, 0}) const {
    std::vector<vrt_tensor> tensors;
    for (const auto& [data, format, rank, extents, strides, guard] : of) {
      const bool f32 = format == element_format<float32>(), f16 = format == element_format<float16>();
      const bool matrix = rank == 2, transposed = matrix && strides[1] != 1,
                 known = f32 || f16 || format == element_format<bfloat16>();
      if (!known || (transposed && strides[0] != 1)) return absent("such tensors of " + std::string(format.name));
      if (rank < 1 || rank > 2) return absent("tensors of " + std::to_string(rank) + " dimensions");
      const vrt_type type = f32 ? VRT_TYPE_F32 : f16 ? VRT_TYPE_F16 : VRT_TYPE_BF16;
      tensors.push_back(
          {data, type, matrix ? extents[0] : 1, extents[rank - 1], strides[transposed] * format.bytes, transposed});
    }
    return done(vrt_launch(stream.get(), kernel, tensors.data(), tensors.size(), &attributes));
  }
};
}  // namespace vrt_validation

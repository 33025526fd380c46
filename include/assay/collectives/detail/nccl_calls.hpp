#pragma once

// Included by nccl.hpp and rccl.hpp only, behind the header of the library, whose names are the same in both.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "assay/collectives/collective_call.hpp"
#include "assay/collectives/in_process/reduce_elements.hpp"

#if defined(NCCL_MAJOR)  // defined by nccl.h and by rccl.h

namespace assay::inline v0::detail {

[[nodiscard]] inline std::optional<ncclDataType_t> nccl_type_of(ElementType type) {
  switch (type) {
    case ElementType::int8: return ncclInt8;
    case ElementType::uint8: return ncclUint8;
    case ElementType::int32: return ncclInt32;
    case ElementType::uint32: return ncclUint32;
    case ElementType::int64: return ncclInt64;
    case ElementType::uint64: return ncclUint64;
    case ElementType::float16: return ncclFloat16;
    case ElementType::bfloat16: return ncclBfloat16;
    case ElementType::float32: return ncclFloat32;
    case ElementType::float64: return ncclFloat64;
#if NCCL_VERSION_CODE >= 22400
    case ElementType::float8_e4m3fn: return ncclFloat8e4m3;
    case ElementType::float8_e5m2: return ncclFloat8e5m2;
#endif
    default: return std::nullopt;
  }
}

/// The operator of a call on one communicator; one made for a pre-multiplied sum lives as long as this.
class NcclReduction {
 public:
  NcclReduction(const CollectiveCall& call, ncclDataType_t type, ncclComm_t communicator)
      : communicator_(communicator) {
    switch (call.reduction) {
      case ReductionOperator::sum: operator_ = ncclSum; break;
      case ReductionOperator::product: operator_ = ncclProd; break;
      case ReductionOperator::minimum: operator_ = ncclMin; break;
      case ReductionOperator::maximum: operator_ = ncclMax; break;
      case ReductionOperator::average: operator_ = ncclAvg; break;
      case ReductionOperator::premultiplied_sum: {
        std::uint64_t scalar = one(call.type);
        scale_elements(call.type, &scalar, call.multiplier, 1);
        made_ = ncclRedOpCreatePreMulSum(&operator_, &scalar, type, ncclScalarHostImmediate, communicator);
        owned_ = made_ == ncclSuccess;
        break;
      }
    }
  }
  NcclReduction(const NcclReduction&) = delete;
  NcclReduction& operator=(const NcclReduction&) = delete;
  ~NcclReduction() {
    if (owned_) ncclRedOpDestroy(operator_, communicator_);
  }
  [[nodiscard]] ncclResult_t made() const { return made_; }
  [[nodiscard]] ncclRedOp_t get() const { return operator_; }

 private:
  /// The code of 1 in the lowest bytes; hosts are little-endian.
  [[nodiscard]] static std::uint64_t one(ElementType type) {
    switch (type) {
      case ElementType::float16: return 0x3c00;
      case ElementType::bfloat16: return 0x3f80;
      case ElementType::float32: return 0x3f800000;
      case ElementType::float64: return 0x3ff0000000000000;
      case ElementType::float8_e4m3fn: return 0x38;
      case ElementType::float8_e5m2: return 0x3c;
      default: return 1;
    }
  }

  ncclComm_t communicator_;
  ncclRedOp_t operator_ = ncclSum;
  ncclResult_t made_ = ncclSuccess;
  bool owned_ = false;
};

/// One rank's calls of NCCL, enqueued on a stream. What NCCL lacks is made of sends and receives.
template <class Stream>
struct NcclCalls {
  ncclComm_t communicator = nullptr;
  Stream stream{};
  int rank = 0, size = 1;
  void* scratch = nullptr;  ///< 4 bytes of the device, for barriers

  [[nodiscard]] ncclResult_t enqueue(const CollectiveCall& call, ncclDataType_t type) const {
    const auto count = static_cast<std::size_t>(call.count);
    switch (call.operation) {
      case CollectiveOperation::all_reduce:
      case CollectiveOperation::reduce_scatter:
      case CollectiveOperation::reduce: return reduce(call, type, count);
      case CollectiveOperation::all_gather:
        return ncclAllGather(call.send, call.receive, count, type, communicator, stream);
      case CollectiveOperation::broadcast:
        return ncclBroadcast(call.send, call.receive, count, type, call.root, communicator, stream);
      case CollectiveOperation::all_to_all_v: return all_to_all_v(call, type);
      case CollectiveOperation::send_receive: return send_receive(call, type, count);
      case CollectiveOperation::barrier:
        return ncclAllReduce(scratch, scratch, 1, ncclInt32, ncclSum, communicator, stream);
#if NCCL_VERSION_CODE >= 22800
      case CollectiveOperation::all_to_all:
        return ncclAlltoAll(call.send, call.receive, count, type, communicator, stream);
      case CollectiveOperation::gather:
        return ncclGather(call.send, call.receive, count, type, call.root, communicator, stream);
      case CollectiveOperation::scatter:
        return ncclScatter(call.send, call.receive, count, type, call.root, communicator, stream);
#else
      case CollectiveOperation::all_to_all: return exchange_blocks(call, type, count, true, true);
      case CollectiveOperation::gather: return gather_blocks(call, type, count);
      case CollectiveOperation::scatter: return scatter_blocks(call, type, count);
#endif
    }
    return ncclInvalidArgument;
  }

 private:
  [[nodiscard]] static const void* at(const CollectiveCall& call, const void* buffer, Index element) {
    return static_cast<const std::byte*>(buffer) + static_cast<std::size_t>(element) * bytes_of(call.type);
  }
  [[nodiscard]] static void* at(const CollectiveCall& call, void* buffer, Index element) {
    return static_cast<std::byte*>(buffer) + static_cast<std::size_t>(element) * bytes_of(call.type);
  }

  /// The result of the first call that failed; those in progress have not.
  class Group {
   public:
    Group() { note(ncclGroupStart()); }
    void note(ncclResult_t result) {
      if (first_ == ncclSuccess || first_ == ncclInProgress) first_ = result == ncclSuccess ? first_ : result;
    }
    [[nodiscard]] ncclResult_t end() {
      note(ncclGroupEnd());
      return first_;
    }

   private:
    ncclResult_t first_ = ncclSuccess;
  };

  [[nodiscard]] ncclResult_t reduce(const CollectiveCall& call, ncclDataType_t type, std::size_t count) const {
    const NcclReduction reduction(call, type, communicator);
    if (reduction.made() != ncclSuccess) return reduction.made();
    if (call.operation == CollectiveOperation::all_reduce)
      return ncclAllReduce(call.send, call.receive, count, type, reduction.get(), communicator, stream);
    if (call.operation == CollectiveOperation::reduce)
      return ncclReduce(call.send, call.receive, count, type, reduction.get(), call.root, communicator, stream);
    return ncclReduceScatter(call.send, call.receive, count, type, reduction.get(), communicator, stream);
  }

  [[nodiscard]] ncclResult_t all_to_all_v(const CollectiveCall& call, ncclDataType_t type) const {
    Group group;
    for (int other = 0; other < size; ++other) {
      const auto i = static_cast<std::size_t>(other);
      if (call.sent.counts[i] > 0)
        group.note(ncclSend(at(call, call.send, call.sent.displacements[i]),
                            static_cast<std::size_t>(call.sent.counts[i]), type, other, communicator, stream));
      if (call.received.counts[i] > 0)
        group.note(ncclRecv(at(call, call.receive, call.received.displacements[i]),
                            static_cast<std::size_t>(call.received.counts[i]), type, other, communicator, stream));
    }
    return group.end();
  }

  [[nodiscard]] ncclResult_t send_receive(const CollectiveCall& call, ncclDataType_t type, std::size_t count) const {
    Group group;
    if (call.destination >= 0 && count > 0)
      group.note(ncclSend(call.send, count, type, call.destination, communicator, stream));
    if (call.source >= 0 && count > 0)
      group.note(ncclRecv(call.receive, count, type, call.source, communicator, stream));
    return group.end();
  }

  /// Blocks of the send buffer to all ranks, of the receive buffer from all ranks.
  [[maybe_unused]] [[nodiscard]] ncclResult_t exchange_blocks(const CollectiveCall& call, ncclDataType_t type,
                                                              std::size_t count, bool sends, bool receives) const {
    Group group;
    for (int other = 0; other < size && count > 0; ++other) {
      if (sends)
        group.note(ncclSend(at(call, call.send, other * call.count), count, type, other, communicator, stream));
      if (receives)
        group.note(ncclRecv(at(call, call.receive, other * call.count), count, type, other, communicator, stream));
    }
    return group.end();
  }
  [[maybe_unused]] [[nodiscard]] ncclResult_t gather_blocks(const CollectiveCall& call, ncclDataType_t type,
                                                            std::size_t count) const {
    Group group;
    if (count > 0) group.note(ncclSend(call.send, count, type, call.root, communicator, stream));
    if (rank == call.root) group.note(exchange_blocks(call, type, count, false, true));
    return group.end();
  }
  [[maybe_unused]] [[nodiscard]] ncclResult_t scatter_blocks(const CollectiveCall& call, ncclDataType_t type,
                                                             std::size_t count) const {
    Group group;
    if (rank == call.root) group.note(exchange_blocks(call, type, count, true, false));
    if (count > 0) group.note(ncclRecv(call.receive, count, type, call.root, communicator, stream));
    return group.end();
  }
};

}  // namespace assay::inline v0::detail

#endif

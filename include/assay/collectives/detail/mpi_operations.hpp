#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "assay/collectives/collective_call.hpp"
#include "assay/collectives/detail/mpi_blocks.hpp"
#include "assay/collectives/detail/mpi_types.hpp"
#include "assay/collectives/detail/mpi_work.hpp"

namespace assay::inline v0::detail {

/// One rank's calls of MPI. Each begins an operation, and adds to `work` what is under way.
struct MpiOperations {
  MPI_Comm communicator = MPI_COMM_NULL;
  int rank = 0, size = 1;
  bool blocking = false;
  Index largest_count = std::numeric_limits<int>::max();
  MpiTypes types;

  [[nodiscard]] Result<void> begin(const CollectiveCall& call, MpiWork& work) const {
    switch (call.operation) {
      case CollectiveOperation::all_reduce: return all_reduce(call, work);
      case CollectiveOperation::reduce_scatter: return reduce_scatter(call, work);
      case CollectiveOperation::all_gather: return all_gather(call, work);
      case CollectiveOperation::broadcast: return broadcast(call, work);
      case CollectiveOperation::reduce: return reduce(call, work);
      case CollectiveOperation::all_to_all: return all_to_all(call, work);
      case CollectiveOperation::all_to_all_v: return all_to_all_v(call, work);
      case CollectiveOperation::gather: return gather(call, work);
      case CollectiveOperation::scatter: return scatter(call, work);
      case CollectiveOperation::send_receive: return send_receive(call, work);
      case CollectiveOperation::barrier: return start(work, "MPI_Barrier", MPI_Barrier, MPI_Ibarrier, communicator);
    }
    return {};
  }

 private:
  template <class Blocking, class NonBlocking, class... Arguments>
  [[nodiscard]] Result<void> start(MpiWork& work, const char* name, Blocking wait_for_it, NonBlocking begin_it,
                                   Arguments... arguments) const {
    if (blocking) return check_mpi(name, wait_for_it(arguments...));
    return check_mpi(name, begin_it(arguments..., &work.requests.emplace_back(MPI_REQUEST_NULL)));
  }

  [[nodiscard]] static std::size_t bytes(const CollectiveCall& call, Index elements) {
    return static_cast<std::size_t>(elements) * bytes_of(call.type);
  }
  [[nodiscard]] static const std::byte* at(const CollectiveCall& call, const void* buffer, Index element) {
    return static_cast<const std::byte*>(buffer) + bytes(call, element);
  }
  [[nodiscard]] static std::byte* at(const CollectiveCall& call, void* buffer, Index element) {
    return static_cast<std::byte*>(buffer) + bytes(call, element);
  }
  [[nodiscard]] Result<MpiBlock> block(const CollectiveCall& call, Index count) const {
    return MpiBlock::of(types.type_of(call.type), bytes_of(call.type), count, largest_count);
  }

  /// What this rank gives to a reduction of `elements`: of a pre-multiplied sum, a scaled copy.
  [[nodiscard]] static const void* given(const CollectiveCall& call, Index elements, MpiWork& work) {
    if (call.reduction != ReductionOperator::premultiplied_sum || elements == 0) return call.send;
    std::byte* scaled = work.stage(bytes(call, elements));
    std::memcpy(scaled, call.send, bytes(call, elements));
    scale_elements(call.type, scaled, call.multiplier, elements);
    return scaled;
  }
  void finish_average(const CollectiveCall& call, MpiWork& work) const {
    if (call.reduction == ReductionOperator::average)
      work.at_end.push_back([call, ranks = size] { divide_elements(call.type, call.receive, ranks, call.count); });
  }

  /// Calls `part(first, count)` for as many pieces as counts of MPI need; once at least.
  template <class Part>
  [[nodiscard]] Result<void> in_pieces(Index count, Part part) const {
    Index first = 0;
    do {
      const Index here = std::min(count - first, largest_count);
      if (auto begun = part(first, static_cast<int>(here)); !begun) return begun;
      first += here;
    } while (first < count);
    return {};
  }

  [[nodiscard]] Result<void> all_reduce(const CollectiveCall& call, MpiWork& work) const {
    const void* from = given(call, call.count, work);
    auto begun = in_pieces(call.count, [&](Index first, int count) {
      const void* send = from == call.receive ? MPI_IN_PLACE : at(call, from, first);
      return start(work, "MPI_Allreduce", MPI_Allreduce, MPI_Iallreduce, send,
                   static_cast<void*>(at(call, call.receive, first)), count, types.type_of(call.type),
                   types.reduction_of(call.type, call.reduction), communicator);
    });
    finish_average(call, work);
    return begun;
  }

  [[nodiscard]] Result<void> reduce_block(const CollectiveCall& call, const void* from, void* to, int root,
                                          MpiWork& work) const {
    return in_pieces(call.count, [&](Index first, int count) {
      const void* send = from == to && rank == root ? MPI_IN_PLACE : at(call, from, first);
      void* receive = rank == root ? at(call, to, first) : nullptr;
      return start(work, "MPI_Reduce", MPI_Reduce, MPI_Ireduce, send, receive, count, types.type_of(call.type),
                   types.reduction_of(call.type, call.reduction), root, communicator);
    });
  }
  [[nodiscard]] Result<void> reduce(const CollectiveCall& call, MpiWork& work) const {
    auto begun = reduce_block(call, given(call, call.count, work), call.receive, call.root, work);
    if (rank == call.root) finish_average(call, work);
    return begun;
  }

  /// In place MPI puts a result at the begin of the buffer, not at the rank's block: so it goes through a buffer in
  /// between.
  [[nodiscard]] Result<void> reduce_scatter(const CollectiveCall& call, MpiWork& work) const {
    const void* from = given(call, call.count * size, work);
    if (call.count * size > largest_count) {
      for (int root = 0; root < size; ++root) {
        const auto* send = at(call, from, root * call.count);
        if (auto begun = reduce_block(call, send, call.receive, root, work); !begun) return begun;
      }
      finish_average(call, work);
      return {};
    }
    const bool in_place = call.count > 0 && call.receive == at(call, from, rank * call.count);
    void* to = in_place ? work.stage(bytes(call, call.count)) : call.receive;
    auto begun = start(work, "MPI_Reduce_scatter_block", MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, from, to,
                       static_cast<int>(call.count), types.type_of(call.type),
                       types.reduction_of(call.type, call.reduction), communicator);
    if (in_place) work.at_end.push_back([call, to] { std::memcpy(call.receive, to, bytes(call, call.count)); });
    finish_average(call, work);
    return begun;
  }

  [[nodiscard]] Result<void> broadcast(const CollectiveCall& call, MpiWork& work) const {
    void* const buffer = rank == call.root ? const_cast<void*>(call.send) : call.receive;
    auto begun = in_pieces(call.count, [&](Index first, int count) {
      return start(work, "MPI_Bcast", MPI_Bcast, MPI_Ibcast, static_cast<void*>(at(call, buffer, first)), count,
                   types.type_of(call.type), call.root, communicator);
    });
    if (begun && rank == call.root && call.receive != call.send && call.count > 0)
      std::memcpy(call.receive, call.send, bytes(call, call.count));
    return begun;
  }

  [[nodiscard]] Result<void> all_gather(const CollectiveCall& call, MpiWork& work) const {
    const auto one = block(call, call.count);
    if (!one) return one.propagate();
    const bool in_place = call.count > 0 && call.send == at(call, call.receive, rank * call.count);
    return start(work, "MPI_Allgather", MPI_Allgather, MPI_Iallgather, in_place ? MPI_IN_PLACE : call.send,
                 one.value().count(), one.value().type(), call.receive, one.value().count(), one.value().type(),
                 communicator);
  }
  [[nodiscard]] Result<void> gather(const CollectiveCall& call, MpiWork& work) const {
    const auto one = block(call, call.count);
    if (!one) return one.propagate();
    const bool in_place = call.count > 0 && rank == call.root && call.send == at(call, call.receive, rank * call.count);
    return start(work, "MPI_Gather", MPI_Gather, MPI_Igather, in_place ? MPI_IN_PLACE : call.send, one.value().count(),
                 one.value().type(), call.receive, one.value().count(), one.value().type(), call.root, communicator);
  }
  [[nodiscard]] Result<void> scatter(const CollectiveCall& call, MpiWork& work) const {
    const auto one = block(call, call.count);
    if (!one) return one.propagate();
    const bool in_place = call.count > 0 && rank == call.root && call.receive == at(call, call.send, rank * call.count);
    return start(work, "MPI_Scatter", MPI_Scatter, MPI_Iscatter, call.send, one.value().count(), one.value().type(),
                 in_place ? MPI_IN_PLACE : call.receive, one.value().count(), one.value().type(), call.root,
                 communicator);
  }
  [[nodiscard]] Result<void> all_to_all(const CollectiveCall& call, MpiWork& work) const {
    const auto one = block(call, call.count);
    if (!one) return one.propagate();
    const bool in_place = call.count > 0 && call.send == call.receive;
    return start(work, "MPI_Alltoall", MPI_Alltoall, MPI_Ialltoall, in_place ? MPI_IN_PLACE : call.send,
                 one.value().count(), one.value().type(), call.receive, one.value().count(), one.value().type(),
                 communicator);
  }

  [[nodiscard]] Result<void> all_to_all_v(const CollectiveCall& call, MpiWork& work) const {
    std::vector<int> numbers;  // counts and displacements sent, then received
    numbers.reserve(4 * static_cast<std::size_t>(size));
    for (const auto* list :
         {&call.sent.counts, &call.sent.displacements, &call.received.counts, &call.received.displacements}) {
      for (const Index number : *list) {
        if (number > largest_count)
          return failure(ErrorKind::unsupported,
                         "a block has " + std::to_string(number) +
                             " elements, or lies as far from the buffer's begin; MPI's all_to_all_v reaches " +
                             std::to_string(largest_count));
        numbers.push_back(static_cast<int>(number));
      }
    }
    // MPI reads them until the operation ends.
    auto* kept = reinterpret_cast<int*>(work.stage(numbers.size() * sizeof(int)));
    std::memcpy(kept, numbers.data(), numbers.size() * sizeof(int));
    const MPI_Datatype type = types.type_of(call.type);
    return start(work, "MPI_Alltoallv", MPI_Alltoallv, MPI_Ialltoallv, call.send, static_cast<const int*>(kept),
                 static_cast<const int*>(kept + size), type, call.receive, static_cast<const int*>(kept + 2 * size),
                 static_cast<const int*>(kept + 3 * size), type, communicator);
  }

  [[nodiscard]] Result<void> send_receive(const CollectiveCall& call, MpiWork& work) const {
    constexpr int tag = 1;
    const auto one = block(call, call.count);
    if (!one) return one.propagate();
    const void* from = call.send;
    if (call.destination >= 0 && call.source >= 0 && call.count > 0 && call.send == call.receive) {
      from = work.stage(bytes(call, call.count));
      std::memcpy(const_cast<void*>(from), call.send, bytes(call, call.count));
    }
    if (call.source >= 0) {
      MPI_Request& request = work.requests.emplace_back(MPI_REQUEST_NULL);
      if (auto begun = check_mpi("MPI_Irecv", MPI_Irecv(call.receive, one.value().count(), one.value().type(),
                                                        call.source, tag, communicator, &request));
          !begun)
        return begun;
    }
    if (call.destination < 0) return {};
    MPI_Request& request = work.requests.emplace_back(MPI_REQUEST_NULL);
    return check_mpi("MPI_Isend", MPI_Isend(from, one.value().count(), one.value().type(), call.destination, tag,
                                            communicator, &request));
  }
};

}  // namespace assay::inline v0::detail

#pragma once

#include <gloo/allgather.h>
#include <gloo/allreduce.h>
#include <gloo/alltoall.h>
#include <gloo/alltoallv.h>
#include <gloo/barrier.h>
#include <gloo/broadcast.h>
#include <gloo/context.h>
#include <gloo/gather.h>
#include <gloo/reduce.h>
#include <gloo/reduce_scatter.h>
#include <gloo/rendezvous/store.h>
#include <gloo/scatter.h>
#include <gloo/types.h>
#include <netdb.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/collective_call.hpp"
#include "assay/collectives/deadline.hpp"
#include "assay/collectives/in_process/reduce_elements.hpp"
#include "assay/collectives/reduction_operator.hpp"

namespace assay::inline v0 {

/// The algorithm of Gloo's all-reduce.
enum class GlooAllReduce { ring, bcube };

namespace detail {

[[nodiscard]] inline bool is_gloo_timeout(const std::string& what) {
  return what.find("imed out") != std::string::npos || what.find("imeout") != std::string::npos;
}

/// Gloo of 2022 reads through a null pointer where a host has no address.
[[nodiscard]] inline bool resolves(const std::string& host) {
  addrinfo* found = nullptr;
  const bool known = ::getaddrinfo(host.c_str(), nullptr, nullptr, &found) == 0 && found != nullptr;
  if (found != nullptr) ::freeaddrinfo(found);
  return known;
}

/// Newer versions of Gloo take the store by pointer.
template <class Context>
void connect_full_mesh(Context& context, std::shared_ptr<gloo::rendezvous::Store> store,
                       std::shared_ptr<gloo::transport::Device>& device) {
  if constexpr (requires { context.connectFullMesh(store, device); })
    context.connectFullMesh(store, device);
  else
    context.connectFullMesh(*store, device);
}

/// Part of another store. Gloo's own keeps a reference only.
class PrefixedGlooStore final : public gloo::rendezvous::Store {
 public:
  PrefixedGlooStore(std::string prefix, std::shared_ptr<gloo::rendezvous::Store> store)
      : prefix_(std::move(prefix)), store_(std::move(store)) {}
  void set(const std::string& key, const std::vector<char>& data) override { store_->set(prefix_ + key, data); }
  std::vector<char> get(const std::string& key) override { return store_->get(prefix_ + key); }
  void wait(const std::vector<std::string>& keys) override { store_->wait(prefixed(keys)); }
  void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds& timeout) override {
    store_->wait(prefixed(keys), timeout);
  }

 private:
  [[nodiscard]] std::vector<std::string> prefixed(std::vector<std::string> keys) const {
    for (std::string& key : keys) key = prefix_ + key;
    return keys;
  }
  std::string prefix_;
  std::shared_ptr<gloo::rendezvous::Store> store_;
};

/// One rank's calls of Gloo. They throw what Gloo throws.
struct GlooOperations {
  std::shared_ptr<gloo::Context> context;
  GlooAllReduce all_reduce_algorithm = GlooAllReduce::ring;
  std::uint32_t calls = 0;  ///< of this communicator: keeps messages of one call from another

  [[nodiscard]] int rank() const { return context->rank; }
  [[nodiscard]] int size() const { return context->size; }

  void all_reduce(const CollectiveCall& call, Deadline deadline) {
    begin_result(call, call.receive, call.count);
    with_word(call.type, [&]<class Word>() {
      gloo::AllreduceOptions options(context);
      prepare(options, deadline);
      options.setAlgorithm(all_reduce_algorithm == GlooAllReduce::ring ? gloo::AllreduceOptions::Algorithm::RING
                                                                       : gloo::AllreduceOptions::Algorithm::BCUBE);
      options.setReduceFunction(function_of(call));
      options.setOutput<Word>(buffer(call, call.receive, call.count));
      gloo::allreduce(options);
    });
    finish_result(call);
  }

  /// Gloo works on every rank in a buffer of the result's length.
  void reduce(const CollectiveCall& call, Deadline deadline) {
    std::vector<std::byte> scratch(rank() == call.root ? 0 : bytes(call, call.count));
    void* const work = rank() == call.root ? call.receive : scratch.data();
    begin_result(call, work, call.count);
    with_word(call.type, [&]<class Word>() {
      gloo::ReduceOptions options(context);
      prepare(options, deadline);
      options.setRoot(call.root);
      options.setReduceFunction(function_of(call));
      options.setOutput<Word>(buffer(call, work, call.count));
      gloo::reduce(options);
    });
    if (rank() == call.root) finish_result(call);
  }

  void reduce_scatter(const CollectiveCall& call, Deadline) {
    ++calls;
    if (call.count == 0) return;  // Gloo's class takes the logarithm of what is left
    std::vector<std::byte> work(bytes(call, call.count * size()));
    begin_result(call, work.data(), call.count * size());
    with_word(call.type, [&]<class Word>() {
      std::vector<Word> words(static_cast<std::size_t>(call.count * size()));
      std::memcpy(words.data(), work.data(), work.size());
      const WordReduction<Word> reduction(call.type, call.reduction);
      gloo::ReduceScatterHalvingDoubling<Word> algorithm(
          context, {words.data()}, static_cast<int>(words.size()),
          std::vector<int>(static_cast<std::size_t>(size()), static_cast<int>(call.count)), &reduction.function);
      algorithm.run();
      std::memcpy(call.receive, words.data(), bytes(call, call.count));
    });
    finish_result(call);
  }

  void all_gather(const CollectiveCall& call, Deadline deadline) {
    gloo::AllgatherOptions options(context);
    prepare(options, deadline);
    if (call.count == 0) return;  // Gloo of 2022 divides by the length (facebookincubator/gloo#179)
    if (!is_block_of(call, call.send, call.receive))
      options.setInput<std::uint8_t>(buffer(call, call.send, call.count));
    else
      options.setInput<std::uint8_t>(buffer(call, copied(call, call.send, call.count), call.count));
    options.setOutput<std::uint8_t>(buffer(call, call.receive, call.count * size()));
    gloo::allgather(options);
    kept.clear();
  }

  void broadcast(const CollectiveCall& call, Deadline deadline) {
    gloo::BroadcastOptions options(context);
    prepare(options, deadline);
    options.setRoot(call.root);
    if (rank() == call.root && call.send != call.receive)
      options.setInput<std::uint8_t>(buffer(call, call.send, call.count));
    options.setOutput<std::uint8_t>(buffer(call, call.receive, call.count));
    gloo::broadcast(options);
  }

  void gather(const CollectiveCall& call, Deadline deadline) {
    gloo::GatherOptions options(context);
    prepare(options, deadline);
    options.setRoot(call.root);
    const bool in_place = rank() == call.root && is_block_of(call, call.send, call.receive);
    options.setInput<std::uint8_t>(
        buffer(call, in_place ? copied(call, call.send, call.count) : call.send, call.count));
    if (rank() == call.root) options.setOutput<std::uint8_t>(buffer(call, call.receive, call.count * size()));
    gloo::gather(options);
    kept.clear();
  }

  void scatter(const CollectiveCall& call, Deadline deadline) {
    gloo::ScatterOptions options(context);
    prepare(options, deadline);
    options.setRoot(call.root);
    const bool in_place = rank() == call.root && is_block_of(call, call.receive, call.send);
    void* const own = in_place ? copied(call, call.receive, call.count) : call.receive;
    if (rank() == call.root) {
      std::vector<std::unique_ptr<gloo::transport::UnboundBuffer>> blocks;
      for (int to = 0; to < size(); ++to)
        blocks.push_back(
            buffer(call, static_cast<const std::byte*>(call.send) + bytes(call, to * call.count), call.count));
      options.setInputs<std::uint8_t>(std::move(blocks));
    }
    options.setOutput<std::uint8_t>(buffer(call, own, call.count));
    gloo::scatter(options);
    kept.clear();
  }

  void all_to_all(const CollectiveCall& call, Deadline deadline) {
    gloo::AlltoallOptions options(context);
    prepare(options, deadline);
    const Index all = call.count * size();
    options.setInput<std::uint8_t>(
        buffer(call, call.send == call.receive ? copied(call, call.send, all) : call.send, all));
    options.setOutput<std::uint8_t>(buffer(call, call.receive, all));
    gloo::alltoall(options);
    kept.clear();
  }

  void all_to_all_v(const CollectiveCall& call, Deadline deadline) {
    std::vector<std::byte> packed, unpacked;
    std::vector<std::int64_t> sent, received;
    for (std::size_t i = 0; i < static_cast<std::size_t>(size()); ++i) {
      sent.push_back(static_cast<std::int64_t>(bytes(call, call.sent.counts[i])));
      received.push_back(static_cast<std::int64_t>(bytes(call, call.received.counts[i])));
      const auto* block = static_cast<const std::byte*>(call.send) + bytes(call, call.sent.displacements[i]);
      if (sent.back() > 0) packed.insert(packed.end(), block, block + sent.back());
      unpacked.resize(unpacked.size() + static_cast<std::size_t>(received.back()));
    }
    gloo::AlltoallvOptions options(context);
    prepare(options, deadline);
    options.setInput<std::uint8_t>(context->createUnboundBuffer(packed.data(), packed.size()), sent);
    options.setOutput<std::uint8_t>(context->createUnboundBuffer(unpacked.data(), unpacked.size()), received);
    gloo::alltoallv(options);
    const std::byte* from = unpacked.data();
    for (std::size_t i = 0; i < received.size(); ++i) {
      if (received[i] > 0)
        std::memcpy(static_cast<std::byte*>(call.receive) + bytes(call, call.received.displacements[i]), from,
                    static_cast<std::size_t>(received[i]));
      from += received[i];
    }
  }

  void send_receive(const CollectiveCall& call, Deadline deadline) {
    constexpr std::uint8_t prefix = 0x40;  // none of Gloo's collectives
    const auto slot = gloo::Slot::build(prefix, calls++);
    const std::size_t length = bytes(call, call.count);
    if (call.destination == rank() && call.source == rank()) {
      if (length > 0) std::memmove(call.receive, call.send, length);
      return;
    }
    std::unique_ptr<gloo::transport::UnboundBuffer> out, in;
    if (call.destination >= 0) {
      out =
          buffer(call, call.source >= 0 && call.send == call.receive ? copied(call, call.send, call.count) : call.send,
                 call.count);
      out->send(call.destination, slot);
    }
    if (call.source >= 0) {
      in = buffer(call, call.receive, call.count);
      in->recv(call.source, slot);
    }
    if (in) in->waitRecv(remaining(deadline));
    if (out) out->waitSend(remaining(deadline));
    kept.clear();
  }

  void barrier(const CollectiveCall&, Deadline deadline) {
    gloo::BarrierOptions options(context);
    prepare(options, deadline);
    gloo::barrier(options);
  }

 private:
  /// What a reduction of Gloo's older classes is called with: no more than pointers, so type and reduction wait here.
  template <class Word>
  struct WordReduction {
    WordReduction(ElementType type, ReductionOperator reduction) { current() = {type, reduction}; }
    static std::pair<ElementType, ReductionOperator>& current() {
      thread_local std::pair<ElementType, ReductionOperator> now;
      return now;
    }
    static void combine(Word* into, const Word* with, std::size_t count) {
      reduce_elements(current().first, current().second, into, with, static_cast<Index>(count));
    }
    gloo::ReductionFunction<Word> function{gloo::ReductionType::CUSTOM, combine};
  };

  /// Calls `visitor.template operator()<Word>()` with an integer as wide as the type, of which Gloo takes the size.
  template <class Visitor>
  static void with_word(ElementType type, Visitor visitor) {
    switch (bytes_of(type)) {
      case 1: return visitor.template operator()<std::uint8_t>();
      case 2: return visitor.template operator()<std::uint16_t>();
      case 4: return visitor.template operator()<std::uint32_t>();
      default: return visitor.template operator()<std::uint64_t>();
    }
  }

  [[nodiscard]] static std::size_t bytes(const CollectiveCall& call, Index elements) {
    return static_cast<std::size_t>(elements) * bytes_of(call.type);
  }
  [[nodiscard]] std::unique_ptr<gloo::transport::UnboundBuffer> buffer(const CollectiveCall& call, const void* data,
                                                                       Index elements) const {
    return context->createUnboundBuffer(const_cast<void*>(data), bytes(call, elements));
  }
  /// Whether `inner` is this rank's block within `outer`.
  [[nodiscard]] bool is_block_of(const CollectiveCall& call, const void* inner, const void* outer) const {
    return call.count > 0 && inner == static_cast<const std::byte*>(outer) + bytes(call, rank() * call.count);
  }
  [[nodiscard]] void* copied(const CollectiveCall& call, const void* data, Index elements) {
    auto& copy = kept.emplace_back(bytes(call, elements));
    if (!copy.empty()) std::memcpy(copy.data(), data, copy.size());
    return copy.data();
  }

  [[nodiscard]] static std::chrono::milliseconds remaining(Deadline deadline) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    return std::clamp(left, std::chrono::milliseconds(1), std::chrono::milliseconds(std::chrono::hours(24 * 365)));
  }
  template <class Options>
  void prepare(Options& options, Deadline deadline) {
    options.setTag(calls++);
    options.setTimeout(remaining(deadline));
  }

  [[nodiscard]] static gloo::AllreduceOptions::Func function_of(const CollectiveCall& call) {
    return
        [type = call.type, reduction = call.reduction](void* result, const void* a, const void* b, std::size_t count) {
          if (result != a && result != b) std::memcpy(result, a, count * bytes_of(type));
          reduce_elements(type, reduction, result, result == b ? a : b, static_cast<Index>(count));
        };
  }
  /// This rank's part, where Gloo reduces into.
  static void begin_result(const CollectiveCall& call, void* into, Index elements) {
    if (elements == 0) return;
    if (into != call.send) std::memmove(into, call.send, bytes(call, elements));
    if (call.reduction == ReductionOperator::premultiplied_sum)
      scale_elements(call.type, into, call.multiplier, elements);
  }
  void finish_result(const CollectiveCall& call) const {
    if (call.reduction == ReductionOperator::average) divide_elements(call.type, call.receive, size(), call.count);
  }

  std::vector<std::vector<std::byte>> kept;  ///< copies of inputs, until the operation has ended
};

}  // namespace detail

}  // namespace assay::inline v0

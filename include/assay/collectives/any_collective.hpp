#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "assay/collectives/collective.hpp"
#include "assay/collectives/collective_memory.hpp"

namespace assay::inline v0 {

/// Any `Collective` behind one type, so that checks, sweeps and wrappers are compiled once. Is a `Collective` itself:
/// what the runtime lacks is refused as `unsupported`. Movable; never empty but after a move.
class AnyCollective {
 public:
  static constexpr bool checks_calls = true;  // to launch the runtime does

  /// Takes the runtime over.
  template <class C>
  requires(!std::is_same_v<C, AnyCollective>) && requires(C& given) { given.rank(); }
  &&Collective<C>  // asked first of what may itself convert: a Result
  AnyCollective(C collective) : runtime_(std::make_unique<Model<C>>(std::move(collective))) {}

  [[nodiscard]] int rank() const { return runtime_->rank(); }
  [[nodiscard]] int size() const { return runtime_->size(); }
  [[nodiscard]] std::string name() const { return runtime_->name(); }
  void abort(std::string_view reason) { runtime_->abort(reason); }
  [[nodiscard]] CollectiveMemory memory() const { return runtime_->memory(); }
  [[nodiscard]] Result<void> run(const CollectiveCall& call, Deadline deadline) {
    return runtime_->run(call, deadline);
  }
  [[nodiscard]] Result<void> run_group(std::span<const CollectiveCall> calls, Deadline deadline) {
    return runtime_->run_group(calls, deadline);
  }
  /// Errors: `unsupported` where the runtime cannot be split.
  [[nodiscard]] Result<AnyCollective> split(int color) { return runtime_->split(color); }

 private:
  struct Runtime {
    virtual ~Runtime() = default;
    virtual int rank() const = 0;
    virtual int size() const = 0;
    virtual std::string name() const = 0;
    virtual void abort(std::string_view reason) = 0;
    virtual CollectiveMemory memory() const = 0;
    virtual Result<void> run(const CollectiveCall& call, Deadline deadline) = 0;
    virtual Result<void> run_group(std::span<const CollectiveCall> calls, Deadline deadline) = 0;
    virtual Result<AnyCollective> split(int color) = 0;
  };

  template <class C>
  struct Model final : Runtime {
    explicit Model(C runtime) : collective(std::move(runtime)) {}
    int rank() const override { return collective.rank(); }
    int size() const override { return collective.size(); }
    std::string name() const override { return collective.name(); }
    void abort(std::string_view reason) override { collective.abort(reason); }
    CollectiveMemory memory() const override {
      if constexpr (requires { collective.memory(); })
        return collective.memory();
      else
        return {};
    }
    Result<void> run(const CollectiveCall& call, Deadline deadline) override {
      return launch(collective, call, deadline);
    }
    Result<void> run_group(std::span<const CollectiveCall> calls, Deadline deadline) override {
      return launch_group(collective, calls, deadline);
    }
    Result<AnyCollective> split(int color) override {
      if constexpr (requires { collective.split(color); }) {
        auto part = collective.split(color);
        if (!part) return part.propagate();
        return AnyCollective(std::move(part).value());
      } else {
        return failure(ErrorKind::unsupported, collective.name() + " cannot be split into smaller communicators");
      }
    }
    C collective;
  };

  std::unique_ptr<Runtime> runtime_;
};

}  // namespace assay::inline v0

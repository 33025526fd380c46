#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "assay/backends/host.hpp"

namespace assay::testing {

/// A backend on the host whose streams are threads, as those of a device are: work of different streams overlaps, and a
/// missing wait shows only when the timing is unlucky. Streams can be captured into graphs.
class ThreadedDevice : public Host {
  using Work = std::function<void()>;
  /// One at a time touches memory, so that the races that are tested are none to the language.
  static std::mutex& memory() {
    static std::mutex mutex;
    return mutex;
  }
  struct Mark {
    std::mutex mutex;
    std::condition_variable reached_condition;
    bool reached = false;
  };
  class Queue {
   public:
    ~Queue() {
      {
        const std::lock_guard lock(mutex_);
        ended_ = true;
      }
      changed_.notify_all();
      thread_.join();
    }
    void submit(Work work) {
      const std::lock_guard lock(mutex_);
      if (capturing) return graph.push_back(std::move(work));
      work_.push_back(std::move(work));
      changed_.notify_all();
    }
    void wait() {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return work_.empty() && !busy_; });
    }
    bool capturing = false;
    std::vector<Work> graph;

   private:
    void serve() {
      std::unique_lock lock(mutex_);
      for (;;) {
        changed_.wait(lock, [&] { return ended_ || !work_.empty(); });
        if (work_.empty()) return;
        const Work work = std::move(work_.front());
        work_.pop_front();
        busy_ = true;
        lock.unlock();
        work();
        lock.lock();
        busy_ = false;
        changed_.notify_all();
      }
    }
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Work> work_;
    bool ended_ = false, busy_ = false;
    std::thread thread_{[this] { serve(); }};
  };

 public:
  struct Stream {
    std::shared_ptr<Queue> queue;
  };
  struct Event {
    std::shared_ptr<Mark> mark;
  };
  struct Graph {
    std::vector<Work> work;
  };
  static constexpr bool runs_on_host = true;

  ThreadedDevice() : Host(1) {}
  [[nodiscard]] std::string_view name() const noexcept { return "threaded"; }
  [[nodiscard]] Result<Stream> make_stream() const { return Stream{std::make_shared<Queue>()}; }
  [[nodiscard]] Result<Event> make_event() const { return Event{}; }
  template <class T>
  [[nodiscard]] Result<void> copy_to_device(Stream& stream, T* to, const T* from, std::size_t count) const {
    submit(stream, [=] { static_cast<void>(std::memcpy(to, from, count * sizeof(T))); });
    return {};
  }
  template <class T>
  [[nodiscard]] Result<void> copy_to_host(Stream& stream, T* to, const T* from, std::size_t count) const {
    return copy_to_device(stream, to, from, count);
  }
  [[nodiscard]] Result<void> record(Event& event, Stream& stream) const {
    event.mark = std::make_shared<Mark>();
    stream.queue->submit([mark = event.mark] {
      const std::lock_guard lock(mark->mutex);
      mark->reached = true;
      mark->reached_condition.notify_all();
    });
    return {};
  }
  [[nodiscard]] Result<void> wait(Stream& stream, const Event& event) const {
    if (!event.mark) return failure(ErrorKind::invalid, "never recorded");
    stream.queue->submit([mark = event.mark] {
      std::unique_lock lock(mark->mutex);
      mark->reached_condition.wait(lock, [&] { return mark->reached; });
    });
    return {};
  }
  [[nodiscard]] Result<double> elapsed_seconds(const Event&, const Event&) const { return 0.0; }
  [[nodiscard]] Result<void> synchronize(Stream& stream) const {
    if (stream.queue->capturing) return failure(ErrorKind::invalid, "the stream is being captured");
    stream.queue->wait();
    return {};
  }
  template <class Functor>
  [[nodiscard]] Result<void> parallel_for(Stream& stream, std::size_t count, const Functor& functor) const {
    if constexpr (requires { Functor::touches_no_memory; }) {
      stream.queue->submit([=] {
        for (std::size_t i = 0; i < count; ++i) functor(i);
      });
    } else {
      submit(stream, [=] {
        for (std::size_t i = 0; i < count; ++i) functor(i);
      });
    }
    return {};
  }

  [[nodiscard]] Result<void> begin_capture(Stream& stream) const {
    stream.queue->capturing = true;
    return {};
  }
  [[nodiscard]] Result<Graph> end_capture(Stream& stream) const {
    stream.queue->capturing = false;
    return Graph{std::exchange(stream.queue->graph, {})};
  }
  [[nodiscard]] Result<void> launch(Stream& stream, const Graph& graph) const {
    for (const Work& work : graph.work) stream.queue->submit(work);
    return {};
  }

 private:
  template <class Do>
  static void submit(Stream& stream, const Do& work) {
    stream.queue->submit([work] {
      const std::lock_guard lock(memory());
      work();
    });
  }
};

}  // namespace assay::testing

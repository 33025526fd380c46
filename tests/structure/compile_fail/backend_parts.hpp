#pragma once

#include "assay/backends/parallel_backend.hpp"

/// A type that models ParallelBackend, with one part left out where a macro says so.
struct Parts {
  struct Resource {
    void* allocate(std::size_t, std::size_t);
#ifndef WITHOUT_DEALLOCATE
    void deallocate(void*, std::size_t, std::size_t);
#endif
  };
  struct Stream {};
  struct Event {};
  template <class T>
  struct Buffer {
    T* data();
    std::size_t size() const;
  };

  std::string name() const;
  assay::Capabilities capabilities() const;
  Resource& memory_resource();
  template <class T>
  assay::Result<Buffer<T>> allocate(std::size_t);
  assay::Result<Stream> make_stream();
  assay::Result<Event> make_event();
  template <class T>
  assay::Result<void> copy_to_device(Stream&, T*, const T*, std::size_t);
  template <class T>
  assay::Result<void> copy_to_host(Stream&, T*, const T*, std::size_t);
  assay::Result<void> record(Event&, Stream&);
  assay::Result<void> wait(Stream&, Event&);
  assay::Result<double> elapsed_seconds(Event&, Event&);
#ifndef WITHOUT_SYNCHRONIZE
  assay::Result<void> synchronize(Stream&);
#endif
#ifndef WITHOUT_PARALLEL_FOR
  template <class Work>
  assay::Result<void> parallel_for(Stream&, std::size_t, const Work&);
#endif
};

template <assay::Backend B>
void use_backend(B&);
template <assay::ParallelBackend B>
void use_parallel_backend(B&);
template <assay::MemoryResource R>
void use_resource(R&);

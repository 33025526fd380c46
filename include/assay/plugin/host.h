/* Validates kernels that live in the calling process: of Python through ctypes, for instance. libassay_host.so has it. */
#ifndef ASSAY_PLUGIN_HOST_H
#define ASSAY_PLUGIN_HOST_H

#include "plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The ABI of this library, to be compared with ASSAY_PLUGIN_ABI: another major version cannot be talked to. */
ASSAY_PLUGIN_EXPORT uint32_t assay_host_abi(void);

/* What the command line `assay <arguments>` does, with `plugin` as if --plugin had named it: {"run", "--only", "softmax/...", "--out", "folder"},
 * {"list", "cases"}, {"explain", "<id>"}. Prints as the tool does, and returns its exit code: 0 for success, 1 where a case failed
 * or could not be judged, 2 for a fault: a wrong option, or a plugin that is refused.
 *
 * Everything runs in this process: a crash ends it, and --isolate, --timeout and --memory are refused. With --jobs 1, the default,
 * kernels are called by the calling thread. Not to be called by two threads at a time. */
ASSAY_PLUGIN_EXPORT int32_t assay_validate(const assay_plugin* plugin, int32_t argument_count,
                                           const char* const* arguments);

#ifdef __cplusplus
}
#endif
#endif

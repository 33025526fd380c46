#!/usr/bin/env python3
"""NVIDIA's nvidia-ml-py reads the scripted library as if it were the real one, and nvml.h says what we declare of it.

usage: nvml_oracle.py SCRIPTED_NVML INTERFACE_HEADER PYTHON_ENVIRONMENT; exit code 77: skipped, with the reason."""

import ctypes
import glob
import os
import re
import sys
import tempfile


def skip(reason):
    print("skipped: " + reason)
    sys.exit(77)


def compare_declarations(interface, header):
    """Every function of ours has in nvml.h as many parameters of the same kinds."""
    kinds = {"nvmlDevice_t": "Device", "unsigned int": "unsigned", "nvmlPciInfo_t": "PciInfo", "nvmlFieldValue_t": "FieldValue",
             "nvmlMarginTemperature_t": "MarginTemperature", "nvmlUtilization_t": "Utilization", "nvmlViolationTime_t": "ViolationTime",
             "nvmlEnableState_t": "int", "nvmlReturn_t": "Return", "unsigned long long": "unsigned long long", "int": "int",
             "char": "char", "nvmlTemperatureSensors_t": "int", "nvmlTemperatureThresholds_t": "int", "nvmlClockType_t": "int",
             "nvmlPerfPolicyType_t": "int", "nvmlMemoryErrorType_t": "int", "nvmlEccCounterType_t": "int",
             "nvmlPageRetirementCause_t": "int", "void": ""}
    wrong, compared = [], 0
    for name, parameters in re.findall(r"\(\*(\w+)\)\(([^)]*)\) = nullptr", interface):
        found = re.search(r"DECLDIR\s*(?:nvmlReturn_t|char\s*\*)?\s*nvml" + name + r"\s*\(([^)]*)\)", header)
        if found is None:
            wrong.append(name + " is not in nvml.h")
            continue
        theirs = []
        for parameter in found[1].split(","):
            parameter = " ".join(parameter.split())
            kind, stars = re.match(r"((?:unsigned )?(?:long long|\w+))\s*(\**)", parameter).groups()
            theirs.append(kinds.get(kind, kind) + stars)
        ours = [" ".join(parameter.split()) for parameter in parameters.split(",")]
        compared += 1
        if ours != [kind for kind in theirs]:
            wrong.append(f"{name}: ours {ours}, theirs {theirs}")
    for name, number in re.findall(r"(\w+) = (\d+)[,;]", interface):
        macro = {"memory_temperature": "NVML_FI_DEV_MEMORY_TEMP", "power_instant": "NVML_FI_DEV_POWER_INSTANT",
                 "software_thermal_time": "NVML_FI_DEV_CLOCKS_EVENT_REASON_SW_THERM_SLOWDOWN",
                 "hardware_thermal_time": "NVML_FI_DEV_CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN",
                 "power_brake_time": "NVML_FI_DEV_CLOCKS_EVENT_REASON_HW_POWER_BRAKE_SLOWDOWN",
                 "recovery_action": "NVML_FI_DEV_GET_GPU_RECOVERY_ACTION", "gpu_is_lost": "NVML_ERROR_GPU_IS_LOST",
                 "not_supported": "NVML_ERROR_NOT_SUPPORTED", "not_found": "NVML_ERROR_NOT_FOUND",
                 "insufficient_size": "NVML_ERROR_INSUFFICIENT_SIZE", "function_not_found": "NVML_ERROR_FUNCTION_NOT_FOUND",
                 "deprecated": "NVML_ERROR_DEPRECATED", "gpu_not_found": "NVML_ERROR_GPU_NOT_FOUND",
                 "type_signed": "NVML_VALUE_TYPE_SIGNED_INT", "type_unsigned_long_long": "NVML_VALUE_TYPE_UNSIGNED_LONG_LONG",
                 "type_signed_long_long": "NVML_VALUE_TYPE_SIGNED_LONG_LONG", "type_double": "NVML_VALUE_TYPE_DOUBLE"}.get(name)
        if macro is None:
            continue
        found = re.search(r"\b" + macro + r"\s*=?\s*(\d+)", header)
        compared += 1
        if found is None or found[1] != number:
            wrong.append(f"{name}: ours {number}, theirs {found and found[1]}")
    print(f"{compared} declarations and constants compared with nvml.h")
    if wrong or compared < 40:
        sys.exit("\n".join(wrong) or "too few were found")


def read_script(library):
    import pynvml
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as script:
        script.write("0 Count 0 2\n0 PowerUsage 0 650250\n0 TotalEnergyConsumption 0 123456789\n0 Temperature 0 61\n"
                     "0 CurrentClocksThrottleReasons 0 68\n0 Field82 0 70\n0 PowerUsage@2 15\n")
        script.flush()
        os.environ["ASSAY_NVML_SCRIPT"] = script.name
        loaded = ctypes.CDLL(library)
        pynvml.nvmlLib = loaded
        pynvml.nvmlInit()
    assert pynvml.nvmlDeviceGetCount() == 2
    first, second = (pynvml.nvmlDeviceGetHandleByIndex(i) for i in (0, 1))
    assert pynvml.nvmlDeviceGetUUID(first) == "GPU-script-1"
    assert pynvml.nvmlDeviceGetPciInfo(first).bus == 0x3A
    assert pynvml.nvmlDeviceGetPowerUsage(first) == 650250
    assert pynvml.nvmlDeviceGetTotalEnergyConsumption(first) == 123456789
    assert pynvml.nvmlDeviceGetTemperature(first, pynvml.NVML_TEMPERATURE_GPU) == 61
    assert pynvml.nvmlDeviceGetCurrentClocksThrottleReasons(first) == 68
    assert pynvml.nvmlDeviceGetFieldValues(first, [82])[0].value.ullVal == 70
    for call, code in ((lambda: pynvml.nvmlDeviceGetPowerUsage(second), 15), (lambda: pynvml.nvmlDeviceGetFanSpeed(first), 3),
                       (lambda: pynvml.nvmlDeviceGetUtilizationRates(first), 13)):
        try:
            call()
        except pynvml.NVMLError as error:
            assert error.value == code, error.value
        else:
            sys.exit("no error where one was scripted")
    print("nvidia-ml-py reads the scripted library")


def main():
    library, interface, environment = sys.argv[1:4]
    sys.path[:0] = glob.glob(os.path.join(environment, "lib", "python3*", "site-packages"))
    headers = [found for path in sys.path for found in glob.glob(os.path.join(path, "nvidia", "**", "nvml.h"), recursive=True)]
    try:
        import pynvml  # noqa: F401
    except ImportError:
        skip("this Python has no nvidia-ml-py")
    read_script(library)
    if not headers:
        skip("nvidia-ml-py read the library, but there is no nvml.h of nvidia-nvml-dev to compare declarations with")
    with open(interface, encoding="utf-8") as file, open(headers[0], encoding="utf-8", errors="replace") as header:
        compare_declarations(file.read(), header.read())


main()

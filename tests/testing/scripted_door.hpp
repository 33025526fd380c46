#pragma once

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "assay/frameworks/door/door_subject.hpp"
#include "assay/frameworks/door/door_worker.hpp"
#include "assay/frameworks/door/mode_name.hpp"

namespace assay::testing {

/// A door to the scripted ONNX Runtime with that fault, see scripted_onnx_runtime.cpp.
inline DoorWorker scripted_worker(const std::string& fault, double seconds = 20) {
  return DoorWorker(
      {"/usr/bin/env", "ASSAY_SCRIPTED_ONNXRUNTIME=" + fault, ASSAY_DOOR_WORKER, ASSAY_SCRIPTED_ONNX_RUNTIME}, seconds);
}

inline Door scripted_door(const std::string& fault, const std::string& provider = "cpu", double seconds = 20) {
  Door door;
  door.name = "ort." + provider + ".level99";
  door.mode.provider.name = provider;
  door.worker = std::make_shared<DoorWorker>(scripted_worker(fault, seconds));
  return door;
}

/// The same of the scripted plugin of PJRT, see scripted_pjrt.cpp.
inline DoorWorker scripted_pjrt_worker(const std::string& fault, double seconds = 20) {
  return DoorWorker({"/usr/bin/env", "ASSAY_SCRIPTED_PJRT=" + fault, ASSAY_DOOR_WORKER, ASSAY_SCRIPTED_PJRT, "pjrt"},
                    seconds);
}

inline Door scripted_pjrt_door(const std::string& fault, double seconds = 20) {
  Door door;
  door.name = "xla";
  door.mode.runtime = ForeignRuntime::pjrt;
  door.mode.provider.name = "";
  door.worker = std::make_shared<DoorWorker>(scripted_pjrt_worker(fault, seconds));
  return door;
}

/// The same of the scripted OpenVINO, see scripted_openvino.cpp.
inline DoorWorker scripted_openvino_worker(const std::string& fault, double seconds = 20) {
  return DoorWorker(
      {"/usr/bin/env", "ASSAY_SCRIPTED_OPENVINO=" + fault, ASSAY_DOOR_WORKER, ASSAY_SCRIPTED_OPENVINO, "openvino"},
      seconds);
}

inline Door scripted_openvino_door(const std::string& fault, double seconds = 20) {
  Door door;
  door.name = "openvino";
  door.mode = read_mode_name(door.name).value();
  door.worker = std::make_shared<DoorWorker>(scripted_openvino_worker(fault, seconds));
  return door;
}

}  // namespace assay::testing

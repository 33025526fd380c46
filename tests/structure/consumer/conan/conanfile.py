"""Conan's test package: builds and runs the consumer beside this folder with what Conan made of the recipe."""

import os

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout


class ConsumerConan(ConanFile):
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeDeps"

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        cmake_layout(self, build_folder=os.path.join(*[os.pardir] * 4, "build", "conan"))

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.user_presets_path = False  # a file that would lie among the sources
        required = [name for name in self.dependencies["assay"].cpp_info.components if name != "headers"]
        toolchain.cache_variables["REQUIRED_COMPONENTS"] = ";".join(required)
        toolchain.cache_variables["LINKED_COMPONENTS"] = self.conf.get("user.assay:linked_components", default=";".join(required or ["json"]))
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure(build_script_folder=os.pardir)
        cmake.build()

    def test(self):
        if can_run(self):
            self.run(os.path.join(self.cpp.build.bindir, "consumer"), env="conanrun")

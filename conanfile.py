"""Assay as a Conan 2 package: `conan create .`, with `-o "&:with_json=True"` and the like for what comes from Conan.

find_package(assay COMPONENTS …) of a consumer that uses CMakeDeps makes assay::assay, and assay::<component> for what it asks
for: from Conan where the option is set, otherwise from what the machine has, as without Conan (cmake/components.cmake). So no
option is needed for CUDA, HIP, NCCL, Gloo and oneDNN, of which Conan Center has no recipe for Conan 2.
"""

import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.files import copy, load
from conan.tools.layout import basic_layout

required_conan_version = ">=2.0"

# Each component with its requirement, and with what it links of it.
REQUIREMENTS = {
    "kokkos": ("kokkos/[>=4.0 <6]", "kokkos::kokkos"),
    "openblas": ("openblas/[>=0.3.20 <1]", "openblas::openblas"),
    "eigen": ("eigen/[>=3.4.0 <4]", "eigen::eigen"),
    "json": ("nlohmann_json/[>=3.9 <4]", "nlohmann_json::nlohmann_json"),
    "openssl": ("openssl/[>=1.1 <4]", "openssl::crypto"),
    "sqlite": ("sqlite3/[>=3.35 <4]", "sqlite3::sqlite3"),
    "postgresql": ("libpq/[>=13 <19]", "libpq::libpq"),
    "boost_math": ("boost/[>=1.74.0 <2]", "boost::headers"),
    "mpi": ("openmpi/[>=4.0 <6]", "openmpi::openmpi"),
    "catch2": ("catch2/[>=2.13 <4]", "catch2::catch2"),
    "gtest": ("gtest/[>=1.11 <2]", "gtest::gmock"),
}


class AssayConan(ConanFile):
    name = "assay"
    description = "Header-only C++20 library that validates AI accelerators, from a kernel to a release"
    license = "Apache-2.0 WITH LLVM-exception"
    topics = ("validation", "testing", "accelerators", "numerics", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {f"with_{component}": [True, False] for component in REQUIREMENTS}
    default_options = {f"with_{component}": False for component in REQUIREMENTS}
    exports_sources = "include/*", "cmake/components.cmake", "cmake/compiled.cmake", "cmake/conan-components.cmake", "LICENSE"
    no_copy_source = True
    test_package_folder = "tests/structure/consumer/conan"

    @property
    def _wanted(self):
        return {component: names for component, names in REQUIREMENTS.items() if self.options.get_safe(f"with_{component}")}

    def set_version(self):
        header = load(self, os.path.join(self.recipe_folder, "include", "assay", "core", "version.hpp"))
        self.version = re.search(r' version = "([0-9.]+)"', header).group(1)

    def configure(self):
        if self.options.with_boost_math:
            self.options["boost"].header_only = True

    def layout(self):
        basic_layout(self)

    def requirements(self):
        for reference, _ in self._wanted.values():
            # Headers of ours include theirs.
            self.requires(reference, transitive_headers=True, transitive_libs=True)

    def package_id(self):
        self.info.clear()

    def validate(self):
        check_min_cppstd(self, 20)

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        for kind in ("*.hpp", "*.ipp", "*.h", "*.json"):
            copy(self, kind, os.path.join(self.source_folder, "include"), os.path.join(self.package_folder, "include"))
        copy(self, "*.cmake", os.path.join(self.source_folder, "cmake"), os.path.join(self.package_folder, "cmake"))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "assay")
        # Conan's target of all components together; assay::assay is the headers alone, as without Conan.
        self.cpp_info.set_property("cmake_target_name", "assay::all_components")
        self.cpp_info.set_property("cmake_build_modules", [os.path.join("cmake", "conan-components.cmake")])
        headers = self._component("headers", "assay::assay")
        if self.settings.os in ("Linux", "FreeBSD"):
            headers.system_libs = ["pthread"]
        for component, (_, target) in self._wanted.items():
            self._component(component, f"assay::{component}").requires = ["headers", target]

    def _component(self, name, target):
        component = self.cpp_info.components[name]
        component.set_property("cmake_target_name", target)
        component.bindirs = []
        component.libdirs = []
        return component

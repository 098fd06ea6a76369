import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.files import copy, load
from conan.tools.layout import basic_layout

required_conan_version = ">=2.0"


class EtchConan(ConanFile):
    name = "etch"
    description = "Losses written as lambdas, compiled to static forward and backward code"
    license = "BSL-1.0"
    topics = ("automatic-differentiation", "gradient", "tensor", "machine-learning", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"files": [True, False]}
    default_options = {"files": False}
    no_copy_source = True

    @property
    def _checkout(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        self.version = self.version or re.search(r"\bversion: '([^']*)'", load(self, os.path.join(self._checkout, "meson.build")))[1]

    def export_sources(self):
        for pattern in ["LICENSE", "include/*.hpp"]:
            copy(self, pattern, src=self._checkout, dst=self.export_sources_folder)

    def layout(self):
        basic_layout(self)

    def requirements(self):
        self.requires("eigen/3.4.0", transitive_headers=True)
        self.requires("boost/1.86.0", transitive_headers=True, options={"header_only": True})
        if self.options.files:
            self.requires("zlib/[>=1.2.11 <2]", transitive_headers=True, transitive_libs=True)
            self.requires("nlohmann_json/3.11.3", transitive_headers=True)

    def validate(self):
        check_min_cppstd(self, 20)

    def package_id(self):
        self.info.clear()  # the headers are the same for all

    def package(self):
        copy(self, "LICENSE", src=self.source_folder, dst=os.path.join(self.package_folder, "licenses"))
        copy(self, "*.hpp", src=os.path.join(self.source_folder, "include"), dst=os.path.join(self.package_folder, "include"))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "etch")
        self.cpp_info.set_property("cmake_target_name", "etch::all")
        core = self.cpp_info.components["etch"]
        core.set_property("cmake_target_name", "etch::etch")
        core.set_property("pkg_config_name", "etch")
        core.requires = ["eigen::eigen", "boost::headers"]
        core.bindirs = core.libdirs = []
        if self.options.files:
            files = self.cpp_info.components["files"]
            files.set_property("cmake_target_name", "etch::files")
            files.requires = ["etch", "zlib::zlib", "nlohmann_json::nlohmann_json"]
            files.bindirs = files.libdirs = []

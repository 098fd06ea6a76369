from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Etch(CMakePackage):
    """Losses written as lambdas, compiled to static forward and backward code:
    a header-only library of C++20 for derivatives of any order."""

    license("BSL-1.0")

    # It has no archive to fetch: `spack develop --path CHECKOUT` builds it from a checkout.
    version("0.2.0")

    variant(
        "files",
        default=False,
        description="What etch::files needs: .npy, .npz, .safetensors and CSV",
    )

    depends_on("cxx", type="build")
    depends_on("cmake@3.20:", type="build")
    depends_on("eigen@3.4:", type=("build", "link"))
    depends_on("boost@1.74:", type=("build", "link"))
    depends_on("zlib-api", type=("build", "link"), when="+files")
    depends_on("nlohmann-json", type=("build", "link"), when="+files")

    conflicts("%gcc@:11", msg="etch needs C++20 as g++ 12 has it")
    conflicts("%clang@:15", msg="etch needs C++20 as clang 16 has it")

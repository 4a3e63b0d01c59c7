# Copyright (c) 2026, the spindrift authors
# SPDX-License-Identifier: BSD-3-Clause
from spack.package import *


class Tomlplusplus(MesonPackage):
    """A TOML parser for C++17, by headers alone."""

    homepage = "https://marzer.github.io/tomlplusplus/"
    git = "https://github.com/marzer/tomlplusplus.git"

    license("MIT")

    version("3.4.0", tag="v3.4.0", commit="30172438cee64926dc41fdd9c11fb3ba5b2ba9de")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("pkgconfig", type="build")

# Copyright (c) 2026, the spindrift authors
# SPDX-License-Identifier: BSD-3-Clause
"""spack repo add CLONE/packages/spack, then spack install spindrift: builds the clone that this file is in."""

import pathlib

from spack.package import *


class Spindrift(CMakePackage):
    """Ensembles of rigid bodies by geometric methods, with a verdict on the drift of their energy; the same bits on
    every machine."""

    git = pathlib.Path(__file__).resolve().parents[4].as_uri()

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("hdf5", default=True, description="write result files")
    variant("cuda", default=False, description="build the CUDA backend")
    variant("mpi", default=False, description="runs over processes by mpirun")
    variant("shared", default=True, description="a shared library in place of the archive")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.18:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("random123", type="build")
    depends_on("tomlplusplus", type="build")
    depends_on("xxhash")
    depends_on("hdf5+hl", when="+hdf5")
    depends_on("cuda", when="+cuda")
    depends_on("mpi", when="+mpi")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define("SPINDRIFT_TESTS", False),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("SPINDRIFT_HDF5", "hdf5"),
            self.define_from_variant("SPINDRIFT_CUDA", "cuda"),
            self.define_from_variant("SPINDRIFT_MPI", "mpi"),
        ]

# SPDX-License-Identifier: BSD-3-Clause
# Finds the headers of CUPTI and of the CUDA driver interface; the library is only looked for at run
# time. Places, in this order: TPROF_CUPTI_INCLUDE, the toolkit that CMake's own FindCUDAToolkit
# knows, CUDA_HOME and CUDA_PATH, /usr/local/cuda.
#
# TPROF_CUPTI_INCLUDE is a list of folders, such as a toolkit's include and extras/CUPTI/include, or
# the include folders of the wheels nvidia-cuda-cupti, nvidia-cuda-runtime and, from 13 on,
# nvidia-cuda-crt, all of one CUDA version. A folder into which the wheels were unpacked does, too.
#
# Result: Cupti_FOUND, Cupti_INCLUDE_DIRS, Cupti_API_VERSION and the target Cupti::headers.
set(TPROF_CUPTI_INCLUDE "" CACHE STRING "folders with cupti.h and cuda.h, where they are not found by themselves")

set(cupti_places ${TPROF_CUPTI_INCLUDE})
foreach(place IN LISTS TPROF_CUPTI_INCLUDE)
  file(GLOB unpacked ${place}/nvidia/*/include)
  list(APPEND cupti_places ${unpacked})
endforeach()
if(NOT TPROF_CUPTI_INCLUDE)
  find_package(CUDAToolkit QUIET)
  list(APPEND cupti_places ${CUDAToolkit_INCLUDE_DIRS})
  foreach(root ${CUDAToolkit_LIBRARY_ROOT} $ENV{CUDA_HOME} $ENV{CUDA_PATH} /usr/local/cuda)
    list(APPEND cupti_places ${root}/include ${root}/extras/CUPTI/include)
  endforeach()
endif()

find_path(Cupti_HEADER_DIR cupti.h PATHS ${cupti_places} NO_DEFAULT_PATH)
find_path(Cupti_CUDA_DIR cuda.h PATHS ${cupti_places} NO_DEFAULT_PATH)
find_path(Cupti_CRT_DIR crt/host_defines.h PATHS ${cupti_places} NO_DEFAULT_PATH)
find_path(Cupti_NVTX_DIR nvtx3/nvToolsExt.h PATHS ${cupti_places} NO_DEFAULT_PATH)
mark_as_advanced(Cupti_HEADER_DIR Cupti_CUDA_DIR Cupti_CRT_DIR Cupti_NVTX_DIR)

# Headers of different versions, or a part of them, may be found and still not compile.
if(Cupti_HEADER_DIR AND Cupti_CUDA_DIR)
  include(CheckCSourceCompiles)
  set(Cupti_INCLUDE_DIRS ${Cupti_HEADER_DIR} ${Cupti_CUDA_DIR})
  if(Cupti_CRT_DIR)
    list(APPEND Cupti_INCLUDE_DIRS ${Cupti_CRT_DIR})
  endif()
  list(REMOVE_DUPLICATES Cupti_INCLUDE_DIRS)
  set(CMAKE_REQUIRED_INCLUDES ${Cupti_INCLUDE_DIRS})
  set(CMAKE_REQUIRED_QUIET ON)
  check_c_source_compiles("#include <cupti.h>\nint main(void) { return (int)sizeof(CUpti_ActivityKernel4); }"
    Cupti_COMPILES)
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_QUIET)
  if(EXISTS ${Cupti_HEADER_DIR}/cupti_version.h)
    file(STRINGS ${Cupti_HEADER_DIR}/cupti_version.h version_line REGEX "define CUPTI_API_VERSION")
    string(REGEX MATCH "[0-9]+" Cupti_API_VERSION "${version_line}")
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Cupti
  REQUIRED_VARS Cupti_HEADER_DIR Cupti_CUDA_DIR Cupti_COMPILES VERSION_VAR Cupti_API_VERSION)

if(Cupti_FOUND AND NOT TARGET Cupti::headers)
  add_library(Cupti::headers INTERFACE IMPORTED GLOBAL)
  set_target_properties(Cupti::headers PROPERTIES
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${Cupti_INCLUDE_DIRS}"
    INTERFACE_INCLUDE_DIRECTORIES "${Cupti_INCLUDE_DIRS}")
endif()

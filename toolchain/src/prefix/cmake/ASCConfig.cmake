# find_package(ASC): makes the language ASC (Ascend C) known, so that project(... LANGUAGES ASC CXX) finds it. Called before project(), when no
# compiler is known yet, it does nothing else.
#
# Variables of a project that are looked at: CMAKE_ASC_ARCHITECTURES, CMAKE_ASC_RUN_MODE (npu, cpu and sim are all the embedded NPU),
# CMAKE_ASC_STANDARD, CMAKE_ASC_FLAGS and its kin, CMAKE_ASC_COMPILER. Part of toprope; written by `toprope env`.

get_filename_component(_ASC_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." REALPATH)
set(ASC_CMAKE_DIR "${CMAKE_CURRENT_LIST_DIR}")
set(ASC_INCLUDE_DIR "${_ASC_PREFIX}/include")
set(ASC_LIBRARY_DIR "${_ASC_PREFIX}/lib64")
if(NOT CMAKE_CURRENT_LIST_DIR IN_LIST CMAKE_MODULE_PATH)
    list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}")
endif()
set(ASC_FOUND TRUE)

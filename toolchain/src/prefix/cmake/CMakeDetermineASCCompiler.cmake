# First of the four files that CMake reads for a language: which compiler.

if(NOT CMAKE_ASC_COMPILER)
    get_filename_component(_ASC_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." REALPATH)
    set(CMAKE_ASC_COMPILER "${_ASC_PREFIX}/bin/toprope-cc")
endif()
if(NOT IS_ABSOLUTE "${CMAKE_ASC_COMPILER}")
    find_program(_ASC_COMPILER_PATH NAMES "${CMAKE_ASC_COMPILER}")
    if(_ASC_COMPILER_PATH)
        set(CMAKE_ASC_COMPILER "${_ASC_COMPILER_PATH}")
    endif()
    unset(_ASC_COMPILER_PATH CACHE)
endif()
if(NOT EXISTS "${CMAKE_ASC_COMPILER}")
    message(FATAL_ERROR "ASC: the compiler ${CMAKE_ASC_COMPILER} does not exist. Run `toprope env` again, or leave CMAKE_ASC_COMPILER unset.")
endif()
set(CMAKE_ASC_COMPILER "${CMAKE_ASC_COMPILER}" CACHE FILEPATH "Ascend C compiler")
mark_as_advanced(CMAKE_ASC_COMPILER)

# ar, ranlib and the linker, for projects without C and C++.
set(_CMAKE_PROCESSING_LANGUAGE "ASC")
include(CMakeFindBinUtils)
unset(_CMAKE_PROCESSING_LANGUAGE)

set(CMAKE_ASC_COMPILER_ENV_VAR "ASC")
configure_file("${CMAKE_CURRENT_LIST_DIR}/CMakeASCCompiler.cmake.in" "${CMAKE_PLATFORM_INFO_DIR}/CMakeASCCompiler.cmake" @ONLY)

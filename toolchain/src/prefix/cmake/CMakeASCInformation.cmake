# Fourth file of the language: how sources are compiled and targets linked. The command line of the compiler is that of g++.

set(_ASC_RUN_MODES npu cpu sim)
if(NOT CMAKE_ASC_RUN_MODE)
    set(CMAKE_ASC_RUN_MODE npu)
endif()
if(NOT CMAKE_ASC_RUN_MODE IN_LIST _ASC_RUN_MODES)
    message(FATAL_ERROR " ASC: CMAKE_ASC_RUN_MODE is ${CMAKE_ASC_RUN_MODE}; it can be npu, cpu or sim (here all are the embedded NPU)")
endif()

# Which names are modelled, the compiler knows; asked here so that a wrong one is told before anything is built. A project that sets the
# architecture after find_package() has set it by now.
set(_ASC_ARCHITECTURE "")
foreach(_asc_arch IN LISTS CMAKE_ASC_ARCHITECTURES)
    execute_process(COMMAND "${CMAKE_ASC_COMPILER}" "--npu-arch=${_asc_arch}" --version
        RESULT_VARIABLE _asc_result OUTPUT_QUIET ERROR_VARIABLE _asc_words)
    if(_asc_result EQUAL 0)
        set(_ASC_ARCHITECTURE "${_asc_arch}")
        break()
    endif()
endforeach()
if(CMAKE_ASC_ARCHITECTURES AND NOT _ASC_ARCHITECTURE)
    string(STRIP "${_asc_words}" _asc_words)
    # A line that begins with a space is shown as it is.
    string(REPLACE "\n" "\n " _asc_words "${_asc_words}")
    message(FATAL_ERROR " CMAKE_ASC_ARCHITECTURES:\n ${_asc_words}")
endif()

# ---- flags ----
foreach(_asc_pair "DEBUG:-O0 -g" "RELEASE:-O3 -DNDEBUG" "RELWITHDEBINFO:-O2 -g -DNDEBUG" "MINSIZEREL:-Os -DNDEBUG")
    string(REGEX MATCH "^([A-Z]+):(.*)$" _asc_pair "${_asc_pair}")
    set(CMAKE_ASC_FLAGS_${CMAKE_MATCH_1}_INIT "${CMAKE_MATCH_2}")
endforeach()
set(CMAKE_ASC_FLAGS_INIT "$ENV{ASCFLAGS} ${CMAKE_ASC_FLAGS_INIT}")
if(COMMAND cmake_initialize_per_config_variable)
    cmake_initialize_per_config_variable(CMAKE_ASC_FLAGS "Flags used by the ASC compiler")
else()
    foreach(_asc_config "" _DEBUG _RELEASE _RELWITHDEBINFO _MINSIZEREL)
        string(STRIP "${CMAKE_ASC_FLAGS${_asc_config}_INIT}" _asc_init)
        set(CMAKE_ASC_FLAGS${_asc_config} "${_asc_init}" CACHE STRING "Flags used by the ASC compiler")
    endforeach()
endif()

set(_ASC_FIXED_FLAGS "")
if(_ASC_ARCHITECTURE)
    string(APPEND _ASC_FIXED_FLAGS " --npu-arch=${_ASC_ARCHITECTURE}")
endif()
if(CMAKE_ASC_STANDARD)
    string(APPEND _ASC_FIXED_FLAGS " -std=c++${CMAKE_ASC_STANDARD}")
endif()
if(CMAKE_ASC_ENABLE_SIMT)
    string(APPEND _ASC_FIXED_FLAGS " --enable-simt")
endif()

set(CMAKE_INCLUDE_FLAG_ASC "-I")
set(CMAKE_INCLUDE_SYSTEM_FLAG_ASC "-isystem ")
set(CMAKE_ASC_COMPILE_OPTIONS_PIC "-fPIC")
set(CMAKE_ASC_COMPILE_OPTIONS_PIE "-fPIE")
set(CMAKE_ASC_LINK_OPTIONS_PIE "-pie")
set(CMAKE_ASC_LINK_OPTIONS_NO_PIE "-no-pie")
set(CMAKE_ASC_COMPILE_OPTIONS_VISIBILITY "-fvisibility=")
set(CMAKE_ASC_COMPILE_OPTIONS_VISIBILITY_INLINES_HIDDEN "-fvisibility-inlines-hidden")
set(CMAKE_ASC_LINKER_WRAPPER_FLAG "-Wl,")
set(CMAKE_ASC_LINKER_WRAPPER_FLAG_SEP ",")
set(CMAKE_ASC_VERBOSE_FLAG "-v")
set(CMAKE_ASC_RESPONSE_FILE_LINK_FLAG "@")
set(CMAKE_ASC_OUTPUT_EXTENSION .o)

# ---- dependencies on headers: written by the compiler (Ninja; Makefiles from CMake 3.20) ----
set(CMAKE_DEPFILE_FLAGS_ASC "-MD -MT <DEP_TARGET> -MF <DEP_FILE>")
if(CMAKE_VERSION VERSION_LESS 3.20)
    set(CMAKE_DEPFILE_FLAGS_ASC "-MD -MT <OBJECT> -MF <DEPFILE>")
endif()
set(CMAKE_ASC_DEPFILE_FORMAT gcc)
set(CMAKE_ASC_DEPENDS_USE_COMPILER TRUE)

# ---- shared libraries and run paths ----
set(CMAKE_SHARED_LIBRARY_ASC_FLAGS "-fPIC")
set(CMAKE_SHARED_LIBRARY_CREATE_ASC_FLAGS "-shared")
set(CMAKE_SHARED_LIBRARY_LINK_ASC_FLAGS "")
set(CMAKE_SHARED_LIBRARY_RUNTIME_ASC_FLAG "-Wl,-rpath,")
set(CMAKE_SHARED_LIBRARY_RUNTIME_ASC_FLAG_SEP ":")
set(CMAKE_SHARED_LIBRARY_RPATH_ORIGIN_TOKEN "\$ORIGIN")
set(CMAKE_SHARED_LIBRARY_RPATH_LINK_ASC_FLAG "-Wl,-rpath-link,")
set(CMAKE_SHARED_LIBRARY_SONAME_ASC_FLAG "-Wl,-soname,")
set(CMAKE_EXECUTABLE_RUNTIME_ASC_FLAG "-Wl,-rpath,")
set(CMAKE_EXECUTABLE_RUNTIME_ASC_FLAG_SEP ":")
set(CMAKE_EXECUTABLE_RPATH_LINK_ASC_FLAG "-Wl,-rpath-link,")
set(CMAKE_EXE_EXPORTS_ASC_FLAG "-rdynamic")
set(CMAKE_SHARED_MODULE_ASC_FLAGS "-fPIC")
set(CMAKE_SHARED_MODULE_CREATE_ASC_FLAGS "-shared")
if(NOT DEFINED CMAKE_ASC_LINK_FLAGS)
    set(CMAKE_ASC_LINK_FLAGS "")
endif()

# ---- rules ----
if(CMAKE_ASC_COMPILER_LAUNCHER AND CMAKE_VERSION VERSION_LESS 3.17)
    set(_ASC_LAUNCH "${CMAKE_ASC_COMPILER_LAUNCHER} ")
endif()
set(CMAKE_ASC_COMPILE_OBJECT
    "${_ASC_LAUNCH}<CMAKE_ASC_COMPILER> <DEFINES> <INCLUDES>${_ASC_FIXED_FLAGS} <FLAGS> -o <OBJECT> -x asc -c <SOURCE>")
set(CMAKE_ASC_CREATE_PREPROCESSED_SOURCE
    "<CMAKE_ASC_COMPILER> <DEFINES> <INCLUDES>${_ASC_FIXED_FLAGS} <FLAGS> -x asc -E <SOURCE> -o <PREPROCESSED_SOURCE>")
set(CMAKE_ASC_CREATE_ASSEMBLY_SOURCE
    "<CMAKE_ASC_COMPILER> <DEFINES> <INCLUDES>${_ASC_FIXED_FLAGS} <FLAGS> -x asc -S <SOURCE> -o <ASSEMBLY_SOURCE>")
set(CMAKE_ASC_LINK_EXECUTABLE
    "<CMAKE_ASC_COMPILER> <FLAGS> <CMAKE_ASC_LINK_FLAGS> <LINK_FLAGS> <OBJECTS> -o <TARGET> <LINK_LIBRARIES>")
set(CMAKE_ASC_CREATE_SHARED_LIBRARY
    "<CMAKE_ASC_COMPILER> <CMAKE_SHARED_LIBRARY_ASC_FLAGS> <LANGUAGE_COMPILE_FLAGS> <LINK_FLAGS> <CMAKE_SHARED_LIBRARY_CREATE_ASC_FLAGS> <SONAME_FLAG><TARGET_SONAME> -o <TARGET> <OBJECTS> <LINK_LIBRARIES>")
set(CMAKE_ASC_CREATE_SHARED_MODULE "${CMAKE_ASC_CREATE_SHARED_LIBRARY}")
set(_ASC_AR "<CMAKE_AR>")
if(CMAKE_ASC_COMPILER_AR)
    set(_ASC_AR "${CMAKE_ASC_COMPILER_AR}")
endif()
set(CMAKE_ASC_ARCHIVE_CREATE "${_ASC_AR} qc <TARGET> <LINK_FLAGS> <OBJECTS>")
set(CMAKE_ASC_ARCHIVE_APPEND "${_ASC_AR} q <TARGET> <LINK_FLAGS> <OBJECTS>")
set(CMAKE_ASC_ARCHIVE_FINISH "<CMAKE_RANLIB> <TARGET>")

set(CMAKE_ASC_INFORMATION_LOADED 1)

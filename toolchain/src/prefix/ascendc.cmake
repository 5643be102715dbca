# Ascend C kernels in a CMake project, by the commands that CANN's ascendc.cmake has:
#
#   include(${ASCENDC_CMAKE_DIR}/ascendc.cmake)
#   ascendc_library(kernels STATIC add.cpp)            # sources with <<<...>>>; also SHARED
#   ascendc_fatbin_library(kernels add.cpp)            # kernels alone, installed as fatbin/kernels/kernels.o
#   ascendc_include_directories(kernels PRIVATE dir)   # also ascendc_compile_definitions, ascendc_compile_options
#   target_link_libraries(main PRIVATE kernels)
#
# The sources are compiled by `toprope build`, which keeps what it has compiled. RUN_MODE and SOC_VERSION have no influence: kernels run on
# the NPU that is embedded in the program, and TOPROPE_SOC chooses its model when it runs. Headers like aclrtlaunch_<kernel>.h are not made.
# Part of toprope; written by `toprope env`.

include_guard(GLOBAL)

get_filename_component(_TOPROPE_PREFIX "${CMAKE_CURRENT_LIST_DIR}" REALPATH)
get_filename_component(_TOPROPE_PREFIX "${_TOPROPE_PREFIX}/../.." ABSOLUTE)

# Compiles `sources` to `output` whenever they or their headers change. The options are those of the target `owner`.
function(_toprope_compile owner form output)
    set(sources)
    foreach(source IN LISTS ARGN)
        get_filename_component(source "${source}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
        list(APPEND sources "${source}")
    endforeach()
    get_filename_component(folder "${output}" DIRECTORY)
    file(MAKE_DIRECTORY "${folder}")
    set(depends DEPENDS ${sources})
    if(NOT CMAKE_VERSION VERSION_LESS 3.20 OR CMAKE_GENERATOR MATCHES "Ninja")
        list(APPEND depends DEPFILE "${output}.d")
    endif()
    set(dirs "$<TARGET_PROPERTY:${owner},INCLUDE_DIRECTORIES>")
    set(macros "$<TARGET_PROPERTY:${owner},COMPILE_DEFINITIONS>")
    set(options "$<TARGET_PROPERTY:${owner},COMPILE_OPTIONS>")
    add_custom_command(
        OUTPUT "${output}"
        COMMAND "${_TOPROPE_PREFIX}/bin/toprope" build ${form} ${sources} -o "${output}" --depfile "${output}.d"
            "$<$<BOOL:${dirs}>:-I$<JOIN:${dirs},;-I>>"
            "$<$<BOOL:${macros}>:-D$<JOIN:${macros},;-D>>"
            "$<$<BOOL:${options}>:--cxx-option=$<JOIN:${options},;--cxx-option=>>"
        ${depends}
        COMMENT "Compiling Ascend C for ${owner}"
        COMMAND_EXPAND_LISTS VERBATIM)
endfunction()

function(ascendc_library target kind)
    set(objects)
    foreach(source IN LISTS ARGN)
        list(LENGTH objects number)
        get_filename_component(name "${source}" NAME_WE)
        set(object "${CMAKE_CURRENT_BINARY_DIR}/${target}.dir/${number}_${name}.o")
        _toprope_compile(${target} --object "${object}" "${source}")
        list(APPEND objects "${object}")
    endforeach()
    add_library(${target} ${kind} ${objects})
    set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
    target_link_libraries(${target} PUBLIC
        "${_TOPROPE_PREFIX}/lib64/libtoprope_device.a" "${_TOPROPE_PREFIX}/lib64/libascendcl.so" pthread dl m)
    install(TARGETS ${target}
        LIBRARY DESTINATION lib ARCHIVE DESTINATION lib RUNTIME DESTINATION bin)
endfunction()

function(ascendc_fatbin_library target)
    set(output "${CMAKE_CURRENT_BINARY_DIR}/fatbin/${target}/${target}.o")
    add_custom_target(${target} ALL DEPENDS "${output}")
    _toprope_compile(${target} --kernel-only "${output}" ${ARGN})
    install(FILES "${output}" DESTINATION "fatbin/${target}")
endfunction()

# Custom targets have no scopes: what is said about a library is kept as its properties.
function(ascendc_include_directories target scope)
    foreach(dir IN LISTS ARGN)
        get_filename_component(dir "${dir}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
        set_property(TARGET ${target} APPEND PROPERTY INCLUDE_DIRECTORIES "${dir}")
    endforeach()
endfunction()

function(ascendc_compile_definitions target scope)
    foreach(macro IN LISTS ARGN)
        string(REGEX REPLACE "^-D" "" macro "${macro}")
        set_property(TARGET ${target} APPEND PROPERTY COMPILE_DEFINITIONS "${macro}")
    endforeach()
endfunction()

function(ascendc_compile_options target scope)
    set_property(TARGET ${target} APPEND PROPERTY COMPILE_OPTIONS ${ARGN})
endfunction()

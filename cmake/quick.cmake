# Most of what there is to compile is headers. Two ways round that, which most builds take;
# build/dev and build/fuzz do not, so that an include that is missing is seen:
# HINNY_JOIN_SOURCES=OFF, CMAKE_DISABLE_PRECOMPILE_HEADERS=ON.

# hinny_join(TARGET [WHOLE]): its sources are compiled up to eight at a time, those of one folder
# together, as one that includes them all: a program takes all of these or none. What they name in
# unnamed namespaces is named once in a level, therefore. WHOLE: across folders, up to 24 at a time;
# where libtorch is seen, whose headers cost seconds in each object, precompiled or not.
# hinny_room(NAME FILE...): of a folder's sources those that a program takes without the others.
# hinny_compile_apart(FILE...): those for which that would be a burden: with flags of their own, or
# libraries that their neighbours do not need.
option(HINNY_JOIN_SOURCES "Compile the sources of a folder several at a time" ON)
function(hinny_join TARGET)
  set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ${HINNY_JOIN_SOURCES})
  if("WHOLE" IN_LIST ARGN)
    set_target_properties(${TARGET} PROPERTIES UNITY_BUILD_MODE BATCH UNITY_BUILD_BATCH_SIZE 24)
    return()
  endif()
  set_target_properties(${TARGET} PROPERTIES UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${TARGET} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cc$")
  foreach(source ${sources})
    get_source_file_property(apart ${source} SKIP_UNITY_BUILD_INCLUSION)
    if(apart)
      continue()
    endif()
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    cmake_path(GET source PARENT_PATH folder)
    get_source_file_property(room ${source} HINNY_ROOM)
    if(NOT room)
      cmake_path(GET folder FILENAME room)
    endif()
    string(MAKE_C_IDENTIFIER ${room} room)
    if(NOT DEFINED ${room}_sources)
      set(${room}_sources 0)
    endif()
    math(EXPR group "${${room}_sources} / 8")
    math(EXPR ${room}_sources "${${room}_sources} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${room}_${group})
  endforeach()
endfunction()
macro(hinny_room NAME)
  set_source_files_properties(${ARGN} PROPERTIES HINNY_ROOM ${NAME})
endmacro()
macro(hinny_compile_apart)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endmacro()

# hinny_headers(SET [DEPENDS target...] HEADERS header...): headers that are compiled once, for the
# targets of hinny_precompiled(SET TARGET...), which see them all. fmt's and JSON's are in each SET.
set(CMAKE_CXX_COMPILE_OPTIONS_PIE -fPIC)  # one for libraries and programs
function(hinny_headers SET)
  cmake_parse_arguments(OF "" "" "DEPENDS;HEADERS" ${ARGN})
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${SET}_headers.cc)
  file(CONFIGURE OUTPUT ${source} CONTENT "// Only the headers that are compiled with it.\n")
  add_library(hinny_${SET}_headers OBJECT EXCLUDE_FROM_ALL ${source})
  target_link_libraries(hinny_${SET}_headers PRIVATE hinny_flags fmt::fmt nlohmann_json::nlohmann_json ${OF_DEPENDS})
  target_precompile_headers(hinny_${SET}_headers PRIVATE
    <algorithm> <filesystem> <fmt/format.h> <fmt/ranges.h> <map> <nlohmann/json.hpp> ${OF_HEADERS})
endfunction()
function(hinny_precompiled SET)
  foreach(target ${ARGN})
    target_precompile_headers(${target} REUSE_FROM hinny_${SET}_headers)
  endforeach()
endfunction()

hinny_headers(usual)
hinny_headers(cli DEPENDS CLI11::CLI11 HEADERS <CLI/App.hpp>)
if(HINNY_TESTS)
  hinny_headers(tests DEPENDS GTest::gmock HEADERS <gmock/gmock.h> <gtest/gtest.h>)
endif()
if(HINNY_LEARN)
  hinny_headers(torch DEPENDS hinny_torch hinny_onednn  # with the flags that users of oneDNN have
    HEADERS <torch/csrc/autograd/custom_function.h> <torch/nn/module.h> <torch/types.h> <torch/utils.h>)
endif()

# hinny_level(NAME [SEES_TORCH | APART] [QUICK] [DEPENDS target...])
#
# One folder under src/ is one static library, hinny_NAME. Sources are the folder's *.cc;
# files that end in _test.cc become the program test_NAME, one per level. A test program is
# not part of the default build: `make build` stays quick, `make test` builds all of them.
# Sources are joined by folder, with precompiled headers (cmake/quick.cmake). SEES_TORCH: it includes
# libtorch. APART: its sources have flags, or a namespace, of their own: neither joined nor precompiled. QUICK: it has no
# loop that takes time, as it calls others for those, and is optimised less.
add_library(hinny_flags INTERFACE)
target_compile_options(hinny_flags INTERFACE -Wall -Wextra -Wconversion)
if(HINNY_WERROR)
  # What a library's next version deprecates is told, and no reason to stop.
  target_compile_options(hinny_flags INTERFACE -Werror -Wno-error=deprecated-declarations)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 sees overlaps in std::string's operator+ that cannot happen (GCC bug 105651).
  target_compile_options(hinny_flags INTERFACE -Wno-restrict)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")  # which the fuzzers need, and which knows no GCC ivdep
  target_compile_options(hinny_flags INTERFACE -Wno-unknown-pragmas)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND (CMAKE_CXX_FLAGS MATCHES "-fsanitize="
   OR CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13))
  # With a sanitizer's own code among ours, and of GCC 14 in libtorch's headers too, bounds are taken
  # for broken that are not.
  target_compile_options(hinny_flags INTERFACE -Wno-array-bounds -Wno-stringop-overflow
    -Wno-stringop-overread -Wno-maybe-uninitialized)
endif()

# For loops of products: ISO mode keeps products and sums apart; these want them fused, and in every
# kind of build fast.
set(HINNY_FUSED "-O3;-ffp-contract=fast;-fno-math-errno;-fno-trapping-math")

# Tests, and the programs' own sources, which read options: the optimiser takes more than it gives.
add_library(hinny_quick_flags INTERFACE)
target_link_libraries(hinny_quick_flags INTERFACE hinny_flags)
target_compile_options(hinny_quick_flags INTERFACE "$<$<CONFIG:Release>:-O1>")
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13
   AND CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
  # Which -O1 turns off there; headers that were compiled with -O3 would not be taken.
  target_compile_options(hinny_quick_flags INTERFACE
    "$<$<CONFIG:Release>:-munroll-only-small-loops;-mvzeroupper>")
endif()

if(HINNY_TESTS)
  add_custom_target(tests_build)
endif()

function(hinny_level NAME)
  cmake_parse_arguments(LEVEL "SEES_TORCH;APART;QUICK" "" "DEPENDS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")

  add_library(hinny_${NAME} STATIC ${sources})
  set_target_properties(hinny_${NAME} PROPERTIES LINKER_LANGUAGE CXX)
  target_include_directories(hinny_${NAME} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_compile_features(hinny_${NAME} PUBLIC cxx_std_20)  # for those who take a level in
  target_link_libraries(hinny_${NAME} PUBLIC ${LEVEL_DEPENDS}
                        PRIVATE $<IF:$<BOOL:${LEVEL_QUICK}>,hinny_quick_flags,hinny_flags>)
  if(HINNY_TESTS AND tests)
    hinny_test(test_${NAME} SOURCES ${tests} DEPENDS hinny_${NAME})
  endif()
  if(LEVEL_SEES_TORCH)
    hinny_join(hinny_${NAME} WHOLE)
    hinny_precompiled(torch hinny_${NAME})
    if(TARGET test_${NAME})
      hinny_join(test_${NAME} WHOLE)
      hinny_precompiled(torch test_${NAME})
    endif()
  elseif(NOT LEVEL_APART)
    hinny_join(hinny_${NAME})
    hinny_precompiled(usual hinny_${NAME})
    if(TARGET test_${NAME})
      hinny_precompiled(tests test_${NAME})
    endif()
  endif()
endfunction()

# hinny_test(NAME SOURCES file... DEPENDS target...): a GoogleTest program known to ctest.
function(hinny_test NAME)
  cmake_parse_arguments(TEST "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${NAME} EXCLUDE_FROM_ALL ${TEST_SOURCES})
  hinny_join(${NAME})
  target_include_directories(${NAME} PRIVATE ${PROJECT_SOURCE_DIR})  # "tests/tiny_dataset.h"
  target_link_libraries(${NAME} PRIVATE ${TEST_DEPENDS} hinny_quick_flags GTest::gmock GTest::gtest_main)
  add_dependencies(tests_build ${NAME})
  # Loading libtorch alone may take more than the usual 5 s on a machine that is busy.
  gtest_discover_tests(${NAME} NO_PRETTY_VALUES DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 600)
endfunction()

# hinny_test_on_lesser(NAME PROGRAM FILTER processor...): some of a program's tests once more, each
# time as if this machine were a lesser one (base/processor.h). Only kinds of the architecture that is compiled for.
function(hinny_test_on_lesser NAME PROGRAM FILTER)
  if(NOT HINNY_TESTS)
    return()
  endif()
  set(lesser ${ARGN})
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(FILTER lesser EXCLUDE REGEX "^avx")
  endif()
  foreach(processor ${lesser})
    add_test(NAME ${NAME}.${processor} COMMAND ${PROGRAM} --gtest_filter=${FILTER})
    set_tests_properties(${NAME}.${processor} PROPERTIES ENVIRONMENT HINNY_PROCESSOR=${processor})
  endforeach()
endfunction()

# Every library that Hinny links, found in one place. What each is for: docs/dependencies.md.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(CLI11 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(ICU REQUIRED COMPONENTS uc i18n)
find_package(Eigen3 REQUIRED NO_MODULE)
pkg_check_modules(cairo REQUIRED IMPORTED_TARGET cairo)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(fasttext REQUIRED IMPORTED_TARGET fasttext)
pkg_check_modules(httplib REQUIRED IMPORTED_TARGET cpp-httplib)

if(HINNY_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()
if(HINNY_BENCH)
  find_package(benchmark REQUIRED)
endif()

# OpenCV: only the four modules that we use. Debian's OpenCVConfig.cmake comes with the
# package of all modules (hundreds of MB), so the narrow -dev packages are found by hand.
find_path(OpenCV_INCLUDE opencv2/dnn.hpp PATH_SUFFIXES opencv4 REQUIRED)
add_library(hinny_opencv INTERFACE)
target_include_directories(hinny_opencv SYSTEM INTERFACE ${OpenCV_INCLUDE})
foreach(module core imgproc imgcodecs dnn)
  find_library(OpenCV_${module} opencv_${module} REQUIRED)
  target_link_libraries(hinny_opencv INTERFACE ${OpenCV_${module}})
endforeach()

# OpenBLAS by name: the generic libblas may be the reference implementation.
find_library(OpenBLAS_LIBRARY NAMES openblas REQUIRED)
find_path(OpenBLAS_INCLUDE cblas.h PATH_SUFFIXES openblas openblas-pthread x86_64-linux-gnu REQUIRED)
add_library(hinny_blas INTERFACE)
target_include_directories(hinny_blas SYSTEM INTERFACE ${OpenBLAS_INCLUDE})
target_link_libraries(hinny_blas INTERFACE ${OpenBLAS_LIBRARY})

# oneDNN by hand too: its CMake files change name between releases (dnnl, then dnnl with components).
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_library(oneDNN_LIBRARY NAMES dnnl REQUIRED)
find_path(oneDNN_INCLUDE oneapi/dnnl/dnnl.hpp REQUIRED)
add_library(hinny_onednn INTERFACE)
target_include_directories(hinny_onednn SYSTEM INTERFACE ${oneDNN_INCLUDE})
target_link_libraries(hinny_onednn INTERFACE ${oneDNN_LIBRARY} OpenMP::OpenMP_CXX)

if(HINNY_LEARN)
  find_package(Torch REQUIRED)
  add_library(hinny_torch INTERFACE)
  target_include_directories(hinny_torch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
  target_link_libraries(hinny_torch INTERFACE ${TORCH_LIBRARIES})
endif()

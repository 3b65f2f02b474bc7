# `make deb`: five Debian packages of an installed Hinny, with the dependencies that their files show.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME hinny)
# Whoever publishes the packages answers for them.
set(HINNY_MAINTAINER "The Hinny authors <hinny@localhost>" CACHE STRING "Maintainer of the packages")
set(CPACK_PACKAGE_CONTACT ${HINNY_MAINTAINER})
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian/files.cmake)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL programs library develop)
if(HINNY_LEARN)
  list(APPEND CPACK_COMPONENTS_ALL train)
endif()
if(HINNY_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR})
# One package: COMPONENT, its name, what else it needs, its section, what it is.
function(hinny_package COMPONENT NAME DEPENDS SECTION SUMMARY)
  string(TOUPPER ${COMPONENT} id)
  set(CPACK_DEBIAN_${id}_PACKAGE_NAME ${NAME} PARENT_SCOPE)
  set(CPACK_DEBIAN_${id}_PACKAGE_DEPENDS "${DEPENDS}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${id}_PACKAGE_SECTION ${SECTION} PARENT_SCOPE)
  set(CPACK_COMPONENT_${id}_DESCRIPTION "${SUMMARY}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${id}_DESCRIPTION "${SUMMARY}" PARENT_SCOPE)
endfunction()
set(same "= ${PROJECT_VERSION}")
hinny_package(programs hinny "" science
  "search pictures with sentences in many languages\nMakes picture collections searchable and asks them, on the command line, over\nHTTP and on a web page.")
hinny_package(train hinny-train "hinny (${same})" science
  "training of models for hinny\nTrains multilingual text towers onto image features and measures them.")
hinny_package(library libhinny1 "" libs
  "library that searches pictures with sentences\nEncodes sentences and asks picture collections that hinny has indexed.")
hinny_package(develop libhinny-dev "libhinny1 (${same})" libdevel
  "headers for libhinny\nThe C++ and C interfaces, and files for CMake and pkg-config.")
hinny_package(python python3-hinny "python3, python3-numpy, libhinny1 (${same})" python
  "search pictures with sentences, from Python\nModels, indexes, recall and training from Python 3.")
if(HINNY_POSTGRES)  # loaded when it is needed, so no file shows it
  set(CPACK_DEBIAN_PROGRAMS_PACKAGE_RECOMMENDS libpq5)
endif()
set(CPACK_DEBIAN_LIBRARY_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_LIST_DIR}/debian/library/triggers)
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA
  "${CMAKE_CURRENT_LIST_DIR}/debian/python/postinst;${CMAKE_CURRENT_LIST_DIR}/debian/python/prerm")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
include(CPack)

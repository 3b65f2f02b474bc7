# What `cmake --install` puts where the FHS has it. Recipes, the page and the API's description are part of
# the programs; docs/library.md says how others build against this.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS hinny_shared EXPORT hinny LIBRARY COMPONENT library NAMELINK_COMPONENT develop)
install(FILES ${CMAKE_BINARY_DIR}/libhinny.a TYPE LIB COMPONENT develop)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ TYPE INCLUDE COMPONENT develop)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/hinny)
install(EXPORT hinny NAMESPACE hinny:: DESTINATION ${package} COMPONENT develop)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/hinnyConfig.cmake.in hinnyConfig.cmake
  INSTALL_DESTINATION ${package})
write_basic_package_version_file(hinnyConfigVersion.cmake COMPATIBILITY SameMinorVersion)
# From where it lies, so that `cmake --install --prefix` and an unpacked tarball do as well.
file(RELATIVE_PATH to_prefix /usr/${CMAKE_INSTALL_LIBDIR}/pkgconfig /usr)
configure_file(${CMAKE_CURRENT_LIST_DIR}/hinny.pc.in hinny.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/hinnyConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/hinnyConfigVersion.cmake
  DESTINATION ${package} COMPONENT develop)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/hinny.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
  COMPONENT develop)

if(HINNY_PYTHON)
  # Debian's python3 looks in dist-packages; elsewhere say -DHINNY_PYTHON_DIR=...
  set(HINNY_PYTHON_DIR lib/python3/dist-packages CACHE STRING "Where `import hinny` is installed")
  if(NOT SKBUILD)  # the module finds libhinny beside which it was installed, wherever that lies now
    if(IS_ABSOLUTE ${HINNY_PYTHON_DIR} OR IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
      set(to_library ${CMAKE_INSTALL_FULL_LIBDIR})
    else()
      file(RELATIVE_PATH to_library /usr/${HINNY_PYTHON_DIR}/hinny /usr/${CMAKE_INSTALL_LIBDIR})
      set(to_library "$ORIGIN/${to_library}")
    endif()
    set_target_properties(_hinny PROPERTIES INSTALL_RPATH "${to_library}")
  endif()
  install(TARGETS _hinny LIBRARY DESTINATION ${HINNY_PYTHON_DIR}/hinny COMPONENT python)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/hinny/ DESTINATION ${HINNY_PYTHON_DIR}/hinny
    COMPONENT python PATTERN __pycache__ EXCLUDE)
endif()

# What Debian wants in every package, put beside the installed files before CPack packs them: a copyright, a
# changelog, manuals compressed.
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${CPACK_TEMPORARY_DIRECTORY}/changelog "hinny (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n
  * Version ${CPACK_PACKAGE_VERSION}. CHANGELOG.md in the source says what is new.\n
 -- ${CPACK_PACKAGE_CONTACT}  ${now}\n")
file(WRITE ${CPACK_TEMPORARY_DIRECTORY}/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: hinny

Files: *
Copyright: 2026 The Hinny authors
License: Apache-2.0
 On Debian systems, the full text of the Apache License 2.0 is in
 /usr/share/common-licenses/Apache-2.0.
")
execute_process(COMMAND gzip -9nf ${CPACK_TEMPORARY_DIRECTORY}/changelog COMMAND_ERROR_IS_FATAL ANY)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} id)
  set(usr ${CPACK_TEMPORARY_DIRECTORY}/${component}/usr)
  file(COPY ${CPACK_TEMPORARY_DIRECTORY}/copyright ${CPACK_TEMPORARY_DIRECTORY}/changelog.gz
       DESTINATION ${usr}/share/doc/${CPACK_DEBIAN_${id}_PACKAGE_NAME})
  file(GLOB manuals ${usr}/share/man/man*/*.[1-8])
  if(manuals)
    execute_process(COMMAND gzip -9nf ${manuals} COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()

# What makes a fault in memory the end of the process rather than a way into it. What each costs:
# docs/security.md.
option(HINNY_HARDEN "Checks in release builds against faults in memory" ${PROJECT_IS_TOP_LEVEL})
if(HINNY_HARDEN)
  set(hardened "$<CONFIG:Release>")
  add_compile_options("$<${hardened}:-fstack-protector-strong>" "$<${hardened}:-fstack-clash-protection>"
                      "$<${hardened}:-U_FORTIFY_SOURCE>" "$<${hardened}:-D_FORTIFY_SOURCE=2>"
                      "$<${hardened}:-D_GLIBCXX_ASSERTIONS>")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    add_compile_options("$<${hardened}:-fcf-protection>")
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    add_compile_options("$<${hardened}:-mbranch-protection=standard>")
  endif()
  add_link_options("$<${hardened}:LINKER:-z,relro,-z,now>")
endif()

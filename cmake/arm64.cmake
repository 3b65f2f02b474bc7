# Compiles for arm64 on a Debian machine of another kind, with Debian's cross compiler and the arm64 packages of the
# libraries, which lie beside this machine's own: scripts/cross-arm64.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(triplet aarch64-linux-gnu)
set(CMAKE_CXX_COMPILER ${triplet}-g++)
set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
# This machine's libraries may be installed, too.
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/${triplet}/pkgconfig:/usr/share/pkgconfig)

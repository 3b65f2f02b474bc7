# Writes OUT, a header with the commit that SOURCE is at, only when that has changed: what is compiled with it is
# compiled again after a commit and not at each build. "" where there is no repository, as in a tarball.
#   cmake -DSOURCE=DIR -DOUT=FILE -P commit.cmake
cmake_minimum_required(VERSION 3.25)
set(commit "")
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --dirty --match v[0-9]*
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT "#define HINNY_COMMIT \"@commit@\"\n")

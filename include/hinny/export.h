// What the shared library shows; everything else in it is hidden.
#pragma once

#if defined(HINNY_STATIC)
#define HINNY_API
#else
#define HINNY_API __attribute__((visibility("default")))
#endif

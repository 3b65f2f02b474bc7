// One copy of a function per kind of processor (512-bit, 256-bit, any x86-64), chosen when the
// program starts: a portable build is a fast one. Left out where the choosing code itself breaks a
// tool (ThreadSanitizer) or is not understood (clang).
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define HINNY_EVERY_PROCESSOR \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define HINNY_EVERY_PROCESSOR
#endif

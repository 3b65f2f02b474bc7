// libpq, which is loaded when it is first needed: linked, it and what it needs would make each
// start of `hinny` 5 ms longer.
#pragma once

#include <libpq-fe.h>

namespace hinny {

// Its functions, without the PQ before their names.
// clang-format off
#define HINNY_LIBPQ_FUNCTIONS(X) \
  X(clear) X(connectPoll) X(connectStartParams) X(connectionNeedsPassword) X(conninfoFree) \
  X(conninfoParse) X(consumeInput) X(errorMessage) X(escapeIdentifier) X(escapeLiteral) \
  X(finish) X(flush) X(freemem) X(getResult) X(getisnull) X(getlength) X(getvalue) X(isBusy) \
  X(ntuples) X(putCopyData) X(putCopyEnd) X(resultErrorField) X(resultStatus) X(sendQuery) \
  X(sendQueryParams) X(serverVersion) X(setNoticeProcessor) X(setnonblocking) X(socket) \
  X(status)
// clang-format on

struct Libpq {
#define X(name) decltype(&::PQ##name) name = nullptr;
  HINNY_LIBPQ_FUNCTIONS(X)
#undef X
};

// Throws InputError where it is not installed.
const Libpq& libpq();

}  // namespace hinny

/* See toprope/ascendc/dump.h. */
#ifndef TOPROPE_ASC_DUMP_H
#define TOPROPE_ASC_DUMP_H
#include <toprope/ascendc/dump.h>
#endif

/* See toprope/ascendc/dump.h. */
#ifndef TOPROPE_ASC_TIME_H
#define TOPROPE_ASC_TIME_H
#include <toprope/ascendc/dump.h>
#endif

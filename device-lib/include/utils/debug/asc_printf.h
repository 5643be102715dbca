/* printf in kernels. */
#ifndef TOPROPE_ASC_PRINTF_H
#define TOPROPE_ASC_PRINTF_H
#include <toprope/ascendc/print.h>
#endif

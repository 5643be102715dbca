/* assert and ascendc_assert in kernels. */
#ifndef TOPROPE_ASC_ASSERT_H
#define TOPROPE_ASC_ASSERT_H
#include <toprope/ascendc/print.h>
#endif

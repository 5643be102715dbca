#ifndef TOPROPE_ASCENDC_TPIPE_H
#define TOPROPE_ASCENDC_TPIPE_H
#include <toprope/ascendc/duplicate.h>
namespace toprope { inline int8_t fetch_event_id(HardEvent) { return 0; } }
#endif

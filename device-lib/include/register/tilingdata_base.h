/* Tiling classes of the host (BEGIN_TILING_DATA_DEF). Not there yet: a definition is refused where it stands. */
#ifndef TOPROPE_REGISTER_TILINGDATA_BASE_H
#define TOPROPE_REGISTER_TILINGDATA_BASE_H

#include <toprope/ascendc/not_there_yet.h>

#define BEGIN_TILING_DATA_DEF(name) static_assert(::toprope::never<>::value, TR_NOT_THERE_YET("BEGIN_TILING_DATA_DEF (tiling classes of the host)"));
#define TILING_DATA_FIELD_DEF(type, field)
#define TILING_DATA_FIELD_DEF_ARR(type, length, field)
#define TILING_DATA_FIELD_DEF_STRUCT(type, field)
#define END_TILING_DATA_DEF
#define REGISTER_TILING_DATA_CLASS(operation, name)

#endif

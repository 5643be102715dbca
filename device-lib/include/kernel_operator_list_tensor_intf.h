/* ListTensorDesc; see toprope/ascendc/list_tensor.h. */
#ifndef TOPROPE_LIST_TENSOR_INTF_H
#define TOPROPE_LIST_TENSOR_INTF_H
#include <toprope/ascendc/list_tensor.h>
#endif

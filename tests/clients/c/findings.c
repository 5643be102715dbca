/* Mistakes with memory: the findings name the lines of this file. */
#include <stdio.h>

#include "acl/acl.h"

int main(void)
{
    void* memory = NULL;
    void* lost = NULL;
    if (aclInit(NULL) || aclrtSetDevice(0)) {
        return 1;
    }
    aclrtMalloc(&memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST); /* allocated */
    aclrtFree(memory);                                     /* freed */
    aclrtFree(memory);                                     /* freed twice */
    aclrtMalloc(&lost, 512, ACL_MEM_MALLOC_HUGE_FIRST);    /* lost */
    aclrtResetDevice(0);
    aclFinalize();
    return 0;
}

/* Error codes of the runtime layer.
 * Written by toprope from the tables in abi/src/acl; do not edit. */
#ifndef TOPROPE_ACL_RT_ERROR_CODES_H
#define TOPROPE_ACL_RT_ERROR_CODES_H

#define ACL_RT_SUCCESS 0 /* no error */
#define ACL_ERROR_RT_PARAM_INVALID 107000 /* an argument is outside what the call accepts */
#define ACL_ERROR_RT_INVALID_DEVICEID 107001 /* no device has this id */
#define ACL_ERROR_RT_CONTEXT_NULL 107002 /* no device is selected in this thread */
#define ACL_ERROR_RT_STREAM_CONTEXT 107003 /* the stream belongs to another context than the current one */
#define ACL_ERROR_RT_MODEL_CONTEXT 107004 /* the graph belongs to another context than the current one */
#define ACL_ERROR_RT_STREAM_MODEL 107005 /* the stream does not belong to this graph */
#define ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID 107006 /* an event has no timestamp */
#define ACL_ERROR_RT_EVENT_TIMESTAMP_REVERSAL 107007 /* the end event is older than the start event */
#define ACL_ERROR_RT_ADDR_UNALIGNED 107008 /* an address does not have the alignment the call needs */
#define ACL_ERROR_RT_FILE_OPEN 107009 /* a file cannot be opened */
#define ACL_ERROR_RT_FILE_WRITE 107010 /* a file cannot be written */
#define ACL_ERROR_RT_STREAM_SUBSCRIBE 107011 /* the stream is subscribed already or cannot be */
#define ACL_ERROR_RT_THREAD_SUBSCRIBE 107012 /* the thread is not subscribed, or subscribed twice */
#define ACL_ERROR_RT_GROUP_NOT_SET 107013 /* no group is selected */
#define ACL_ERROR_RT_GROUP_NOT_CREATE 107014 /* the group does not exist */
#define ACL_ERROR_RT_STREAM_NO_CB_REG 107015 /* nobody processes callbacks of this stream */
#define ACL_ERROR_RT_INVALID_MEMORY_TYPE 107016 /* this kind of memory cannot be used here */
#define ACL_ERROR_RT_INVALID_HANDLE 107017 /* a handle is null, was destroyed or was never created */
#define ACL_ERROR_RT_INVALID_MALLOC_TYPE 107018 /* the memory policy is not known */
#define ACL_ERROR_RT_WAIT_TIMEOUT 107019 /* a wait on the device passed its time limit */
#define ACL_ERROR_RT_TASK_TIMEOUT 107020 /* a task on the device passed its time limit */
#define ACL_ERROR_RT_SYSPARAMOPT_NOT_SET 107021 /* the option has not been set */
#define ACL_ERROR_RT_DEVICE_TASK_ABORT 107022 /* tasks of the device are being aborted */
#define ACL_ERROR_RT_STREAM_ABORT 107023 /* the stream was aborted */
#define ACL_ERROR_RT_CAPTURE_DEPENDENCY 107024 /* captured work depends on work outside the capture */
#define ACL_ERROR_RT_STREAM_UNJOINED 107025 /* a stream that joined the capture was not joined back */
#define ACL_ERROR_RT_MODEL_CAPTURED 107026 /* the graph is being captured */
#define ACL_ERROR_RT_STREAM_CAPTURED 107027 /* the stream is being captured; it cannot be synchronised or queried */
#define ACL_ERROR_RT_EVENT_CAPTURED 107028 /* the event belongs to a capture */
#define ACL_ERROR_RT_STREAM_NOT_CAPTURED 107029 /* the stream is not being captured */
#define ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT 107030 /* the call is forbidden while this thread captures */
#define ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT 107031 /* the default stream cannot take part in a capture */
#define ACL_ERROR_STREAM_CAPTURE_CONFLICT 107032 /* two captures would depend on each other */
#define ACL_ERROR_STREAM_TASK_GROUP_STATUS 107033 /* the task group is in a state that forbids the call */
#define ACL_ERROR_STREAM_TASK_GROUP_INTR 107034 /* the task group was interrupted */
#define ACL_ERROR_RT_TASK_ABORT_STOP 107035 /* an abort stopped the tasks before their clean-up */
#define ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED 107036 /* the capture was begun on another stream */
#define ACL_ERROR_RT_MODEL_RUNNING 107037 /* the graph is still running */
#define ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD 107038 /* the capture was begun by another thread */
#define ACL_ERROR_RT_INSUFFICIENT_INPUT_ARRAY 107039 /* the array given is too small for the answer */
#define ACL_ERROR_RT_MODEL_UPDATE_FAILED 107040 /* the graph cannot be updated */
#define ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC 107041 /* an asynchronous copy would have to block during a capture */
#define ACL_ERROR_RT_SYMBOL_NOT_FOUND 107042 /* no device symbol has this name */
#define ACL_ERROR_RT_INVALID_SYMBOL 107043 /* the pointer is not a device symbol */
#define ACL_ERROR_RT_INVALID_DEVICE_FUNCTION 107044 /* the pointer is not a device function */
#define ACL_ERROR_RT_SUB_ACLGRAPH_IS_CAPTURING 107045 /* a graph inside this graph is still being captured */
#define ACL_ERROR_RT_FEATURE_NOT_SUPPORT 207000 /* this feature is not offered by the device or the runtime */
#define ACL_ERROR_RT_MEMORY_ALLOCATION 207001 /* memory ran out */
#define ACL_ERROR_RT_MEMORY_FREE 207002 /* memory cannot be freed: the pointer is not the start of a live allocation */
#define ACL_ERROR_RT_AICORE_OVER_FLOW 207003 /* a computation on an AI Core overflowed */
#define ACL_ERROR_RT_NO_DEVICE 207004 /* there is no usable device */
#define ACL_ERROR_RT_RESOURCE_ALLOC_FAIL 207005 /* a device resource ran out */
#define ACL_ERROR_RT_NO_PERMISSION 207006 /* the permission is missing */
#define ACL_ERROR_RT_NO_EVENT_RESOURCE 207007 /* the device has no free events */
#define ACL_ERROR_RT_NO_STREAM_RESOURCE 207008 /* the device has no free streams */
#define ACL_ERROR_RT_NO_NOTIFY_RESOURCE 207009 /* the device has no free notifies */
#define ACL_ERROR_RT_NO_MODEL_RESOURCE 207010 /* the device has no free graphs */
#define ACL_ERROR_RT_NO_CDQ_RESOURCE 207011 /* the device has no free queues */
#define ACL_ERROR_RT_OVER_LIMIT 207012 /* a limit of the device is reached */
#define ACL_ERROR_RT_QUEUE_EMPTY 207013 /* the queue is empty */
#define ACL_ERROR_RT_QUEUE_FULL 207014 /* the queue is full */
#define ACL_ERROR_RT_REPEATED_INIT 207015 /* initialised twice */
#define ACL_ERROR_RT_AIVEC_OVER_FLOW 207016 /* a computation on a vector core overflowed */
#define ACL_ERROR_RT_OVER_FLOW 207017 /* a computation overflowed */
#define ACL_ERROR_RT_DEVICE_OOM 207018 /* device memory ran out */
#define ACL_ERROR_RT_FEATURE_NOT_SUPPORT_UPDATE_OP 207019 /* this task of a graph cannot be updated */
#define ACL_ERROR_RT_TIMEOUT 207020 /* the driver did not answer in time */
#define ACL_ERROR_RT_LINK_TYPE_NOT_SUPPORTED 207021 /* this kind of link between devices is not supported */
#define ACL_ERROR_RT_INTERNAL_ERROR 507000 /* the runtime failed, or an event was used before it was recorded */
#define ACL_ERROR_RT_TS_ERROR 507001 /* the task scheduler failed */
#define ACL_ERROR_RT_STREAM_TASK_FULL 507002 /* the stream holds as many tasks as it can */
#define ACL_ERROR_RT_STREAM_TASK_EMPTY 507003 /* the stream holds no task */
#define ACL_ERROR_RT_STREAM_NOT_COMPLETE 507004 /* the stream is not finished */
#define ACL_ERROR_RT_END_OF_SEQUENCE 507005 /* the data ended */
#define ACL_ERROR_RT_EVENT_NOT_COMPLETE 507006 /* the event has not happened yet */
#define ACL_ERROR_RT_CONTEXT_RELEASE_ERROR 507007 /* a context or device was released that is not in use */
#define ACL_ERROR_RT_SOC_VERSION 507008 /* the binary was built for another chip */
#define ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT 507009 /* the device does not know this kind of task */
#define ACL_ERROR_RT_LOST_HEARTBEAT 507010 /* the device no longer answers */
#define ACL_ERROR_RT_MODEL_EXECUTE 507011 /* a graph failed while it ran */
#define ACL_ERROR_RT_REPORT_TIMEOUT 507012 /* no callback was reported in time */
#define ACL_ERROR_RT_SYS_DMA 507013 /* a copy engine failed */
#define ACL_ERROR_RT_AICORE_TIMEOUT 507014 /* a kernel on a cube or mixed core ran longer than its time limit */
#define ACL_ERROR_RT_AICORE_EXCEPTION 507015 /* a kernel on a cube or mixed core did something the hardware refuses */
#define ACL_ERROR_RT_AICORE_TRAP_EXCEPTION 507016 /* a kernel on a cube or mixed core ran into a trap or a failed assert */
#define ACL_ERROR_RT_AICPU_TIMEOUT 507017 /* an AI CPU kernel ran longer than its time limit */
#define ACL_ERROR_RT_AICPU_EXCEPTION 507018 /* an AI CPU kernel failed */
#define ACL_ERROR_RT_AICPU_DATADUMP_RSP_ERR 507019 /* the AI CPU answered a dump request with an error */
#define ACL_ERROR_RT_AICPU_MODEL_RSP_ERR 507020 /* the AI CPU answered a graph request with an error */
#define ACL_ERROR_RT_PROFILING_ERROR 507021 /* profiling failed */
#define ACL_ERROR_RT_IPC_ERROR 507022 /* sharing between processes failed */
#define ACL_ERROR_RT_MODEL_ABORT_NORMAL 507023 /* the graph was aborted on request */
#define ACL_ERROR_RT_KERNEL_UNREGISTERING 507024 /* the kernel's binary is being unloaded */
#define ACL_ERROR_RT_RINGBUFFER_NOT_INIT 507025 /* the ring buffer is not set up */
#define ACL_ERROR_RT_RINGBUFFER_NO_DATA 507026 /* the ring buffer is empty */
#define ACL_ERROR_RT_KERNEL_LOOKUP 507027 /* the kernel is not in the loaded binaries */
#define ACL_ERROR_RT_KERNEL_DUPLICATE 507028 /* two loaded kernels have the same key */
#define ACL_ERROR_RT_DEBUG_REGISTER_FAIL 507029 /* debugging cannot be switched on */
#define ACL_ERROR_RT_DEBUG_UNREGISTER_FAIL 507030 /* debugging cannot be switched off */
#define ACL_ERROR_RT_LABEL_CONTEXT 507031 /* the label belongs to another context than the current one */
#define ACL_ERROR_RT_PROGRAM_USE_OUT 507032 /* too many binaries are loaded */
#define ACL_ERROR_RT_DEV_SETUP_ERROR 507033 /* the device cannot be opened */
#define ACL_ERROR_RT_VECTOR_CORE_TIMEOUT 507034 /* a kernel on a vector core ran longer than its time limit */
#define ACL_ERROR_RT_VECTOR_CORE_EXCEPTION 507035 /* a kernel on a vector core did something the hardware refuses */
#define ACL_ERROR_RT_VECTOR_CORE_TRAP_EXCEPTION 507036 /* a kernel on a vector core ran into a trap or a failed assert */
#define ACL_ERROR_RT_CDQ_BATCH_ABNORMAL 507037 /* a batch of the device queue failed */
#define ACL_ERROR_RT_DIE_MODE_CHANGE_ERROR 507038 /* the die mode cannot be changed any more */
#define ACL_ERROR_RT_DIE_SET_ERROR 507039 /* a die cannot be chosen in this mode */
#define ACL_ERROR_RT_INVALID_DIEID 507040 /* no die has this id */
#define ACL_ERROR_RT_DIE_MODE_NOT_SET 507041 /* the die mode is not set */
#define ACL_ERROR_RT_AICORE_TRAP_READ_OVERFLOW 507042 /* a cube core read beyond its buffers */
#define ACL_ERROR_RT_AICORE_TRAP_WRITE_OVERFLOW 507043 /* a cube core wrote beyond its buffers */
#define ACL_ERROR_RT_VECTOR_CORE_TRAP_READ_OVERFLOW 507044 /* a vector core read beyond its buffers */
#define ACL_ERROR_RT_VECTOR_CORE_TRAP_WRITE_OVERFLOW 507045 /* a vector core wrote beyond its buffers */
#define ACL_ERROR_RT_STREAM_SYNC_TIMEOUT 507046 /* the stream or device did not finish in the time given; its work goes on */
#define ACL_ERROR_RT_EVENT_SYNC_TIMEOUT 507047 /* the event did not happen in the time given */
#define ACL_ERROR_RT_FFTS_PLUS_TIMEOUT 507048 /* a task group ran longer than its time limit */
#define ACL_ERROR_RT_FFTS_PLUS_EXCEPTION 507049 /* a task group failed */
#define ACL_ERROR_RT_FFTS_PLUS_TRAP_EXCEPTION 507050 /* a task group ran into a trap */
#define ACL_ERROR_RT_SEND_MSG 507051 /* a message to the device was lost */
#define ACL_ERROR_RT_COPY_DATA 507052 /* data could not be copied */
#define ACL_ERROR_RT_DEVICE_MEM_ERROR 507053 /* device memory failed or an illegal address was used */
#define ACL_ERROR_RT_HBM_MULTI_BIT_ECC_ERROR 507054 /* device memory has an error that cannot be corrected */
#define ACL_ERROR_RT_SUSPECT_DEVICE_MEM_ERROR 507055 /* device memory may be damaged */
#define ACL_ERROR_RT_LINK_ERROR 507056 /* a link between devices failed */
#define ACL_ERROR_RT_SUSPECT_REMOTE_ERROR 507057 /* the other device may have failed */
#define ACL_ERROR_RT_DRV_INTERNAL_ERROR 507899 /* the driver failed, often because it was called after the device was closed */
#define ACL_ERROR_RT_AICPU_INTERNAL_ERROR 507900 /* the AI CPU failed */
#define ACL_ERROR_RT_SOCKET_CLOSE 507901 /* the connection to the device closed */
#define ACL_ERROR_RT_AICPU_INFO_LOAD_RSP_ERR 507902 /* the AI CPU could not load a description */
#define ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED 507903 /* the capture became invalid through an earlier error */
#define ACL_ERROR_RT_COMM_OP_RETRY_FAIL 507904 /* a collective operation failed after retries */
#define ACL_ERROR_SNAPSHOT_LOCK_TIMEOUT 507905 /* the process could not be locked for a snapshot in time */
#define ACL_ERROR_SNAPSHOT_LOCK_FAILED 507906 /* the process could not be locked for a snapshot */
#define ACL_ERROR_SNAPSHOT_UNLOCK_FAILED 507907 /* the process could not be unlocked after a snapshot */
#define ACL_ERROR_SNAPSHOT_BACKUP_FAILED 507908 /* a snapshot could not be saved */
#define ACL_ERROR_SNAPSHOT_RESTORE_FAILED 507909 /* a snapshot could not be restored */
#define ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED 507910 /* this host memory is registered already */
#define ACL_ERROR_HOST_MEMORY_NOT_REGISTERED 507911 /* this host memory is not registered */
#define ACL_ERROR_SNAPSHOT_CALLBACK_FAILED 507912 /* a snapshot callback failed */
#define ACL_ERROR_SNAPSHOT_REGISTER_CALLBACK_FAILED 507913 /* a snapshot callback could not be registered */
#define ACL_ERROR_RT_L3_PORT_ERROR 507914 /* a port of the third network level failed */
#define ACL_ERROR_RT_CCU_TIMEOUT 507915 /* the collective unit did not finish in time */
#define ACL_ERROR_RT_CCU_EXCEPTION 507916 /* the collective unit failed */

#endif /* TOPROPE_ACL_RT_ERROR_CODES_H */

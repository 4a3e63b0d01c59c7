/* The stand-in's streams and events: work is put in order, and done as late as possible. */
#include "standin_state.h"

#include <chrono>

namespace standin {

static double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static void execute(Operation &op) {
  Device &d = *state().devices[(size_t)op.device];
  if (!d.lost && !d.error && op.work) {
    try {
      op.work();
    } catch (const Fault &fault) {
      complain("%s", fault.message.c_str());
      d.error = fault.reason == Fault::ILLEGAL_ADDRESS ? cudaErrorIllegalAddress
                : fault.reason == Fault::MISALIGNED    ? cudaErrorMisalignedAddress
                                                       : cudaErrorLaunchFailure;
    }
  }
  op.work = nullptr;
  op.needs.clear();
  op.done = true;
  op.finished = seconds();
}

/* Runs an operation and first all that it needs. */
void force(const Op &wanted) {
  if (!wanted || wanted->done) return;
  std::vector<Op> stack{wanted};
  while (!stack.empty()) {
    Op op = stack.back(), missing;
    for (const Op &need : op->needs) {
      if (!need->done) missing = need;
    }
    if (missing) {
      stack.push_back(missing);
    } else {
      if (!op->done) execute(*op);
      stack.pop_back();
    }
  }
}

static void need(Operation &op, const Op &earlier) {
  if (earlier && !earlier->done) op.needs.push_back(earlier);
}

/* The default stream waits for all earlier work in blocking streams, and they for its. */
Op enqueue(Stream &stream, std::function<void()> work) {
  State &s = state();
  Op op = std::make_shared<Operation>();
  op->device = stream.device;
  op->work = std::move(work);
  need(*op, stream.last);
  Stream &default_stream = s.devices[(size_t)stream.device]->default_stream;
  if (&stream == &default_stream) {
    for (Stream *other : s.streams) {
      if (other->device == stream.device && other->blocking) need(*op, other->last);
    }
  } else if (stream.blocking) {
    need(*op, default_stream.last);
  }
  stream.last = op;
  return op;
}

void force_device(int device) {
  force(state().devices[(size_t)device]->default_stream.last);
  for (Stream *stream : state().streams) {
    if (stream->device == device) force(stream->last);
  }
}

void force_all() {
  for (int i = 0; i < (int)state().devices.size(); i++) force_device(i);
}

/* The stream behind a handle, or null if there is none. */
Stream *find_stream(cudaStream_t handle) {
  if (!handle || handle == cudaStreamLegacy) return &state().devices[(size_t)current_device]->default_stream;
  Stream *stream = reinterpret_cast<Stream *>(handle);
  return state().streams.count(stream) ? stream : nullptr;
}

static Event *find_event(cudaEvent_t handle) {
  Event *event = reinterpret_cast<Event *>(handle);
  return state().events.count(event) ? event : nullptr;
}

} // namespace standin

using namespace standin;

static cudaError_t create_stream(cudaStream_t *handle, bool blocking) {
  if (!handle) return cudaErrorInvalidValue;
  Stream *stream = new Stream;
  stream->device = current_device;
  stream->blocking = blocking;
  state().streams.insert(stream);
  *handle = reinterpret_cast<cudaStream_t>(stream);
  return cudaSuccess;
}

extern "C" cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  return call(__func__, DEVICE, [&] { return create_stream(stream, true); });
}

extern "C" cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  return call(__func__, DEVICE, [&] { return create_stream(stream, !(flags & cudaStreamNonBlocking)); });
}

extern "C" cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  return call(__func__, RELEASE, [&] {
    Stream *stream = find_stream(handle);
    if (!stream || !handle) return cudaErrorInvalidResourceHandle;
    force(stream->last);
    int device = stream->device;
    state().streams.erase(stream);
    delete stream;
    return device_error(device);
  });
}

extern "C" cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  return call(__func__, DEVICE, [&] {
    Stream *stream = find_stream(handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    force(stream->last);
    return device_error(stream->device);
  });
}

/* A query does the work of one operation, so that polling comes to an end, but tells of it only the next time. */
static cudaError_t query(const Op &op, int device) {
  if (cudaError_t error = device_error(device)) return error;
  if (!op || op->done) return cudaSuccess;
  force(op);
  return cudaErrorNotReady;
}

extern "C" cudaError_t cudaStreamQuery(cudaStream_t handle) {
  return call(__func__, DEVICE, [&] {
    Stream *stream = find_stream(handle);
    return stream ? query(stream->last, stream->device) : cudaErrorInvalidResourceHandle;
  });
}

extern "C" cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event_handle, unsigned) {
  return call(__func__, DEVICE, [&] {
    Stream *stream = find_stream(handle);
    Event *event = find_event(event_handle);
    if (!stream || !event) return cudaErrorInvalidResourceHandle;
    if (cudaError_t error = device_error(stream->device)) return error;
    if (event->recorded) need(*enqueue(*stream, nullptr), event->recorded);
    return cudaSuccess;
  });
}

static cudaError_t create_event(cudaEvent_t *handle, unsigned flags) {
  if (!handle) return cudaErrorInvalidValue;
  Event *event = new Event;
  event->device = current_device;
  event->timing = !(flags & cudaEventDisableTiming);
  state().events.insert(event);
  *handle = reinterpret_cast<cudaEvent_t>(event);
  return cudaSuccess;
}

extern "C" cudaError_t cudaEventCreate(cudaEvent_t *event) {
  return call(__func__, DEVICE, [&] { return create_event(event, 0); });
}

extern "C" cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  return call(__func__, DEVICE, [&] { return create_event(event, flags); });
}

extern "C" cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  return call(__func__, RELEASE, [&] {
    Event *event = find_event(handle);
    if (!event) return cudaErrorInvalidResourceHandle;
    int device = event->device;
    state().events.erase(event);
    delete event;
    return device_error(device);
  });
}

extern "C" cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream_handle) {
  return call(__func__, DEVICE, [&] {
    Event *event = find_event(handle);
    Stream *stream = find_stream(stream_handle);
    if (!event || !stream || event->device != stream->device) return cudaErrorInvalidResourceHandle;
    if (cudaError_t error = device_error(stream->device)) return error;
    event->recorded = enqueue(*stream, nullptr);
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  return call(__func__, DEVICE, [&] {
    Event *event = find_event(handle);
    if (!event) return cudaErrorInvalidResourceHandle;
    force(event->recorded);
    return device_error(event->device);
  });
}

extern "C" cudaError_t cudaEventQuery(cudaEvent_t handle) {
  return call(__func__, DEVICE, [&] {
    Event *event = find_event(handle);
    return event ? query(event->recorded, event->device) : cudaErrorInvalidResourceHandle;
  });
}

extern "C" cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from_handle, cudaEvent_t to_handle) {
  return call("cudaEventElapsedTime", DEVICE, [&] {
    Event *from = find_event(from_handle), *to = find_event(to_handle);
    if (!from || !to || !from->timing || !to->timing) return cudaErrorInvalidResourceHandle;
    if (!from->recorded || !to->recorded) return cudaErrorInvalidResourceHandle;
    if (!from->recorded->done || !to->recorded->done) return cudaErrorNotReady;
    *milliseconds = (float)(1e3 * (to->recorded->finished - from->recorded->finished));
    return cudaSuccess;
  });
}

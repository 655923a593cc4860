package io.onceflow.inbox.internal.call;

/**
 * The memory that calls of all lanes take up while they wait, about. It is a bound for those that
 * need not wait here; the others are counted only.
 */
final class CallMemory {

  /** Of the heap. */
  private static final int PART = 8;

  /** Less than any call takes up. */
  private static final int LEAST_BYTES = 1024;

  private final long most;
  private long bytes;
  private int calls;
  private long latestBytes;

  CallMemory() {
    this(Runtime.getRuntime().maxMemory() / PART);
  }

  CallMemory(long most) {
    this.most = most;
  }

  /** Notes a call that may wait or not: those that come may be larger than those that wait. */
  synchronized void comes(long itsBytes) {
    latestBytes = itsBytes;
  }

  synchronized void add(long itsBytes) {
    bytes += itsBytes;
    calls++;
  }

  synchronized void remove(long itsBytes) {
    bytes -= itsBytes;
    calls--;
  }

  /** For how many calls like the latest one, or like those that wait, there is memory left. */
  synchronized int room() {
    long mean = calls == 0 ? 0 : bytes / calls;
    long room = Math.max(0, most - bytes) / Math.max(LEAST_BYTES, Math.max(latestBytes, mean));
    return (int) Math.min(Integer.MAX_VALUE, room);
  }
}

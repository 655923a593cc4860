package io.onceflow.inbox.internal.call;

/**
 * The memory that calls of all lanes take up while they wait, about. It is a bound for those that
 * need not wait here; the others are counted only.
 */
final class CallMemory {

  /** Of the heap. */
  private static final int PART = 16;

  /** Less than any call takes up. */
  private static final int LEAST_BYTES = 1024;

  private final long most;
  private long bytes;
  private int calls;

  CallMemory() {
    this(Runtime.getRuntime().maxMemory() / PART);
  }

  CallMemory(long most) {
    this.most = most;
  }

  synchronized void add(long itsBytes) {
    bytes += itsBytes;
    calls++;
  }

  synchronized void remove(long itsBytes) {
    bytes -= itsBytes;
    calls--;
  }

  /** For how many calls like those that wait there is memory left. */
  synchronized long room() {
    return Math.max(0, most - bytes) / Math.max(LEAST_BYTES, calls == 0 ? 0 : bytes / calls);
  }
}

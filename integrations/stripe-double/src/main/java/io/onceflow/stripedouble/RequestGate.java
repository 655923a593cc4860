package io.onceflow.stripedouble;

import java.util.concurrent.TimeUnit;

/** Holds requests at a point while it is closed. */
public final class RequestGate {

  /** No test waits for so long, and no request is to hang for ever. */
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(60);

  private boolean closed;
  private int held;
  private String heldPath = "";

  RequestGate() {}

  /** Holds the requests that come from now on. */
  public void close() {
    closeFor("");
  }

  /** Holds the requests that come from now on to paths that start so. */
  public synchronized void closeFor(String path) {
    closed = true;
    heldPath = path;
  }

  /** Lets all requests continue. */
  public synchronized void open() {
    closed = false;
    notifyAll();
  }

  /** How many requests are held. */
  public synchronized int held() {
    return held;
  }

  synchronized void pass(String path) throws InterruptedException {
    if (!closed || !path.startsWith(heldPath)) {
      return;
    }
    long until = System.nanoTime() + MOST_NANOS;
    held++;
    try {
      while (closed && System.nanoTime() < until) {
        TimeUnit.NANOSECONDS.timedWait(this, until - System.nanoTime());
      }
    } finally {
      held--;
    }
  }
}

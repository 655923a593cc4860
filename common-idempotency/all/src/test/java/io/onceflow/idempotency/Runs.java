package io.onceflow.idempotency;

import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** How often guarded methods really ran, and the means to hold one of them up. By thing's name. */
@Singleton
public class Runs {

  private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();
  private final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();

  void count(String name) {
    counts.computeIfAbsent(name, n -> new AtomicInteger()).incrementAndGet();
  }

  int of(String name) {
    return counts.getOrDefault(name, new AtomicInteger()).get();
  }

  /** Holds up methods for this thing until {@link #open}. */
  void close(String name) {
    gates.put(name, new CountDownLatch(1));
  }

  public void open(String name) {
    gates.get(name).countDown();
  }

  void passGate(String name) {
    CountDownLatch gate = gates.get(name);
    if (gate != null) {
      try {
        gate.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}

package io.onceflow.inbox;

import io.onceflow.core.internal.StepKey;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/**
 * A world outside that takes money and gives it back. It knows keys, as a good gateway does: under
 * one key it does one thing, however often it is called. It counts both, and misbehaves as told.
 */
public final class World {

  private final Map<String, Queue<Manner>> manners = new ConcurrentHashMap<>();
  private final Map<String, String> effects = new ConcurrentHashMap<>();
  private final List<String> calls = new CopyOnWriteArrayList<>();

  /** How a call goes before it takes effect. */
  public interface Manner {
    void act() throws Exception;
  }

  /** Does it, or says what it came to when it was done before. */
  String call(String kind, StepKey key) throws Exception {
    calls.add(key.toString());
    Manner manner = manners.getOrDefault(key.toString(), new ArrayDeque<>()).poll();
    if (manner != null) {
      manner.act();
    }
    return effects.computeIfAbsent(key.toString(), k -> kind + "-" + k.hashCode());
  }

  /** The next calls under this key go like this, one after the other, and after that well. */
  public void behave(String stepKey, Manner... next) {
    manners.put(stepKey, new ArrayDeque<>(List.of(next)));
  }

  /** A call that lasts until it is let go, or interrupted. */
  public static Manner until(CountDownLatch letGo) {
    return letGo::await;
  }

  /** A call that takes so long. */
  public static Manner taking(Duration time) {
    return () -> Thread.sleep(time);
  }

  /** A call that ends in an error. */
  public static Manner failing() {
    return () -> {
      throw new IllegalStateException("503");
    };
  }

  /** A call that never ends by itself; says when it was interrupted. */
  static Manner deaf(CountDownLatch interrupted) {
    return () -> {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        interrupted.countDown();
        throw e;
      }
    };
  }

  public long callsUnder(String stepKey) {
    return calls.stream().filter(stepKey::equals).count();
  }

  boolean hasEffectUnder(String stepKey) {
    return effects.containsKey(stepKey);
  }
}

package io.onceflow.inbox.internal.consumer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;

/**
 * Items that wait apart for rows that other transactions keep locked; those behind them are settled
 * meanwhile by their {@link BatchWorker}.
 *
 * @param <T> what is settled
 */
public final class LockedItems<T> {

  /** So many wait at most. */
  public static final int MOST = 64;

  private static final Logger LOG = Logger.getLogger(LockedItems.class);

  /** So many of them are tried at once; each uses a connection for as long as a statement may. */
  private static final int TRIED_AT_ONCE = 2;

  private final String name;
  private final BatchWorker.Work<T> work;
  private final BatchLoop<T> loop;
  private final Semaphore tries = new Semaphore(TRIED_AT_ONCE);
  private final AtomicInteger waiting = new AtomicInteger();

  /** How many items of an owner wait. */
  private final Map<Object, Integer> owners = new ConcurrentHashMap<>();

  LockedItems(String name, BatchWorker.Work<T> work, BooleanSupplier running) {
    this.name = name;
    this.work = work;
    this.loop = new BatchLoop<>(name, work, this::rest, running);
  }

  /** How many more may wait. */
  int room() {
    return MOST - waiting.get();
  }

  /** Whether an item has to wait as well, since one of the same owner does. */
  boolean isFor(T item) {
    Object owner = owners.isEmpty() ? null : work.ownerOf(item);
    return owner != null && owners.containsKey(owner) && room() > 0;
  }

  /**
   * Tries an item until it is settled, timed out, or the worker closes.
   *
   * @param settled follows that
   * @param failed follows what no item is to blame for: it is to be settled again
   */
  void add(T item, Runnable settled, Runnable failed) {
    waiting.incrementAndGet();
    Object owner = work.ownerOf(item);
    if (owner != null) {
      owners.merge(owner, 1, Integer::sum);
    }
    Thread.ofVirtual().name(name + "-apart").start(() -> settle(item, settled, failed));
  }

  private void settle(T item, Runnable settled, Runnable failed) {
    Runnable then = settled;
    try {
      tries.acquire();
      try {
        loop.settle(List.of(item));
      } finally {
        tries.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      LOG.warnf("%s could not settle messages that waited for a lock: %s; retrying", name, e);
      then = failed;
    } finally {
      remove(item);
    }
    then.run();
  }

  private void remove(T item) {
    waiting.decrementAndGet();
    Object owner = work.ownerOf(item);
    if (owner != null) {
      owners.computeIfPresent(owner, (same, count) -> count > 1 ? count - 1 : null);
    }
  }

  /** Others have their turn. */
  private void rest(Duration pause) throws InterruptedException {
    tries.release();
    try {
      Thread.sleep(pause);
    } finally {
      tries.acquireUninterruptibly();
    }
  }
}

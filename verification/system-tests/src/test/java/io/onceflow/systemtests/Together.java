package io.onceflow.systemtests;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Several things done at once. */
final class Together {

  private static final long ALL_WITHIN_MINUTES = 3;

  private Together() {}

  /** Does all of it, so many at a time; the results come in the order of the work. */
  static <T> List<T> inThreads(int threads, List<? extends Callable<T>> work) {
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<T>> begun = work.stream().map(pool::submit).toList();
      try {
        return results(begun);
      } finally {
        begun.forEach(future -> future.cancel(true));
      }
    }
  }

  /** The same, while the caller goes on; not in the JVM's common pool, which may be one thread. */
  static <T> CompletableFuture<List<T>> meanwhile(int threads, List<? extends Callable<T>> work) {
    return CompletableFuture.supplyAsync(
        () -> inThreads(threads, work), task -> Thread.ofPlatform().start(task));
  }

  /** Does one thing so often at the same moment. */
  static <T> List<T> atTheSameMoment(int times, Callable<T> work) {
    CyclicBarrier start = new CyclicBarrier(times);
    Callable<T> started =
        () -> {
          start.await(ALL_WITHIN_MINUTES, TimeUnit.MINUTES);
          return work.call();
        };
    return inThreads(times, Stream.generate(() -> started).limit(times).toList());
  }

  private static <T> List<T> results(List<Future<T>> begun) {
    List<T> results = new ArrayList<>();
    for (Future<T> future : begun) {
      try {
        results.add(future.get(ALL_WITHIN_MINUTES, TimeUnit.MINUTES));
      } catch (ExecutionException | TimeoutException e) {
        throw new AssertionError(
            "One of %d did not go well: %s".formatted(begun.size(), e.getMessage()), e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("Interrupted", e);
      }
    }
    return results;
  }
}

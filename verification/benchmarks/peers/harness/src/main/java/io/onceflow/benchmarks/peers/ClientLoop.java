package io.onceflow.benchmarks.peers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

/** Each client starts its next saga when its last has ended. One run each. */
final class ClientLoop {

  private static final int MOST_EXAMPLES = 3;

  private final SagaPeer peer;
  private final OrderMix mix;
  private final String run = "bench-" + Long.toString(System.nanoTime(), Character.MAX_RADIX);
  private final AtomicLong started = new AtomicLong();
  private final AtomicLong compensated = new AtomicLong();
  private final AtomicLong wrong = new AtomicLong();

  ClientLoop(SagaPeer peer, OrderMix mix) {
    this.peer = peer;
    this.mix = mix;
  }

  /**
   * Runs it.
   *
   * @param length after which no client starts another saga
   */
  PeerRun run(int clients, Duration length) throws InterruptedException {
    long startNanos = System.nanoTime();
    long deadlineNanos = startNanos + length.toNanos();
    List<Client> all = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      Client client = new Client(deadlineNanos);
      client.start();
      all.add(client);
    }
    for (Client client : all) {
      client.join();
    }
    long[] micros = all.stream().flatMapToLong(Client::micros).sorted().toArray();
    return new PeerRun(
        micros.length,
        compensated.get(),
        wrong.get(),
        TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - startNanos),
        percentile(micros, 50),
        percentile(micros, 99));
  }

  /** Of sorted values; 0 when there are none. */
  static long percentile(long[] sorted, int percent) {
    int rank = (int) Math.ceil(sorted.length * percent / 100.0);
    return sorted.length == 0 ? 0 : sorted[Math.max(0, rank - 1)];
  }

  /** A thread of its own, as a client that blocks has anywhere. */
  private final class Client extends Thread {

    private final long deadlineNanos;
    private long[] micros = new long[1024];
    private int sagas;

    Client(long deadlineNanos) {
      this.deadlineNanos = deadlineNanos;
    }

    @Override
    public void run() {
      while (System.nanoTime() - deadlineNanos < 0) {
        long number = started.getAndIncrement();
        PeerOrder order = PeerOrder.of("%s-%012d".formatted(run, number), mix.isRefused(number));
        long startedAt = System.nanoTime();
        if (endsWell(order, mix.isRefused(number) ? Ending.CANCELLED : Ending.CONFIRMED)) {
          note(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - startedAt));
        }
      }
    }

    private boolean endsWell(PeerOrder order, Ending expected) {
      try {
        Ending ending = peer.run(order);
        if (ending == expected) {
          compensated.addAndGet(ending == Ending.CANCELLED ? 1 : 0);
          return true;
        }
        complain(order + " ended " + ending);
      } catch (Exception e) {
        complain(order + " failed: " + e);
      }
      return false;
    }

    private void complain(String what) {
      if (wrong.incrementAndGet() <= MOST_EXAMPLES) {
        System.err.println(what);
      }
    }

    private void note(long took) {
      if (sagas == micros.length) {
        micros = Arrays.copyOf(micros, 2 * sagas);
      }
      micros[sagas++] = took;
    }

    private LongStream micros() {
      return Arrays.stream(micros, 0, sagas);
    }
  }
}

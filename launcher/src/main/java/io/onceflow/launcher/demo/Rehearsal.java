package io.onceflow.launcher.demo;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * Load of all kinds of orders, for what a JVM learns of its methods while it runs: what it has
 * written down of a rehearsal, it need not learn again.
 */
public final class Rehearsal {

  /** One of them is declined and one refused, one is sent twice, and the others go through. */
  private static final List<OrderForm> FORMS =
      List.of(
          OrderForm.GOOD,
          OrderForm.GOOD.ofBooks(1),
          OrderForm.GOOD.ofBooks(3),
          OrderForm.GOOD.paidBy("pm_card_chargeDeclined"),
          OrderForm.GOOD.ofBooks(4),
          OrderForm.GOOD.ofBooks(5),
          OrderForm.GOOD.shippedTo("AQ"),
          OrderForm.GOOD.ofBooks(6));

  private static final int SENT_TWICE = 5;

  private static final int CREATED = 201;

  /** A saga that was placed last has ended long before, unless the machine is busy. */
  private static final Duration DRAIN_WITHIN = Duration.ofMinutes(1);

  private static final Duration LOOK_EVERY = Duration.ofMillis(100);

  private final URI orders;
  private final Api customer;

  /**
   * Prepares a rehearsal.
   *
   * @param orders where the order service is
   * @param token of the person who orders
   */
  public Rehearsal(URI orders, String token) {
    this(orders, new Api(token));
  }

  Rehearsal(URI orders, Api customer) {
    this.orders = orders;
    this.customer = customer;
  }

  /**
   * Places orders, and returns when the last of each client has ended. On a busy machine requests
   * time out and sagas take long; what the services have learned meanwhile is of use all the same.
   *
   * @param clients how many place orders at the same time
   * @return how many orders were placed
   * @throws IOException if the order service does not answer
   */
  public long run(int clients, Duration length) throws IOException, InterruptedException {
    long endsAt = System.nanoTime() + length.toNanos();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Long>> placing =
          IntStream.range(0, clients)
              .mapToObj(ignored -> threads.submit(() -> placeUntil(endsAt)))
              .toList();
      long placed = 0;
      for (Future<Long> client : placing) {
        placed += client.get();
      }
      return placed;
    } catch (ExecutionException e) {
      throw new IOException("A client of the rehearsal failed: " + e.getCause(), e);
    }
  }

  private long placeUntil(long endsAt) throws IOException, InterruptedException {
    long placed = 0;
    String last = "";
    for (int i = 0; System.nanoTime() - endsAt < 0; i++) {
      Optional<String> order = placed(i);
      if (order.isPresent()) {
        placed++;
        last = order.get();
      } else {
        Thread.sleep(LOOK_EVERY); // the service sheds load or does not answer in time
      }
    }
    if (!last.isEmpty()) {
      awaitEnd("/orders/" + last);
    }
    return placed;
  }

  private Optional<String> placed(int i) throws IOException, InterruptedException {
    try {
      ApiResponse answer = place(i);
      if (answer.status() != CREATED) {
        return Optional.empty();
      }
      customer.get(orders, "/orders/" + answer.text("id"));
      return Optional.of(answer.text("id"));
    } catch (HttpTimeoutException e) {
      return Optional.empty();
    }
  }

  private ApiResponse place(int i) throws IOException, InterruptedException {
    String key = UUID.randomUUID().toString();
    String body = FORMS.get(i % FORMS.size()).json();
    ApiResponse first = customer.post(orders, "/orders", key, body, Trace.begin());
    return i % FORMS.size() == SENT_TWICE
        ? customer.post(orders, "/orders", key, body, Trace.begin())
        : first;
  }

  private void awaitEnd(String order) throws IOException, InterruptedException {
    long giveUpAt = System.nanoTime() + DRAIN_WITHIN.toNanos();
    while (isPending(order) && System.nanoTime() - giveUpAt < 0) {
      Thread.sleep(LOOK_EVERY);
    }
  }

  private boolean isPending(String order) throws IOException, InterruptedException {
    try {
      return customer.get(orders, order).text("status").equals("PENDING");
    } catch (HttpTimeoutException e) {
      return true;
    }
  }
}

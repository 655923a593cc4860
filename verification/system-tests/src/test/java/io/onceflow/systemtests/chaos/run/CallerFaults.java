package io.onceflow.systemtests.chaos.run;

import io.onceflow.systemtests.chaos.stack.Replica;
import io.onceflow.systemtests.chaos.world.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What single callers do to the order service. */
final class CallerFaults {

  private static final String FLOODER = World.PART_OF_CHAOS + "flooder";
  private static final String SLOW_WRITER = World.PART_OF_CHAOS + "slow-writer";
  private static final String HANGING_PAYER = World.PART_OF_CHAOS + "hanging-payer";
  private static final String SLOW_PAYER = World.PART_OF_CHAOS + "slow-payer-";

  private static final int CONNECTIONS = 32;
  private static final int IMPORTS = 12;
  private static final int ORDERS_OF_AN_IMPORT = 20;
  private static final int SLOW_PAYERS = 8;
  private static final int SLOW_ORDERS_EACH = 12;
  private static final int SLOW_SOCKETS = 300;
  private static final int HANGING_ORDERS = 12;
  private static final String PENDING =
      "SELECT id FROM orders WHERE customer = ? AND status = 'PENDING'";

  private static final int CANCELLED_WITHIN = 30;
  private static final int CANCELLED_AGAIN_MS = 1_000;

  private final Api api;
  private final Tables tables;
  private final Function<String, String> tokens;

  CallerFaults(Api api, Tables tables, Function<String, String> tokens) {
    this.api = api;
    this.tables = tables;
    this.tokens = tokens;
  }

  /** One customer sends all it can: imports of slow orders, orders, requests of no known method. */
  String flood(Duration lasting) throws InterruptedException {
    long end = System.nanoTime() + lasting.toNanos();
    AtomicInteger sent = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    String slowOrders = orders(ORDERS_OF_AN_IMPORT, "pm_sim_slow");
    for (int i = 0; i < IMPORTS; i++) {
      threads.add(
          Thread.ofVirtual().start(() -> send(FLOODER, "/order-imports", slowOrders, sent)));
    }
    String order = Wish.of("pm_card_visa").json();
    for (int i = 0; i < CONNECTIONS; i++) {
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    while (System.nanoTime() - end < 0) {
                      send(FLOODER, "/orders", order, sent);
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return sent + " requests of one customer";
  }

  private void send(String customer, String path, String body, AtomicInteger sent) {
    try {
      api.post(customer, UUID.randomUUID().toString(), path, body);
    } catch (IOException e) {
      // A flood does not care about answers.
    }
    sent.incrementAndGet();
  }

  /** The body of an import of orders that are paid by this card. */
  static String orders(int number, String paymentMethod) {
    String order = Wish.of(paymentMethod).json();
    return IntStream.range(0, number)
        .mapToObj(i -> order)
        .collect(Collectors.joining(",", "{\"orders\": [", "]}"));
  }

  /** The gateway takes three seconds for each of many charges. */
  String slowGateway(Duration lasting) throws InterruptedException {
    AtomicInteger sent = new AtomicInteger();
    List<Thread> payers = new ArrayList<>();
    for (int i = 0; i < SLOW_PAYERS; i++) {
      String payer = SLOW_PAYER + i;
      payers.add(Thread.ofVirtual().start(() -> paySlowly(payer, sent)));
    }
    for (Thread payer : payers) {
      payer.join();
    }
    Pauses.of(lasting.toMillis());
    return sent + " slow charges";
  }

  private void paySlowly(String payer, AtomicInteger sent) {
    for (int i = 0; i < SLOW_ORDERS_EACH; i++) {
      try {
        api.post(payer, UUID.randomUUID().toString(), "/orders", Wish.of("pm_sim_slow").json());
        sent.incrementAndGet();
      } catch (IOException e) {
        // Others are enough.
      }
    }
  }

  /**
   * The gateway answers none of one customer's charges. In the end the customer cancels the orders,
   * since saga after saga would go on asking for minutes.
   */
  String hangingCalls(Duration lasting) {
    AtomicInteger sent = new AtomicInteger();
    send(HANGING_PAYER, "/order-imports", orders(HANGING_ORDERS, "pm_sim_down"), sent);
    Pauses.of(lasting.toMillis());
    return cancelAll() + " charges without an answer";
  }

  /** Until as many are cancelled as were imported; the import goes on in the background. */
  private int cancelAll() {
    Set<String> cancelled = new HashSet<>();
    for (int i = 0; i < CANCELLED_WITHIN && cancelled.size() < HANGING_ORDERS; i++) {
      tables.rows("orders", PENDING, row -> row.getString(1), HANGING_PAYER).stream()
          .filter(it -> !cancelled.contains(it))
          .filter(this::cancel)
          .forEach(cancelled::add);
      Pauses.of(CANCELLED_AGAIN_MS);
    }
    return cancelled.size();
  }

  private boolean cancel(String orderId) {
    String path = "/orders/%s/cancellation".formatted(orderId);
    try {
      return api.post(HANGING_PAYER, UUID.randomUUID().toString(), path, "").status() == 202;
    } catch (IOException e) {
      return false;
    }
  }

  /** Requests that send one byte of their body and no more; every other one has a valid token. */
  String slowWriters(Replica replica, Duration lasting) throws IOException {
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < SLOW_SOCKETS; i++) {
        sockets.add(slowWriter(replica, i % 2 == 0));
      }
      Pauses.of(lasting.toMillis());
    } finally {
      sockets.forEach(CallerFaults::close);
    }
    return "%s, %d requests without an end".formatted(replica, sockets.size());
  }

  private Socket slowWriter(Replica replica, boolean isKnown) throws IOException {
    URI uri = URI.create(replica.url());
    Socket socket = new Socket(uri.getHost(), uri.getPort());
    String authorization =
        isKnown ? "Authorization: Bearer %s\r\n".formatted(tokens.apply(SLOW_WRITER)) : "";
    String head =
        "POST /orders HTTP/1.1\r\nHost: %s\r\n%sIdempotency-Key: \"%s\"\r\n"
            .formatted(uri.getAuthority(), authorization, UUID.randomUUID());
    String body = "Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{";
    socket.getOutputStream().write((head + body).getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

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
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What single callers do to the order service. */
final class CallerFaults {

  private static final String FLOODER = World.PART_OF_CHAOS + "flooder";
  private static final String SLOW_WRITER = World.PART_OF_CHAOS + "slow-writer";
  private static final String SLOW_PAYER = World.PART_OF_CHAOS + "slow-payer-";

  private static final int CONNECTIONS = 32;
  private static final int IMPORTS = 12;
  private static final int ORDERS_OF_AN_IMPORT = 20;
  private static final int SLOW_PAYERS = 8;
  private static final int SLOW_ORDERS_EACH = 12;
  private static final int SLOW_SOCKETS = 300;

  private final Api api;
  private final Function<String, String> tokens;

  CallerFaults(Api api, Function<String, String> tokens) {
    this.api = api;
    this.tokens = tokens;
  }

  /** One customer sends all it can: imports of slow orders, orders, requests of no known method. */
  String flood(Duration lasting) throws InterruptedException {
    long end = System.nanoTime() + lasting.toNanos();
    AtomicInteger sent = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    String slowOrders = orders(ORDERS_OF_AN_IMPORT);
    for (int i = 0; i < IMPORTS; i++) {
      threads.add(Thread.ofVirtual().start(() -> send("/order-imports", slowOrders, sent)));
    }
    String order = Wish.of("pm_card_visa").json();
    for (int i = 0; i < CONNECTIONS; i++) {
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    while (System.nanoTime() - end < 0) {
                      send("/orders", order, sent);
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return sent + " requests of one customer";
  }

  private void send(String path, String body, AtomicInteger sent) {
    try {
      api.post(FLOODER, UUID.randomUUID().toString(), path, body);
    } catch (IOException e) {
      // A flood does not care about answers.
    }
    sent.incrementAndGet();
  }

  private static String orders(int number) {
    String slow = Wish.of("pm_sim_slow").json();
    return IntStream.range(0, number)
        .mapToObj(i -> slow)
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

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

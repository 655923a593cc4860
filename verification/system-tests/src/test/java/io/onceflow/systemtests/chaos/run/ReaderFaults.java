package io.onceflow.systemtests.chaos.run;

import io.onceflow.systemtests.chaos.stack.Replica;
import io.onceflow.systemtests.chaos.world.World;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** One customer who has many large orders, and lists them. */
final class ReaderFaults {

  private static final String READER = World.PART_OF_CHAOS + "reader";

  private static final String PAGE = "/orders?limit=100";
  private static final int ORDERS = 100;
  private static final int LINES = 500;
  private static final int READERS = 20;
  private static final int SOCKETS_NOT_READ = 60;
  private static final int PAGES_NOT_READ = 5;
  private static final Duration PLACED_WITHIN = Duration.ofSeconds(60);

  private static final String OPEN =
      "SELECT count(*) FROM orders WHERE customer = '%s' AND status = 'PENDING'".formatted(READER);

  private static final String ALL =
      "SELECT count(*) FROM orders WHERE customer = '%s'".formatted(READER);

  /**
   * A customer who sends orders of so many lines is bounded by their size and takes minutes for a
   * hundred of them: they grow once they are placed.
   */
  private static final String GROW =
      """
      UPDATE orders
      SET    items = (SELECT jsonb_agg(jsonb_set(items -> 0, '{sku}',
                                                 to_jsonb(repeat('x', 50) || line)))
                      FROM   generate_series(1, %d) AS line)
      WHERE  customer = '%s'
      """
          .formatted(LINES, READER);

  private final Api api;
  private final Tables tables;
  private final Function<String, String> tokens;
  private boolean isPrepared;

  ReaderFaults(Api api, Tables tables, Function<String, String> tokens) {
    this.api = api;
    this.tables = tables;
    this.tokens = tokens;
  }

  /** Pages on many connections, as fast as they come, and on others pages that are not taken. */
  String read(Replica replica, Duration lasting) throws IOException, InterruptedException {
    prepare();
    long end = System.nanoTime() + lasting.toNanos();
    AtomicInteger pages = new AtomicInteger();
    List<Thread> readers = new ArrayList<>();
    List<Socket> notRead = new ArrayList<>();
    try {
      for (int i = 0; i < READERS; i++) {
        readers.add(Thread.ofVirtual().start(() -> read(end, pages)));
      }
      for (int i = 0; i < SOCKETS_NOT_READ; i++) {
        notRead.add(askWithoutReading(replica));
      }
      for (Thread reader : readers) {
        reader.join();
      }
    } finally {
      notRead.forEach(CallerFaults::close);
    }
    return "%d pages read, and %d connections not".formatted(pages.get(), notRead.size());
  }

  private synchronized void prepare() throws IOException {
    if (isPrepared) {
      return;
    }
    String orders = CallerFaults.orders(ORDERS, "pm_card_visa");
    api.post(READER, UUID.randomUUID().toString(), "/order-imports", orders);
    long giveUpAt = System.nanoTime() + PLACED_WITHIN.toNanos();
    while (tables.count("orders", ALL) < ORDERS || tables.count("orders", OPEN) > 0) {
      if (System.nanoTime() - giveUpAt > 0) {
        throw new IOException("The orders to be read were not placed");
      }
      Pauses.of(200);
    }
    tables.update("orders", GROW);
    isPrepared = true;
  }

  private void read(long end, AtomicInteger pages) {
    while (System.nanoTime() - end < 0) {
      try {
        if (api.get(READER, PAGE).status() == 200) {
          pages.incrementAndGet();
        }
      } catch (IOException e) {
        // The next one may be answered.
      }
    }
  }

  private Socket askWithoutReading(Replica replica) throws IOException {
    URI uri = URI.create(replica.url());
    Socket socket = new Socket();
    // Set before it connects, or the system takes much of the answer itself.
    socket.setReceiveBufferSize(4_096);
    socket.connect(new InetSocketAddress(uri.getHost(), uri.getPort()));
    String request =
        "GET %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n"
            .formatted(PAGE, uri.getAuthority(), tokens.apply(READER));
    socket
        .getOutputStream()
        .write(request.repeat(PAGES_NOT_READ).getBytes(StandardCharsets.US_ASCII));
    return socket;
  }
}

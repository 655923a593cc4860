package io.onceflow.benchmarks.saga.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.onceflow.launcher.token.KeyFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The clients, against a server that is told what to do wrong. */
@Timeout(60)
@Tag("nightly")
class LoadsTest {

  private static final Duration SHORT = Duration.ofMillis(300);
  private static final Duration STALL = Duration.ofMillis(400);

  private static Callers customers;

  private final Map<String, String> orders = new ConcurrentHashMap<>();
  private final Set<String> callers = ConcurrentHashMap.newKeySet();
  private final Set<UUID> placed = ConcurrentHashMap.newKeySet();
  private HttpServer server;
  private OrderClients clients;

  private volatile boolean forgets;
  private volatile boolean stallsOnce;
  private volatile int roomFor = Integer.MAX_VALUE;

  /** Once: to make keys and to sign takes seconds. */
  @BeforeAll
  static void signTokens(@TempDir Path folder) throws IOException {
    KeyFiles keys = new KeyFiles(folder);
    keys.create();
    customers = new Callers(keys);
  }

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newSingleThreadExecutor());
    server.createContext("/orders", this::answer);
    server.start();
    URI url = URI.create("http://localhost:" + server.getAddress().getPort());
    clients = new OrderClients(url, customers, 4);
  }

  @AfterEach
  void stop() {
    clients.close();
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    if (stallsOnce) {
      stallsOnce = false;
      LockSupport.parkNanos(STALL.toNanos());
    }
    String caller = exchange.getRequestHeaders().getFirst("Authorization");
    callers.add(caller);
    String key = caller + exchange.getRequestHeaders().getFirst("Idempotency-Key");
    if (placed.size() >= roomFor) {
      shed(exchange);
      return;
    }
    UUID order = UUID.randomUUID();
    String known = forgets ? null : orders.putIfAbsent(key, order.toString());
    if (known == null) {
      placed.add(order);
    } else {
      exchange.getResponseHeaders().add("Idempotent-Replayed", "true");
    }
    String id = known == null ? order.toString() : known;
    exchange.getResponseHeaders().add("Location", "/orders/" + id);
    byte[] body = "{}".getBytes(UTF_8);
    exchange.sendResponseHeaders(201, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static void shed(HttpExchange exchange) throws IOException {
    byte[] body = "{\"type\": \"/problems/overloaded\"}".getBytes(UTF_8);
    exchange.sendResponseHeaders(503, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Test
  void aFloodTellsWhatWasShedFromWhatWasAcceptedInEachSecond() throws Exception {
    roomFor = 30;
    Flood flood = new Flood(clients, 100, Duration.ofSeconds(1));
    Answers answers = flood.run();
    assertThat(answers.wrong()).isZero();
    assertThat(answers.right()).isEqualTo(30);
    assertThat(flood.seconds().getFirst().accepted().getTotalCount()).isEqualTo(30);
    assertThat(flood.seconds().getFirst().shed().getTotalCount()).isEqualTo(70);
  }

  @Test
  void aClosedLoopPlacesOrdersOfSeveralCustomersUnderKeysOfTheirOwn() throws Exception {
    Answers answers = ClosedLoop.ofOrders(clients, 4).run(SHORT);
    assertThat(answers.wrong()).isZero();
    assertThat(answers.right()).isPositive().isEqualTo(placed.size());
    assertThat(callers).hasSize(4);
  }

  @Test
  void repeatsPlaceNothing() throws Exception {
    Finished finished = Finished.place(clients, 4, 3);
    Answers answers = ClosedLoop.ofRepeats(clients, 4, finished).run(SHORT);
    assertThat(answers.wrong()).isZero();
    assertThat(answers.right()).isPositive();
    assertThat(placed).hasSize(4 * 3);
    assertThat(callers).as("so that no quota is used up").hasSize(4 * 3);
  }

  @Test
  void repeatsNoticeAServerThatForgets() throws Exception {
    Finished finished = Finished.place(clients, 4, 3);
    forgets = true;
    assertThat(ClosedLoop.ofRepeats(clients, 4, finished).run(SHORT).wrong()).isPositive();
  }

  @Test
  void anOpenLoopSendsAsManyAsItsRateSays() throws Exception {
    Answers answers = new OpenLoop(clients, 200, Duration.ofMillis(500)).run();
    assertThat(answers.right()).isEqualTo(100);
    assertThat(placed).hasSize(100);
  }

  @Test
  void anOpenLoopChargesAStallToAllThatWereMeantToComeMeanwhile() throws Exception {
    ClosedLoop.ofOrders(clients, 4).run(SHORT);
    stallsOnce = true;
    Answers answers = new OpenLoop(clients, 200, Duration.ofMillis(600)).run();
    // The stall is two thirds of the time; only one request was really in the server meanwhile.
    assertThat(Times.ms(answers.times(), 50)).isGreaterThan(STALL.toMillis() / 4.0);
  }

  @Test
  void anOpenLoopCountsUntilConfirmationFromTheMeantStart() throws Exception {
    OpenLoop loop = new OpenLoop(clients, 100, Duration.ofMillis(200));
    loop.run();
    long inTenSeconds = (System.currentTimeMillis() + 10_000) * 1_000;
    Map<UUID, Long> confirmed = new HashMap<>();
    placed.forEach(order -> confirmed.put(order, inTenSeconds));
    assertThat(loop.untilConfirmed(confirmed).getTotalCount()).isEqualTo(20);
    assertThat(Times.ms(loop.untilConfirmed(confirmed), 0)).isBetween(9_900.0, 60_000.0);
  }

  @Test
  void aScheduleHasEvenIntervals() {
    Schedule schedule = Schedule.of(250, Duration.ofSeconds(2));
    assertThat(schedule.requests()).isEqualTo(500);
    assertThat(schedule.nanosTo(0)).isZero();
    assertThat(schedule.nanosTo(499)).isEqualTo(1_996_000_000L);
  }
}

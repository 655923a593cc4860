package io.onceflow.idempotency;

import static io.onceflow.idempotency.GuardRefusesTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.idempotency.Caller.Answer;
import io.onceflow.idempotency.internal.admission.Admission;
import io.onceflow.idempotency.internal.admission.AdmissionConfig;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests are turned away at the door while there is too much to do. */
@QuarkusTest
@TestProfile(GuardShedsTest.SmallRooms.class)
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Timeout(60)
@Tag("nightly")
class GuardShedsTest extends GuardedThings {

  private static final int ROOM = 2;

  @Inject LongQueue queue;
  @Inject Admission admission;
  @Inject AdmissionConfig config;
  @Inject MeterRegistry metrics;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /** Room for two, and looks only when the test has one taken. */
  public static final class SmallRooms implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of(
          "onceflow.admission.requests", "POST /things,POST /things/{kind}/by-uri",
          "onceflow.admission.most-in-hand", Integer.toString(ROOM),
          "onceflow.admission.most-bytes-in-hand", "1000000",
          "onceflow.admission.sample-interval", "PT1H",
          "onceflow.admission.retry-after", "PT3S");
    }
  }

  @AfterEach
  void goesBackToNormal() {
    queue.set(0);
    admission.look();
    await().until(() -> admission.inHand() == 0);
  }

  @Test
  void whoFindsNoRoomIsTurnedAwayAndLeavesNothing() throws Exception {
    List<Future<Answer>> held = fillTheRoom("/things");
    Answer shed = ada.post("/things", key, body);
    openTheDoor(held);
    assertProblem(shed, 503, "overloaded", "/things");
    assertThat(Integer.parseInt(shed.header("Retry-After"))).isBetween(3, 6);
    assertThat(runs.of(name)).isZero();
    assertNothingKept();
  }

  @Test
  void theSameRequestUnderTheSameKeyIsTakenWhenThereIsRoomAgain() throws Exception {
    List<Future<Answer>> held = fillTheRoom("/things");
    assertThat(ada.post("/things", key, body).status()).isEqualTo(503);
    openTheDoor(held);
    await().until(() -> ada.post("/things", key, body).status() == 201);
    assertKeptOnce();
  }

  @Test
  void whoIsShedIsNotEvenAskedForAKey() throws Exception {
    List<Future<Answer>> held = fillTheRoom("/things");
    assertThat(ada.send(ada.request("/things", "no JSON")).status()).isEqualTo(503);
    openTheDoor(held);
    assertThat(ada.send(ada.request("/things", "no JSON")).status()).isEqualTo(400);
  }

  @Test
  void requestsThatAreNotNamedAreNotShed() throws Exception {
    List<Future<Answer>> held = fillTheRoom("/things");
    assertThat(ada.post("/things/nothing-to-say", key, body).status()).isEqualTo(204);
    openTheDoor(held);
  }

  @Test
  void aSegmentInBracesStandsForAny() {
    queue.set(LongQueue.BOUND);
    admission.look();
    assertThat(ada.post("/things/blue/by-uri", key, body).status()).isEqualTo(503);
    assertThat(ada.post("/things/blue/by-uri/", key, body).status()).isEqualTo(503);
  }

  /** Refusals and failures, too. */
  @Test
  void whoeverWasLetInLeavesAgain() {
    for (int i = 0; i < 2 * ROOM; i++) {
      assertThat(ada.send(ada.request("/things", "no JSON")).status()).isEqualTo(400);
      assertThat(ada.post("/things", key + i, body).status()).isEqualTo(201);
    }
    await().until(() -> admission.inHand() == 0);
  }

  /** Else those who lose patience and come again would pile up work behind the door. */
  @Test
  void whoGoesAwayKeepsThePlaceUntilTheWorkIsDone() throws Exception {
    runs.close(name);
    try (Socket socket = new Socket(server.getHost(), server.getPort())) {
      socket.getOutputStream().write(rawPost().getBytes(StandardCharsets.ISO_8859_1));
      await().until(() -> runs.of(name) == 1);
    }
    assertThat(ada.post("/things/nothing-to-say", "other-" + key, body).status()).isEqualTo(204);
    assertThat(admission.inHand()).isEqualTo(1);
    runs.open(name);
    await().until(() -> admission.inHand() == 0);
  }

  @Test
  void whenTooMuchWaitsBehindThemRequestsAreShedUntilItIsLess() throws Exception {
    queue.set(LongQueue.BOUND);
    admission.look();
    Answer shed = ada.post("/things", key, body);
    assertProblem(shed, 503, "overloaded", "/things");
    assertThat(shed.text()).contains("(queue)");
    assertNothingKept();
    queue.set(LongQueue.BOUND - 1);
    admission.look();
    assertThat(ada.post("/things", key, body).status()).isEqualTo(201);
  }

  @Test
  void betweenTwoLooksEachWhoIsLetInIsOneMore() {
    queue.set(LongQueue.BOUND - 2);
    admission.look();
    assertThat(ada.post("/things", key, body).status()).isEqualTo(201);
    assertThat(ada.post("/things", key + 2, body).status()).isEqualTo(201);
    assertThat(ada.post("/things", key + 3, body).status()).isEqualTo(503);
    admission.look();
    assertThat(ada.post("/things", key + 3, body).status()).isEqualTo(201);
  }

  @Test
  void whatCannotBeSeenIsHeldAgainstNobody() {
    queue.set(LongQueue.BOUND);
    admission.look();
    queue.set(-1);
    admission.look();
    assertThat(ada.post("/things", key, body).status()).isEqualTo(201);
  }

  @Test
  void whoIsShedIsCounted() {
    queue.set(LongQueue.BOUND);
    admission.look();
    double before = shed();
    ada.post("/things", key, body);
    assertThat(shed()).isEqualTo(before + 1);
    assertThat(metrics.get(Admission.WAITING).tag("of", "queue").gauge().value())
        .isEqualTo(LongQueue.BOUND);
    assertThat(metrics.get(Admission.IN_HAND).gauge().value()).isZero();
  }

  @Test
  void longBodiesOfOneCallerTakeHalfOfTheRoomAndAllOfThemNoMoreThanThereIs() throws Exception {
    String filling = "filling " + name;
    String large = "{\"name\":\"%s\",\"note\":\"%s\"}".formatted(filling, "x".repeat(600_000));
    runs.close(filling);
    Future<Answer> held = threads.submit(() -> ada.post("/things", key, large));
    await().until(() -> runs.of(filling) == 1);

    Answer second = ada.post("/things", key + 2, large);
    Answer others = new Caller(server, "bob").post("/things", key + 2, large);
    Answer small = ada.post("/things/nothing-to-say", key + 3, body);

    assertProblem(second, 429, "quota-exceeded", "/things");
    assertThat(second.header("RateLimit-Policy"))
        .isEqualTo("\"content\";q=500000;qu=\"content-bytes\"");
    assertProblem(others, 503, "overloaded", "/things");
    assertThat(small.status()).isEqualTo(204);
    openTheDoor(List.of(held));
    assertThat(new Caller(server, "bob").post("/things", key + 2, large).status()).isEqualTo(201);
  }

  /** A quarter of what may wait is one caller's share. */
  @Test
  void aCallerWhoseShareWaitsIsRefusedAndOthersAreNot() throws Exception {
    long share = LongQueue.BOUND / 4;
    queue.set("ada", share - 1);
    admission.look();
    assertThat(ada.post("/things", key, body).status()).isEqualTo(201);

    Answer over = ada.post("/things", key + 2, body);

    assertProblem(over, 429, "quota-exceeded", "/things");
    assertThat(over.header("RateLimit-Policy")).isEqualTo("\"queue\";q=250;qu=\"queue\"");
    assertThat(over.header("RateLimit")).isEqualTo("\"queue\";r=0;t=3");
    assertThat(over.header("Retry-After")).isEqualTo("3");
    assertThat(records(key + 2)).isZero();
    Caller bob = new Caller(server, "bob");
    assertThat(bob.post("/things", key, body).status()).isEqualTo(201);
    queue.set(0);
    admission.look();
    assertThat(ada.post("/things", key + 2, body).status()).isEqualTo(201);
  }

  @Test
  void aCallerWhoGoesOnAfterARefusalIsAnsweredLater() {
    queue.set("ada", LongQueue.BOUND / 4);
    admission.look();

    // Later than a tenth of a second after the one before, it is the first again.
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> timeToRefusal().compareTo(config.caller().refusalDelay()) >= 0);

    assertThat(admission.inHand()).isZero();
    queue.set(0);
    admission.look();
    await().until(() -> ada.postWithToken("/things", key, body, name).status() == 201);
  }

  private Duration timeToRefusal() throws Exception {
    long begun = System.nanoTime();
    assertProblem(ada.postWithToken("/things", key, body, name), 429, "quota-exceeded", "/things");
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  @Test
  void workInTheBackgroundLeavesRoomForRequests() {
    queue.set(LongQueue.BOUND / 2 - 1);
    admission.look();
    assertThat(admission.tryBegin("ada", 1)).isTrue();
    assertThat(admission.tryBegin("ada", 1)).isFalse();
    assertThat(admission.tryBegin("bob", 1)).isFalse();
    assertThat(ada.post("/things", key, body).status()).isEqualTo(201);
  }

  @Test
  void oneCallersWorkInTheBackgroundLeavesRoomForOthers() {
    assertThat(admission.tryBegin("ada", (int) LongQueue.BOUND / 8)).isTrue();
    assertThat(admission.tryBegin("ada", 1)).isFalse();
    assertThat(admission.tryBegin("bob", 1)).isTrue();
    assertThat(ada.post("/things", key, body).status()).isEqualTo(201);
  }

  private long records(String ofKey) {
    return ORDERS.number("SELECT count(*) FROM idempotency_record WHERE key = ?", ofKey);
  }

  private double shed() {
    return metrics.find(Admission.SHED).tag("of", "queue").counters().stream()
        .mapToDouble(it -> it.count())
        .sum();
  }

  /** As many as may be in hand, held up in their methods. */
  private List<Future<Answer>> fillTheRoom(String path) {
    String other = "filling " + name;
    String filling = "{\"name\":\"%s\"}".formatted(other);
    runs.close(other);
    List<Future<Answer>> held =
        List.of(
            threads.submit(() -> ada.post(path, "first-" + key, filling)),
            threads.submit(() -> ada.post(path, "second-" + key, filling)));
    await().until(() -> runs.of(other) == ROOM);
    return held;
  }

  private void openTheDoor(List<Future<Answer>> held) throws Exception {
    runs.open("filling " + name);
    for (Future<Answer> one : held) {
      assertThat(one.get().status()).isEqualTo(201);
    }
    await().until(() -> admission.inHand() == 0);
  }

  private String rawPost() throws IOException {
    return """
        POST /things HTTP/1.1
        Host: %s
        Content-Type: application/json
        Content-Length: %d
        %s: ada
        Idempotency-Key: %s

        """
            .replace("\n", "\r\n")
            .formatted(server.getAuthority(), body.length(), HeaderScope.HEADER, key)
        + body;
  }
}

package io.onceflow.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.idempotency.testing.DatabaseOutage;
import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.inbox.internal.parking.FailedMessages;
import io.onceflow.inbox.internal.parking.ParkedMessages;
import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.inbox.internal.participant.Recovery;
import io.onceflow.launcher.testing.TestServers;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Rule 13: the database goes away, in earnest, from under messages, calls and recovery. Everything
 * waits, nothing is counted or parked for it, and all goes on by itself.
 */
@Timeout(60)
class DatabaseOutageTest {

  private static final String NAME = "DatabaseOutageTest";

  /** How often recovery takes a turn here. */
  private static final Duration INTERVAL = Duration.ofMillis(200);

  private static final Duration OBSERVED = Duration.ofSeconds(3);

  /**
   * Connections tried for within {@link #OBSERVED} at most: two at each turn of the recovery, and
   * from each of the two workers a handful with pauses that double from 50 ms on. A loop without
   * pauses tries for thousands.
   */
  private static final int FEW = 2 * (int) OBSERVED.dividedBy(INTERVAL) + 2 * 8;

  private final Fixture fixture = new Fixture();
  private final World world = fixture.world;
  private final AtomicInteger tries = new AtomicInteger();
  private final DataSource database = database();
  private final Participant participant =
      fixture.participant(TestConfig.inbox(), database, Handlers.all(world));
  private final Recovery recovery =
      Fixture.recovery(
          participant,
          new FailedMessages(
              participant,
              new ParkedMessages(database, Fixture.JSON, fixture.metrics),
              TestConfig.inbox()),
          INTERVAL);
  private final BatchConsumer intake = fixture.intake(participant);

  @AfterEach
  void close() {
    recovery.close();
    fixture.close();
  }

  @Test
  void whatWasUnderWayAndWhatCameMeanwhileEndsAsIfNothingHadBeen() {
    CountDownLatch letGo = new CountDownLatch(1);
    List<Saga> before = sagas();
    List<Saga> meanwhile = sagas();
    recovery.start();
    for (Saga saga : before) {
      world.behave(saga.takeKey(), World.until(letGo));
      intake.accept(saga.take());
    }
    await().until(() -> before.stream().allMatch(s -> world.callsUnder(s.takeKey()) == 1));
    DatabaseOutage outage = new DatabaseOutage(Saga.PAYMENTS, NAME);
    try (outage) {
      letGo.countDown();
      meanwhile.forEach(saga -> intake.accept(saga.take()));
      await().until(() -> tries.get() > 0);
      assertThat(meanwhile).allMatch(saga -> saga.acknowledged.get() == 0);
      assertThat(meanwhile).allMatch(saga -> world.callsUnder(saga.takeKey()) == 0);
    }
    for (Saga saga : Stream.of(before, meanwhile).flatMap(List::stream).toList()) {
      await().untilAsserted(() -> assertThat(saga.replies()).containsExactly("MoneyTaken"));
      assertThat(saga.acknowledged).hasValue(1);
      assertThat(saga.parkedFor()).isEmpty();
      assertThat(world.callsUnder(saga.takeKey())).isEqualTo(1);
      assertThat(saga.inbox("attempts", saga.takeKey())).isEqualTo("1");
    }
  }

  @Test
  void nobodySpinsMeanwhile() {
    CountDownLatch letGo = new CountDownLatch(1);
    Saga underWay = new Saga();
    Saga late = new Saga();
    world.behave(underWay.takeKey(), World.until(letGo));
    intake.accept(underWay.take());
    await().until(() -> world.callsUnder(underWay.takeKey()) == 1);
    recovery.start();
    DatabaseOutage outage = new DatabaseOutage(Saga.PAYMENTS, NAME);
    try (outage) {
      letGo.countDown();
      intake.accept(late.take());
      tries.set(0);
      await().during(OBSERVED).atMost(OBSERVED.multipliedBy(2)).until(() -> tries.get() <= FEW);
      assertThat(tries.get()).as("it still asks").isPositive();
    }
    for (Saga saga : List.of(underWay, late)) {
      await().untilAsserted(() -> assertThat(saga.replies()).containsExactly("MoneyTaken"));
    }
  }

  /**
   * A call that fails while the database is away: that one is counted, once, and its pause begins
   * when it can be written down.
   */
  @Test
  void aCallThatFailsMeanwhileIsCountedOnce() {
    CountDownLatch letGo = new CountDownLatch(1);
    Saga saga = new Saga();
    world.behave(
        saga.takeKey(),
        () -> {
          letGo.await();
          World.failing().act();
        });
    intake.accept(saga.take());
    await().until(() -> world.callsUnder(saga.takeKey()) == 1);
    recovery.start();
    DatabaseOutage outage = new DatabaseOutage(Saga.PAYMENTS, NAME);
    try (outage) {
      tries.set(0);
      letGo.countDown();
      await().until(() -> tries.get() >= 5);
      assertThat(world.callsUnder(saga.takeKey())).isEqualTo(1);
    }
    await().untilAsserted(() -> assertThat(saga.replies()).containsExactly("MoneyTaken"));
    assertThat(world.callsUnder(saga.takeKey())).isEqualTo(2);
    assertThat(saga.inbox("attempts", saga.takeKey())).isEqualTo("2");
  }

  /** As many as one customer has turns in a lane of sixteen, so that each call is under way. */
  private static List<Saga> sagas() {
    return Stream.generate(Saga::new).limit(8).toList();
  }

  /** Each connection is a new one with a name, and whoever asks for one is counted. */
  private DataSource database() {
    return (DataSource)
        Proxy.newProxyInstance(
            DatabaseOutageTest.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              if (!method.getName().equals("getConnection")) {
                throw new UnsupportedOperationException(method.getName());
              }
              tries.incrementAndGet();
              return connect();
            });
  }

  private static Connection connect() throws SQLException {
    TestServers servers = TestServers.shared();
    Properties properties = new Properties();
    properties.setProperty("user", servers.user("payments"));
    properties.setProperty("password", servers.password());
    properties.setProperty("ApplicationName", NAME);
    return DriverManager.getConnection(servers.jdbcUrl("payments"), properties);
  }
}

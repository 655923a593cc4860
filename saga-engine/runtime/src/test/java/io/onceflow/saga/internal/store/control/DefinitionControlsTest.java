package io.onceflow.saga.internal.store.control;

import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.saga;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.SagaView.Hold;
import io.onceflow.saga.internal.store.SagaDatabase;
import io.onceflow.saga.internal.store.Shop;
import io.onceflow.saga.internal.store.control.DefinitionControl.StartShare;
import io.onceflow.saga.internal.store.hold.HeldSagas;
import io.onceflow.sql.Column;
import io.onceflow.sql.Sql;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What operators set for a definition is followed by its sagas, and undone at once. */
@Timeout(value = 60, unit = SECONDS)
class DefinitionControlsTest {

  private static final String NAME = "place-order";
  private static final SagaDefinition<PlaceOrder> NEW =
      saga(
          NAME,
          2,
          PlaceOrder.DEFINITION.stepNamed("process-payment"),
          pivot("confirm-order").run(order -> order));

  private final Shop shop = new Shop(PlaceOrder.DEFINITION);

  @BeforeEach
  void makeTables() {
    SagaDatabase.makeAnew("classpath:db/onceflow/inbox");
  }

  @Test
  void holdsItsOpenSagasInBatchesAndNewOnesFromTheirStart() throws SQLException {
    List<UUID> open = shop.place(3);
    UUID alone = open.getFirst();
    SagaDatabase.inTransaction(tx -> HeldSagas.hold(tx, Set.of(alone), held("paul", false)));
    shop.heard();
    assertThat(hold()).isTrue();
    assertThat(hold()).as("it is on hold already").isFalse();
    follow(shop);

    assertThat(holdSome(1)).isEqualTo(1);
    assertThat(holdSome(10)).isEqualTo(1);
    assertThat(holdSome(10)).as("none is left").isZero();
    UUID fresh = shop.placeOne();

    assertThat(shop.heard()).isEmpty();
    assertThat(shop.view(fresh).hold().definition()).isTrue();
    assertThat(shop.view(alone).hold().by()).as("its own hold stays").isEqualTo("paul");
    Shop.passDeadlines();
    SagaDatabase.execute("UPDATE saga_instance SET next_action_at = 'infinity'");

    assertThat(resume()).isTrue();
    assertThat(resumeSome(2)).isEqualTo(2);
    assertThat(resumeSome(2)).isEqualTo(1);
    assertThat(read().resuming()).as("another replica may have locked some").isNotNull();
    assertThat(resumeSome(2)).isZero();
    assertThat(read()).isEqualTo(DefinitionControl.none(NAME));
    assertThat(shop.view(alone).hold()).isNotNull();
    assertThat(shop.fireDue(10)).as("the new one starts now").hasSize(1);
    assertThat(shop.heard()).containsExactly("process-payment");
    SagaView started = shop.view(fresh);
    assertThat(started.history().stream().map(SagaView.Entry::event))
        .containsExactly("saga-held", "saga-started", "command-sent");
  }

  /** The replica has read the hold, and it has ended since: no saga is left behind. */
  @Test
  void startsASagaThatIsMadeAfterTheHoldHasEnded() throws SQLException {
    hold();
    follow(shop);
    resume();
    assertThat(resumeSome(10)).isZero();

    UUID late = shop.placeOne();

    assertThat(shop.view(late).hold()).isNull();
    assertThat(shop.heard()).containsExactly("process-payment");
    assertThat(holdSome(10)).isZero();
  }

  @Test
  void holdsWhatIsInQuarantine() throws SQLException {
    UUID saga = shop.placeOne();
    SagaDatabase.execute("UPDATE saga_instance SET next_action_at = 'infinity'");

    hold();

    assertThat(shop.view(saga).hold().definition()).isTrue();
  }

  @Test
  void startsAShareByAnotherVersionAndAllAsConfiguredAtOnce() throws SQLException {
    Shop both = new Shop(PlaceOrder.DEFINITION, NEW);
    start(1, 30);
    follow(both);
    assertThat(versions(both, 300)).isBetween(50, 130);
    start(1, 100);
    follow(both);
    assertThat(versions(both, 20)).isEqualTo(20);
    assertThat(
            SagaDatabase.<Boolean>inTransaction(
                tx -> DefinitionControls.startAsConfigured(tx, NAME)))
        .isTrue();
    follow(both);
    assertThat(versions(both, 20)).isZero();
    assertThat(read()).isEqualTo(DefinitionControl.none(NAME));
  }

  /** Another replica's operator has set it; the sagas of this one can be handled by both. */
  @Test
  void startsAsConfiguredWhereTheVersionIsNotKnown() throws SQLException {
    start(7, 100);
    follow(shop);

    assertThat(shop.view(shop.placeOne()).version()).isEqualTo(1);
  }

  @Test
  void theRandomPartOfAnIdDecidesWhoIsOfAShare() {
    StartShare third = new StartShare(2, 33, "olga", null, Instant.EPOCH);
    DefinitionControl control = new DefinitionControl(NAME, null, null, third);

    assertThat(
            Stream.generate(UUID::randomUUID)
                .limit(10_000)
                .filter(id -> control.startVersion(id, 1) == 2)
                .count())
        .isBetween(3_000L, 3_600L);
  }

  @Test
  void aReplicaThatHasNotBeenSeenForHalfAMinuteIsDead() throws SQLException {
    UUID replica = UUID.randomUUID();
    seen(replica);
    seen(replica);
    assertThat(living()).singleElement().matches(it -> it.has(NAME, 1) && !it.has(NAME, 2));

    SagaDatabase.execute("UPDATE saga_replica SET seen_at = now() - interval '36 s'");
    assertThat(living()).isEmpty();
    assertThat(SagaDatabase.inTransaction(LivingReplicas::all))
        .as("operators see that it has not been seen, and how it was")
        .singleElement()
        .matches(it -> it.details().running().getFirst().name().equals("outbox-relay"));
    SagaDatabase.execute("UPDATE saga_replica SET seen_at = now() - interval '2 h'");
    seen(UUID.randomUUID());
    assertThat(SagaDatabase.execute("DELETE FROM saga_replica")).as("it is forgotten").isEqualTo(1);
  }

  private static void seen(UUID replica) throws SQLException {
    SagaDatabase.inTransaction(
        tx -> {
          LivingReplicas.seen(
              tx,
              new LivingReplicas.Identity(replica, "1.0", "here"),
              List.of("place-order v1", "return-order v1"),
              new ReplicaDetails(List.of(new ReplicaDetails.Loop("outbox-relay", 7)), null, null));
          return true;
        });
  }

  private static List<Replica> living() throws SQLException {
    return SagaDatabase.inTransaction(LivingReplicas::living);
  }

  /** How many of new ones follow version 1. */
  private static int versions(Shop shop, int count) throws SQLException {
    List<UUID> started = shop.place(count);
    return SagaDatabase.<Integer>inTransaction(
        tx ->
            Sql.query(
                    tx,
                    "SELECT count(*)::int AS first FROM saga_instance WHERE version = 1 AND id = ANY (?)",
                    row -> row.integer("first"),
                    Column.uuids(started))
                .getFirst());
  }

  private static void follow(Shop shop) throws SQLException {
    shop.sagas.follow(read());
  }

  private static DefinitionControl read() throws SQLException {
    return SagaDatabase.inTransaction(tx -> DefinitionControls.read(tx, NAME));
  }

  private static boolean hold() throws SQLException {
    return SagaDatabase.<Boolean>inTransaction(
        tx -> DefinitionControls.hold(tx, NAME, held("olga", true)));
  }

  private static boolean resume() throws SQLException {
    return SagaDatabase.<Boolean>inTransaction(
        tx -> DefinitionControls.resume(tx, NAME, "by olga"));
  }

  private static int holdSome(int limit) throws SQLException {
    return SagaDatabase.<Integer>inTransaction(tx -> DefinitionControls.holdSome(tx, NAME, limit));
  }

  private static int resumeSome(int limit) throws SQLException {
    return SagaDatabase.<Integer>inTransaction(
        tx -> DefinitionControls.resumeSome(tx, NAME, "by olga", limit));
  }

  private static void start(int version, int share) throws SQLException {
    SagaDatabase.inTransaction(
        tx -> {
          DefinitionControls.start(tx, NAME, version, share, "olga", null);
          return true;
        });
  }

  private static Hold held(String by, boolean definition) {
    @Nullable Instant noEnd = null;
    return new Hold(Instant.EPOCH, by, "look", noEnd, definition);
  }
}

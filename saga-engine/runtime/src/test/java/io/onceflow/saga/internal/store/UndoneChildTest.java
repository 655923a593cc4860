package io.onceflow.saga.internal.store;

import static io.onceflow.saga.PlaceOrder.done;
import static io.onceflow.saga.PlaceOrder.refused;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.start;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.Saga;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.SagaView.Hold;
import io.onceflow.saga.internal.store.retention.EndedSagas;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A saga that another one has started before its pivot, and which is undone with that. */
@Timeout(value = 120, unit = SECONDS)
class UndoneChildTest {

  private final Family family = new Family(SagaDatabase.source());

  @BeforeEach
  void emptyDatabase() {
    SagaDatabase.makeAnew("classpath:db/onceflow/outbox", "classpath:db/onceflow/inbox");
  }

  @Test
  void isCancelledWhileItRuns() throws SQLException {
    UUID parent = family.placeCareful(UUID.randomUUID());
    UUID child = family.child(parent, "pack");
    family.reply(child, done("tell-driver"));

    family.cancel(parent);
    assertThat(family.stepOf(parent, "pack").status()).isEqualTo(StepStatus.COMPENSATING);
    assertThat(family.fireDue("packing")).isEqualTo(1);

    SagaView undone = family.view(child);
    assertThat(undone.status()).isEqualTo(SagaStatus.COMPENSATING);
    assertThat(undone.reason()).isEqualTo("COMPENSATED_BY_PARENT");
    assertThat(undone.history())
        .anySatisfy(
            line -> {
              assertThat(line.event()).isEqualTo("cancel-requested");
              assertThat(line.detail()).isEqualTo("by saga " + parent);
            });
    family.reply(child, done("tell-porter"));
    undo(parent, child);
  }

  @Test
  void isUndoneAfterItWasComplete() throws SQLException {
    UUID parent = withCompleteChild();
    UUID child = family.child(parent, "pack");
    assertThat(Family.sent(parent, "ask-bob")).isEqualTo(1);

    family.reply(parent, refused("ask-bob"));
    assertThat(family.view(child).status()).as("open again").isEqualTo(SagaStatus.RUNNING);
    assertThat(family.fireDue("packing")).isEqualTo(1);

    undo(parent, child);
    assertThat(
            SagaDatabase.text(
                "SELECT cancelled_for FROM test_order WHERE id = (SELECT subject_id FROM saga_instance WHERE id = '%s')"
                    .formatted(child)))
        .isEqualTo("COMPENSATED_BY_PARENT");
  }

  /** It has not learnt that it is undone when it ends: its parent's timer tells it again. */
  @Test
  void isUndoneWhereItCompletesWhileItsParentIsCancelled() throws SQLException {
    UUID parent = family.placeCareful(UUID.randomUUID());
    UUID child = family.child(parent, "pack");
    family.reply(child, done("tell-driver"));
    family.unitOfWork.call(
        tx -> {
          family.sagas.lock(tx, Set.of(child));
          return family.cancel(parent);
        });
    family.reply(child, done("tell-porter"));
    assertThat(family.view(child).status()).isEqualTo(SagaStatus.COMPLETED);

    assertThat(family.fireDue("careful")).as("it is told of the end").isEqualTo(1);
    assertThat(family.fireDue("packing")).isEqualTo(1);

    undo(parent, child);
  }

  @Test
  void isUndoneWhereItWasLockedWhenItWasTold() throws SQLException {
    UUID parent = family.placeCareful(UUID.randomUUID());
    UUID child = family.child(parent, "pack");
    family.reply(child, done("tell-driver"));
    family.unitOfWork.call(
        tx -> {
          family.sagas.lock(tx, Set.of(child));
          return family.cancel(parent);
        });
    assertThat(family.fireDue("packing")).as("it is not told").isZero();

    Shop.passDeadlines();
    family.fireDue("careful");
    assertThat(family.fireDue("packing")).isEqualTo(1);

    family.reply(child, done("tell-porter"));
    undo(parent, child);
  }

  @Test
  void isUndoneAfterItsHold() throws SQLException {
    UUID parent = family.placeCareful(UUID.randomUUID());
    UUID child = family.child(parent, "pack");
    Hold hold = new Hold(Instant.now(), "ops", null, null, false);
    family.unitOfWork.call(tx -> family.sagas.hold(tx, child, hold));

    family.cancel(parent);
    assertThat(family.fireDue("packing")).isZero();

    family.unitOfWork.call(tx -> family.sagas.resume(tx, child, "ops", null));
    Shop.passDeadlines();
    family.fireDue("careful");
    family.fireDue("packing");
    assertThat(family.view(child).reason()).isEqualTo("COMPENSATED_BY_PARENT");
  }

  @Test
  void undoesItsParentWhenItIsCompensatedItself() throws SQLException {
    UUID parent = family.placeCareful(UUID.randomUUID());
    UUID child = family.child(parent, "pack");

    family.reply(child, refused("tell-driver"));
    family.fireDue("careful");
    family.reply(parent, done("calm-ada"));

    assertThat(family.view(parent).status()).isEqualTo(SagaStatus.COMPENSATED);
    assertThat(family.view(parent).reason()).isEqualTo("CHILD_COMPENSATED");
    assertThat(family.fireDue("packing")).isZero();
  }

  @Test
  void undoesThoseThatItHasStartedItselfAndThatWereComplete() throws SQLException {
    Family three = new Family(SagaDatabase.source(), new Top(), new Middle(), new Family.Packing());
    UUID top = three.place("outer", UUID.randomUUID());
    UUID middle = three.child(top, "middle");
    UUID leaf = three.child(middle, "pack");
    three.reply(leaf, done("tell-driver"));
    three.reply(leaf, done("tell-porter"));
    three.fireDue("inner");
    three.fireDue("outer");
    assertThat(three.view(middle).status()).isEqualTo(SagaStatus.COMPLETED);
    assertThat(ended()).as("to be undone as long as the outer one is open").isEmpty();

    three.cancel(top);
    three.reply(top, refused("tell-ada"));
    three.fireDue("inner");
    three.fireDue("packing");
    three.reply(leaf, done("calm-porter"));
    three.reply(leaf, done("calm-driver"));
    three.fireDue("inner");
    three.fireDue("outer");

    for (UUID each : List.of(leaf, middle, top)) {
      assertThat(three.view(each).status()).isEqualTo(SagaStatus.COMPENSATED);
    }
    assertThat(ended()).containsExactlyInAnyOrder(top, middle, leaf);
  }

  /** Parents are cancelled while their children end, and timers fire: seen by several threads. */
  @Test
  void isUndoneOnceInAnyOrderOfCommits() throws Exception {
    List<Callable<Object>> all = new ArrayList<>();
    Map<UUID, UUID> parents = new HashMap<>();
    for (int i = 0; i < 6; i++) {
      UUID parent = family.placeCareful(UUID.randomUUID());
      UUID child = family.child(parent, "pack");
      parents.put(parent, child);
      family.reply(child, done("tell-driver"));
      all.add(() -> family.cancel(parent));
      all.add(
          () -> {
            family.reply(child, done("tell-porter"));
            return family.fireDue("packing");
          });
      all.add(() -> family.fireDue("careful"));
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(6)) {
      for (Future<Object> each : threads.invokeAll(all)) {
        each.get();
      }
    }
    for (int round = 0; round < 10 && areOpen("packing"); round++) {
      settle(parents);
    }
    for (Map.Entry<UUID, UUID> each : parents.entrySet()) {
      undone(each.getKey(), each.getValue());
    }
  }

  /** Timers fire, late if need be, and the participants answer. */
  private void settle(Map<UUID, UUID> parents) throws SQLException {
    Shop.passDeadlines();
    family.fireDue("careful");
    family.fireDue("packing");
    for (Map.Entry<UUID, UUID> each : parents.entrySet()) {
      for (String step : List.of("tell-porter", "calm-porter", "calm-driver")) {
        family.reply(each.getValue(), done(step));
      }
      family.reply(each.getKey(), refused("ask-bob"));
    }
  }

  private static boolean areOpen(String definition) throws SQLException {
    return SagaDatabase.count(
            "SELECT count(*) FROM saga_instance WHERE definition = '%s' AND status <> 'COMPENSATED'"
                .formatted(definition))
        > 0;
  }

  private UUID withCompleteChild() throws SQLException {
    UUID parent = family.placeCareful(UUID.randomUUID());
    UUID child = family.child(parent, "pack");
    family.reply(child, done("tell-driver"));
    family.reply(child, done("tell-porter"));
    family.fireDue("careful");
    assertThat(family.view(child).status()).isEqualTo(SagaStatus.COMPLETED);
    return parent;
  }

  private void undo(UUID parent, UUID child) throws SQLException {
    family.reply(child, done("calm-porter"));
    family.reply(child, done("calm-driver"));
    undone(parent, child);
    assertThat(Family.sent(child, "calm-driver")).isEqualTo(1);
    assertThat(Family.sent(parent, "calm-ada")).isEqualTo(1);
  }

  /** The parent undoes what it did before only when the child is compensated. */
  private void undone(UUID parent, UUID child) throws SQLException {
    family.fireDue("careful");
    assertThat(family.view(child).status()).isEqualTo(SagaStatus.COMPENSATED);
    assertThat(family.stepOf(parent, "pack").status()).isEqualTo(StepStatus.COMPENSATED);
    assertThat(family.child(parent, "pack")).isEqualTo(child);
    family.reply(parent, done("calm-ada"));
    assertThat(family.view(parent).status()).isEqualTo(SagaStatus.COMPENSATED);
    for (SagaView saga : List.of(family.view(child), family.view(parent))) {
      assertThat(saga.history())
          .filteredOn(line -> line.event().equals("saga-compensated"))
          .hasSize(1);
    }
  }

  private static List<UUID> ended() throws SQLException {
    return SagaDatabase.inTransaction(
        tx ->
            EndedSagas.lock(tx, EndedSagas.FIRST, Duration.ZERO, 10).stream()
                .map(EndedSagas.Ended::id)
                .toList());
  }

  private static final class Top implements Saga<PlaceOrder> {

    @Override
    public SagaDefinition<PlaceOrder> definition() {
      return saga("outer", 1, start("middle", Middle.class, Family::delivery), Family.tell("ada"));
    }
  }

  private static final class Middle implements Saga<PlaceOrder> {

    @Override
    public SagaDefinition<PlaceOrder> definition() {
      return saga("inner", 1, start("pack", Family.Packing.class, Family::delivery));
    }
  }
}

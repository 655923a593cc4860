package io.onceflow.saga.internal.store;

import static io.onceflow.saga.PlaceOrder.done;
import static io.onceflow.saga.PlaceOrder.refused;
import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.start;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.Saga;
import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.SagaView.Hold;
import io.onceflow.saga.internal.store.retention.EndedSagas;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A saga that starts another one, and is told of its end. */
@Timeout(value = 60, unit = SECONDS)
class ChildSagaTest {

  private final Family family = new Family(SagaDatabase.source());

  @BeforeEach
  void emptyDatabase() {
    SagaDatabase.makeAnew("classpath:db/onceflow/outbox", "classpath:db/onceflow/inbox");
  }

  @Test
  void isStartedWithAKeyAndASubjectOfItsOwnInTheTransactionOfItsParent() throws SQLException {
    UUID parent = family.placeParent();
    UUID child = family.child(parent, "deliver");

    assertThat(family.stepOf(parent, "deliver").status()).isEqualTo(StepStatus.AWAITING);
    SagaView shown = family.view(child);
    assertThat(shown.definition()).isEqualTo("child");
    assertThat(shown.parent()).isEqualTo(parent);
    assertThat(family.view(parent).parent()).isNull();
    assertThat(shown.steps().getFirst().idempotencyKey())
        .isEqualTo(parent + "/deliver:tell-driver");
    assertThat(Family.sent(child, "tell-driver")).isEqualTo(1);
    assertThat(family.fireDue("parent")).as("nothing polls").isZero();
  }

  @Test
  void itsParentContinuesWhenItIsComplete() throws SQLException {
    UUID parent = family.placeParent();
    UUID child = family.child(parent, "deliver");

    family.reply(child, done("tell-driver"));
    assertThat(family.fireDue("parent")).isEqualTo(1);

    assertThat(family.stepOf(parent, "deliver").status()).isEqualTo(StepStatus.SUCCEEDED);
    assertThat(family.child(parent, "deliver")).isEqualTo(child);
    assertThat(Family.sent(parent, "tell-ada")).isZero();
    assertThat(Family.sent(parent, "tell-bob")).isEqualTo(1);
    family.reply(parent, done("tell-bob"));
    assertThat(family.view(parent).status()).isEqualTo(SagaStatus.COMPLETED);
  }

  @Test
  void itsParentTakesItsOtherWayWhenItIsCompensated() throws SQLException {
    UUID parent = family.placeParent();
    UUID child = family.child(parent, "deliver");

    family.reply(child, refused("tell-driver"));
    assertThat(family.fireDue("parent")).isEqualTo(1);

    assertThat(family.view(child).status()).isEqualTo(SagaStatus.COMPENSATED);
    assertThat(family.stepOf(parent, "deliver").status()).isEqualTo(StepStatus.REFUSED);
    assertThat(family.view(parent).history())
        .anySatisfy(
            line ->
                assertThat(line.detail())
                    .isEqualTo("by saga %s: it was compensated, REFUSED".formatted(child)));
    assertThat(Family.sent(parent, "tell-ada")).isEqualTo(1);
  }

  /** It never waits for the row of its parent: who has locked that may wait for another of its. */
  @Test
  void itsEndIsFoundLaterWhereItsParentIsLocked() throws SQLException {
    UUID parent = family.placeParent();
    UUID child = family.child(parent, "deliver");
    try (Connection other = SagaDatabase.begin();
        Statement statement = other.createStatement()) {
      statement.execute(
          "SELECT id FROM saga_instance WHERE id = '%s' FOR UPDATE".formatted(parent));
      family.reply(child, done("tell-driver"));
      other.rollback();
    }
    assertThat(family.fireDue("parent")).as("it is not told").isZero();

    Shop.passDeadlines();
    family.fireDue("parent");

    assertThat(family.stepOf(parent, "deliver").status()).isEqualTo(StepStatus.SUCCEEDED);
  }

  @Test
  void itsEndIsFoundLaterWhereItsParentLooksAtTheSameTime() throws SQLException {
    UUID parent = family.placeParent();
    UUID child = family.child(parent, "deliver");
    Shop.passDeadlines();
    family.unitOfWork.call(
        tx -> {
          int looked = family.sagas.of("parent").fireDue(tx, 100).size();
          family.reply(child, done("tell-driver"));
          return looked;
        });
    assertThat(family.stepOf(parent, "deliver").status()).isEqualTo(StepStatus.AWAITING);

    Shop.passDeadlines();
    family.fireDue("parent");

    assertThat(family.stepOf(parent, "deliver").status()).isEqualTo(StepStatus.SUCCEEDED);
    assertThat(family.view(parent).history())
        .extracting(SagaView.Entry::event)
        .containsExactly(
            "saga-started",
            "pivot-passed",
            "wait-started",
            "await-over",
            "succeeded",
            "command-sent");
  }

  @Test
  void itsEndLeavesAParentOnHoldAlone() throws SQLException {
    UUID parent = family.placeParent();
    Hold hold = new Hold(Instant.now(), "ops", null, null, false);
    family.unitOfWork.call(tx -> family.sagas.hold(tx, parent, hold));

    family.reply(family.child(parent, "deliver"), done("tell-driver"));
    assertThat(family.fireDue("parent")).isZero();

    family.unitOfWork.call(tx -> family.sagas.resume(tx, parent, "ops", null));
    Shop.passDeadlines();
    family.fireDue("parent");
    assertThat(family.stepOf(parent, "deliver").status()).isEqualTo(StepStatus.SUCCEEDED);
  }

  @Test
  void isDeletedWhenItsParentHasEnded() throws SQLException {
    UUID parent = family.placeParent();
    UUID child = family.child(parent, "deliver");
    family.reply(child, done("tell-driver"));
    assertThat(deleteEnded()).as("while its parent may look for it").isEmpty();

    family.fireDue("parent");
    family.reply(parent, done("tell-bob"));

    assertThat(deleteEnded()).containsExactlyInAnyOrder(parent, child);
    assertThat(SagaDatabase.count("SELECT count(*) FROM saga_child")).isZero();
  }

  private static List<UUID> deleteEnded() throws SQLException {
    return SagaDatabase.inTransaction(
        tx -> {
          List<UUID> ended =
              EndedSagas.lock(tx, EndedSagas.FIRST, Duration.ZERO, 10).stream()
                  .map(EndedSagas.Ended::id)
                  .toList();
          EndedSagas.delete(tx, ended, Duration.ofDays(1));
          return ended;
        });
  }

  @Test
  void mayEndInTheTransactionThatStartsItAndStartOthersItself() throws SQLException {
    Family three = new Family(SagaDatabase.source(), new Top(), new Middle(), new Leaf());
    UUID top = three.place("top", UUID.randomUUID());
    UUID middle = three.child(top, "middle");
    assertThat(three.view(three.child(middle, "leaf")).status()).isEqualTo(SagaStatus.COMPLETED);

    three.fireDue("middle");
    assertThat(three.view(middle).status()).isEqualTo(SagaStatus.COMPLETED);
    three.fireDue("top");

    assertThat(three.view(top).status()).isEqualTo(SagaStatus.COMPLETED);
  }

  @Test
  void nothingIsStartedWhereItsSubjectHasSuchASaga() throws SQLException {
    UUID order = UUID.randomUUID();
    family.place("child", Family.delivery(Family.order(order)).id());

    assertThatThrownBy(() -> family.place("parent", order)).isInstanceOf(SQLException.class);

    assertThat(SagaDatabase.count("SELECT count(*) FROM saga_instance")).isEqualTo(1);
    assertThat(SagaDatabase.count("SELECT count(*) FROM saga_child")).isZero();
  }

  private static final class Top implements Saga<PlaceOrder> {

    @Override
    public SagaDefinition<PlaceOrder> definition() {
      return saga(
          "top",
          1,
          pivot("confirm").run(Family::confirmed),
          start("middle", Middle.class, Family::delivery).otherwise());
    }
  }

  private static final class Middle implements Saga<PlaceOrder> {

    @Override
    public SagaDefinition<PlaceOrder> definition() {
      return saga(
          "middle",
          1,
          pivot("confirm").run(Family::confirmed),
          start("leaf", Leaf.class, Family::delivery).otherwise());
    }
  }

  private static final class Leaf implements Saga<PlaceOrder> {

    @Override
    public SagaDefinition<PlaceOrder> definition() {
      return saga("leaf", 1, pivot("confirm").run(Family::confirmed));
    }
  }
}

package io.onceflow.saga.internal.store;

import static io.onceflow.saga.SagaDefinition.await;
import static io.onceflow.saga.SagaDefinition.choice;
import static io.onceflow.saga.SagaDefinition.saga;
import static io.onceflow.saga.SagaDefinition.step;
import static java.time.Duration.ofDays;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.core.IdempotencyKey;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.Saga;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.Sagas;
import io.onceflow.saga.Sagas.SagaStart;
import io.onceflow.saga.Sagas.SignalOutcome;
import io.onceflow.saga.Step;
import io.onceflow.saga.Step.OutgoingCommand;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.runtime.TestRuntime;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A process that dies while its saga waits, keeps an event, is told of another and chooses: at each
 * statement of these transactions, at their commits, and right after them. Who reports the events
 * does so again.
 */
@Timeout(value = 120, unit = SECONDS)
class SignalCrashTest {

  private static final SagaDefinition<PlaceOrder> DEFINITION =
      saga(
          "place-order",
          1,
          await("paid").within(ofDays(1)),
          await("signed").within(ofDays(2)).on(Signed.class, SignalCrashTest::signed),
          choice("way")
              .when("by-ada", SignalCrashTest::isByAda, tell("ada"))
              .otherwise(tell("others")));

  private final MortalDatabase database = new MortalDatabase(SagaDatabase.source());
  private final UnitOfWork unitOfWork = CountedShop.unitOfWork(database.source());
  private final TestRuntime runtime = new TestRuntime(new ObjectMapper(), "shop", Map.of());
  private final SagaRunners runners =
      runtime.runners(List.of(new Waiting()), List.of(new TestOrders()), unitOfWork);
  private final Sagas sagas = runtime.sagas(runners, unitOfWork);

  private record Signed(String by) {}

  private static final class Waiting implements Saga<PlaceOrder> {

    @Override
    public SagaDefinition<PlaceOrder> definition() {
      return DEFINITION;
    }
  }

  private static PlaceOrder signed(PlaceOrder order, Signed event) {
    List<String> all = Stream.concat(order.noted().stream(), Stream.of(event.by())).toList();
    return new PlaceOrder(order.id(), all, order.confirmed(), null);
  }

  private static boolean isByAda(PlaceOrder order) {
    return order.noted().contains("ada");
  }

  private static Step.Send<PlaceOrder> tell(String name) {
    return step("tell-" + name)
        .send((PlaceOrder order) -> new OutgoingCommand("Tell", "mail.tell", order.id()));
  }

  @BeforeEach
  void emptyDatabase() {
    SagaDatabase.makeAnew("classpath:db/onceflow/outbox");
  }

  @Test
  void eachEventCountsOnceWhereverItsProcessDies() throws SQLException {
    int deaths = 0;
    for (int moment = 1; ; moment++) {
      UUID order = start();

      boolean diesEarly = tell(order, "signed", new Signed("ada"), moment, SignalOutcome.KEPT);
      boolean diesLate = tell(order, "paid", null, moment, SignalOutcome.TAKEN);

      expectToldAdaOnce(order);
      if (!diesEarly && !diesLate) {
        break;
      }
      deaths += (diesEarly ? 1 : 0) + (diesLate ? 1 : 0);
    }
    assertThat(deaths).as("it dies at each of some statements").isGreaterThan(8);
  }

  private UUID start() throws SQLException {
    UUID order = UUID.randomUUID();
    SagaStart<PlaceOrder> start =
        new SagaStart<>(
            new PlaceOrder(order, List.of(), false, null),
            "ada",
            new IdempotencyKey("key-" + order),
            null);
    unitOfWork.call(tx -> sagas.start(tx, Waiting.class, List.of(start)));
    return order;
  }

  /** Whether the process dies at this moment of the transaction. */
  private boolean tell(
      UUID order, String event, @Nullable Record payload, int moment, SignalOutcome expected)
      throws SQLException {
    database.dieAt(moment);
    Optional<SignalOutcome> outcome;
    try {
      outcome = tell(order, event, payload);
    } catch (SQLException dead) {
      outcome = Optional.empty();
    }
    MortalDatabase.Death death = database.revive();
    switch (death) {
      case NONE -> assertThat(outcome).hasValue(expected);
      case BEFORE_COMMIT -> assertThat(tell(order, event, payload)).hasValue(expected);
      case AFTER_COMMIT -> assertThat(tell(order, event, payload)).hasValue(SignalOutcome.REPEATED);
    }
    return death != MortalDatabase.Death.NONE;
  }

  private Optional<SignalOutcome> tell(UUID order, String event, @Nullable Record payload)
      throws SQLException {
    return unitOfWork.call(
        tx -> sagas.signal(tx, Waiting.class, order, event, payload, "key of " + event));
  }

  private void expectToldAdaOnce(UUID order) throws SQLException {
    SagaView saga = unitOfWork.call(tx -> sagas.about(tx, Waiting.class, order)).orElseThrow();
    assertThat(saga.steps())
        .extracting(SagaView.Step::status)
        .containsExactly(
            StepStatus.SUCCEEDED,
            StepStatus.SUCCEEDED,
            StepStatus.SUCCEEDED,
            StepStatus.WAITING,
            StepStatus.SKIPPED);
    assertThat(saga.history())
        .extracting(SagaView.Entry::event)
        .containsExactly(
            "saga-started",
            "wait-started",
            "signal-kept",
            "succeeded",
            "succeeded",
            "branch-taken",
            "command-sent");
    String noted = "SELECT array_to_string(noted, ',') FROM test_order WHERE id = '%s'";
    assertThat(SagaDatabase.text(noted.formatted(order))).isEqualTo("ada");
    String sent = "SELECT count(*) FROM outbox_message WHERE aggregateid = '%s'";
    assertThat(SagaDatabase.count(sent.formatted(order))).isEqualTo(1);
  }
}

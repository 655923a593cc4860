package io.onceflow.saga.internal.store;

import static io.onceflow.saga.PlaceOrder.done;
import static io.onceflow.saga.PlaceOrder.refused;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.SagaView;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A process that dies while a saga starts another one, while that one ends, while the first is
 * told, and while it has it undone: at each statement of these transactions, at their commits, and
 * right after them. The request, the participant's answer and the timer come again.
 */
@Timeout(value = 240, unit = SECONDS)
class ChildCrashTest {

  private final MortalDatabase database = new MortalDatabase(SagaDatabase.source());
  private final Family family = new Family(database.source());
  private int deaths;

  @BeforeEach
  void emptyDatabase() {
    SagaDatabase.makeAnew("classpath:db/onceflow/outbox");
  }

  @Test
  void theChildIsStartedOnceAndItsEndCountsOnceWhereverTheProcessDies() throws SQLException {
    int before;
    int moment = 1;
    do {
      before = deaths;
      livesAndDies(moment++);
    } while (deaths > before);
    assertThat(deaths).as("it dies at each of some statements").isGreaterThan(20);
  }

  private void livesAndDies(int moment) throws SQLException {
    UUID order = UUID.randomUUID();
    dying(moment, () -> family.place("parent", order));
    UUID parent = Family.about("parent", order);
    UUID child = family.child(parent, "deliver");
    assertThat(Family.about("child", Family.delivery(Family.order(order)).id())).isEqualTo(child);
    assertThat(family.view(child).parent()).isEqualTo(parent);
    assertThat(Family.sent(child, "tell-driver")).isEqualTo(1);

    dying(moment, () -> family.reply(child, done("tell-driver")));
    dying(moment, () -> family.fireDue("parent"));

    assertThat(family.stepOf(parent, "deliver").status()).isEqualTo(StepStatus.SUCCEEDED);
    assertThat(family.view(parent).history())
        .extracting(SagaView.Entry::event)
        .containsExactly(
            "saga-started", "pivot-passed", "wait-started", "succeeded", "command-sent");
    assertThat(Family.sent(parent, "tell-bob")).isEqualTo(1);
  }

  @Test
  void theChildIsUndoneOnceWhereverTheProcessDies() throws SQLException {
    int before;
    int moment = 1;
    do {
      before = deaths;
      undoesAndDies(moment++);
    } while (deaths > before);
    assertThat(deaths).as("it dies at each of some statements").isGreaterThan(20);
  }

  private void undoesAndDies(int moment) throws SQLException {
    UUID parent = family.placeCareful(UUID.randomUUID());
    UUID child = family.child(parent, "pack");
    family.reply(child, done("tell-driver"));
    dying(moment, () -> family.reply(child, done("tell-porter")));
    dying(moment, () -> family.fireDue("careful"));

    dying(moment, () -> family.reply(parent, refused("ask-bob")));
    dying(moment, () -> family.fireDue("packing"));
    dying(moment, () -> family.reply(child, done("calm-porter")));
    dying(moment, () -> family.reply(child, done("calm-driver")));
    dying(moment, () -> family.fireDue("careful"));
    dying(moment, () -> family.reply(parent, done("calm-ada")));

    assertThat(events(child))
        .containsExactly(
            "saga-started",
            "command-sent",
            "succeeded",
            "command-sent",
            "succeeded",
            "saga-completed",
            "cancel-requested",
            "compensation-sent",
            "compensated",
            "compensation-sent",
            "compensated",
            "saga-compensated");
    assertThat(events(parent))
        .containsSubsequence(
            "refused",
            "compensation-sent",
            "compensated",
            "compensation-sent",
            "compensated",
            "saga-compensated");
    for (String undo : List.of("calm-porter", "calm-driver")) {
      assertThat(Family.sent(child, undo)).as(undo).isEqualTo(1);
    }
    assertThat(Family.sent(parent, "calm-ada")).isEqualTo(1);
  }

  private List<String> events(UUID saga) throws SQLException {
    return family.view(saga).history().stream().map(SagaView.Entry::event).toList();
  }

  private void dying(int moment, MortalDatabase.Work work) throws SQLException {
    deaths += database.kills(moment, work) ? 1 : 0;
  }
}

package io.onceflow.saga.internal.store;

import static io.onceflow.saga.PlaceOrder.done;
import static io.onceflow.saga.PlaceOrder.refused;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.saga.Saga.SagaStatus;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.SagaView;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A process that dies while a saga starts others for its items, two at a time, while these end,
 * while it is told, and while it has them undone for one that was compensated: at each statement of
 * these transactions, at their commits, and right after them. Requests, answers and timers come
 * again.
 */
@Timeout(value = 240, unit = SECONDS)
class ChildItemsCrashTest {

  private final MortalDatabase database = new MortalDatabase(SagaDatabase.source());
  private final Family family =
      new Family(database.source(), new ChildItemsTest.Convoy(), new Family.Packing());
  private int deaths;

  @BeforeEach
  void emptyDatabase() {
    SagaDatabase.makeAnew("classpath:db/onceflow/outbox", "classpath:db/onceflow/inbox");
  }

  @Test
  void eachItemsSagaIsStartedOnceAndUndoneOnceWhereverTheProcessDies() throws SQLException {
    int before;
    int moment = 1;
    do {
      before = deaths;
      startsAndUndoes(moment++);
    } while (deaths > before);
    assertThat(deaths).as("it dies at each of some statements").isGreaterThan(50);
  }

  private void startsAndUndoes(int moment) throws SQLException {
    UUID order = UUID.randomUUID();
    dying(moment, () -> family.place("convoy", order));
    UUID parent = Family.about("convoy", order);
    UUID north = family.child(parent, "pack/north");
    UUID south = family.child(parent, "pack/south");

    dying(moment, () -> family.reply(north, done("tell-driver")));
    dying(moment, () -> family.reply(north, done("tell-porter")));
    dying(moment, () -> family.fireDue("convoy"));
    UUID west = family.child(parent, "pack/west");

    dying(moment, () -> family.reply(south, refused("tell-driver")));
    dying(moment, () -> family.fireDue("convoy"));
    dying(moment, () -> family.fireDue("packing"));
    dying(moment, () -> family.reply(west, refused("tell-driver")));
    dying(moment, () -> family.reply(north, done("calm-porter")));
    dying(moment, () -> family.reply(north, done("calm-driver")));
    dying(moment, () -> family.fireDue("convoy"));

    expectUndone(parent, Map.of("north", north, "south", south, "west", west));
    assertThat(Family.sent(north, "tell-porter")).isEqualTo(1);
    for (String undo : List.of("calm-porter", "calm-driver")) {
      assertThat(Family.sent(north, undo)).as(undo).isEqualTo(1);
    }
  }

  private void expectUndone(UUID parent, Map<String, UUID> children) throws SQLException {
    assertThat(family.view(parent).status()).isEqualTo(SagaStatus.COMPENSATED);
    List<String> events =
        family.view(parent).history().stream().map(SagaView.Entry::event).toList();
    assertThat(Collections.frequency(events, "wait-started")).isEqualTo(3);
    assertThat(Collections.frequency(events, "saga-compensated")).isEqualTo(1);
    assertThat(
            SagaDatabase.count(
                "SELECT count(*) FROM saga_child WHERE parent_id = '%s'".formatted(parent)))
        .isEqualTo(3);
    for (Map.Entry<String, UUID> child : children.entrySet()) {
      String item = child.getKey();
      assertThat(family.view(child.getValue()).status()).as(item).isEqualTo(SagaStatus.COMPENSATED);
      assertThat(Family.sent(child.getValue(), "tell-driver")).as(item).isEqualTo(1);
      assertThat(family.stepOf(parent, "pack/" + item).status())
          .as(item)
          .isEqualTo(item.equals("south") ? StepStatus.REFUSED : StepStatus.COMPENSATED);
    }
  }

  private void dying(int moment, MortalDatabase.Work work) throws SQLException {
    deaths += database.kills(moment, work) ? 1 : 0;
  }
}

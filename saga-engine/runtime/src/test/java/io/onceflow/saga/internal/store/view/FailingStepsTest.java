package io.onceflow.saga.internal.store.view;

import static io.onceflow.saga.PlaceOrder.paymentProcessed;
import static io.onceflow.saga.PlaceOrder.refused;
import static io.onceflow.saga.PlaceOrder.shipmentRejected;
import static io.onceflow.saga.internal.store.view.Wanted.any;
import static io.onceflow.saga.internal.store.view.Wanted.found;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.onceflow.saga.PlaceOrder;
import io.onceflow.saga.internal.store.SagaDatabase;
import io.onceflow.saga.internal.store.Shop;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sagas that do not move on, by what they fail of. */
@Timeout(value = 60, unit = SECONDS)
class FailingStepsTest {

  private final Shop shop = new Shop(PlaceOrder.DEFINITION);

  @BeforeEach
  void emptyDatabase() {
    SagaDatabase.makeAnew();
  }

  /** Before: each had to be opened to see what it fails of. */
  @Test
  void theyAreGroupedByStepDirectionAndErrorTheLargestGroupFirst() throws SQLException {
    shop.place(2);
    paying(2);
    refunding("CLOSED 4711");
    refunding("CLOSED 4712");
    refunding("CLOSED 4713");
    quarantined("IllegalStateException at SagaProcessor.moving:197");

    assertThat(groups())
        .extracting(
            FailureGroup::step,
            FailureGroup::direction,
            FailureGroup::kind,
            FailureGroup::error,
            FailureGroup::count)
        .containsExactly(
            tuple("process-payment", "backward", "refused", "Refused: CLOSED *", 3),
            tuple("process-payment", "forward", "no-answer", null, 2),
            tuple(
                "process-payment",
                "forward",
                "quarantined",
                "IllegalStateException at SagaProcessor.moving:*",
                1));
  }

  /** The list behind a number, and a repair, are of exactly its sagas. */
  @Test
  void aGroupIsFoundByItsFingerprint() throws SQLException {
    shop.place(2);
    List<UUID> paying = paying(2);
    UUID refunding = refunding("CLOSED");

    List<FailureGroup> groups = groups();

    assertThat(groups).hasSize(2);
    assertThat(found(any().with("failure", groups.getFirst().fingerprint())))
        .containsExactlyInAnyOrderElementsOf(paying);
    assertThat(found(any().with("failure", groups.getLast().fingerprint())))
        .containsExactly(refunding);
    assertThat(Wanted.count(any().with("failure", groups.getFirst().fingerprint()))).isEqualTo(2);
    assertThat(groups.getLast().samples()).containsExactly(refunding);
  }

  @Test
  void sinceIsWhenTheMessageWasSentFirst() throws SQLException {
    Instant before = Instant.now().minusSeconds(1);
    List<UUID> paying = paying(2);
    Instant hourAgo = before.minusSeconds(3600);
    set(
        paying.getFirst(),
        "steps = replace(steps::text, '\"attempts\":2', '\"attempts\":2,\"firstSentAt\":\"%s\"')::json"
            .formatted(hourAgo));

    FailureGroup group = groups().getFirst();

    assertThat(group.firstAt()).isBetween(hourAgo.minusMillis(1), hourAgo.plusMillis(1));
    assertThat(group.lastAt()).isAfter(before);
  }

  @Test
  void thoseOnHoldAreNotAmongThem() throws SQLException {
    set(paying(1).getFirst(), "hold = '{\"since\": \"2026-01-01T00:00:00Z\", \"by\": \"olga\"}'");

    assertThat(groups()).isEmpty();
  }

  /** Before: it counted as not answered once it had looked twice for the end of its child. */
  @Test
  void thoseThatWaitForASagaThatTheyStartedAreNotAmongThem() throws SQLException {
    String looked =
        """
        [{"name": "bill", "status": "AWAITING", "dueAt": "2026-01-01T00:05:00Z",
          "outcome": "0199c3a4-6020-7d11-8c44-52a1b0c9d302", "attempts": 3,
          "firstSentAt": "2026-01-01T00:00:00Z", "sentAt": "2026-01-01T00:01:00Z"}]
        """;
    UUID saga = shop.placeOne();
    set(saga, "steps = '%s'".formatted(looked));
    assertThat(groups()).isEmpty();

    String sent = looked.replace("\"attempts\"", "\"command\": {}, \"attempts\"");
    set(saga, "steps = '%s'".formatted(sent));
    assertThat(groups()).extracting(FailureGroup::step).containsExactly("bill");
  }

  /** Those in quarantine and stuck ones come first: their timers are the latest. */
  @Test
  void whereThereAreMoreThanAreLookedAtItSaysSo() throws SQLException {
    shop.place(5);
    quarantined("IllegalStateException at SagaProcessor.moving:197");
    OpenTimers timers = new OpenTimers(SagaDatabase.source(), List.of("place-order"));

    FailureGroups some = SagaDatabase.inTransaction(tx -> FailingSteps.groups(tx, timers, 2));
    FailureGroups all = SagaDatabase.inTransaction(tx -> FailingSteps.groups(tx, timers, 7));

    assertThat(some.complete()).isFalse();
    assertThat(some.groups()).extracting(FailureGroup::count).containsExactly(1);
    assertThat(all.complete()).isTrue();
  }

  /** Before: the journal of each was read, which took seconds where thousands were stuck. */
  @Test
  void noJournalIsRead() throws SQLException {
    refunding("CLOSED");
    SagaDatabase.execute("ALTER TABLE saga_journal RENAME TO saga_journal_elsewhere");
    try {
      assertThat(groups()).hasSize(1);
    } finally {
      SagaDatabase.execute("ALTER TABLE saga_journal_elsewhere RENAME TO saga_journal");
    }
  }

  /** Their message was sent twice. */
  private List<UUID> paying(int count) throws SQLException {
    List<UUID> sagas = shop.place(count);
    for (UUID saga : sagas) {
      set(
          saga,
          "steps = replace(replace(steps::text, '\"attempts\":1', '\"attempts\":2'), '\"attempts\": 1', '\"attempts\":2')::json");
    }
    return sagas;
  }

  private UUID refunding(String refusal) throws SQLException {
    UUID saga = shop.placeOne();
    shop.deliver(saga, paymentProcessed(), shipmentRejected());
    shop.deliver(saga, refused("refund-payment", "Refused", refusal));
    set(saga, "status = 'STUCK'");
    return saga;
  }

  private void quarantined(String reason) throws SQLException {
    set(
        shop.placeOne(),
        "next_action_at = 'infinity', quarantined_at = now(), quarantine_reason = '%s'"
            .formatted(reason));
  }

  private static List<FailureGroup> groups() throws SQLException {
    OpenTimers timers = new OpenTimers(SagaDatabase.source(), List.of("place-order"));
    return SagaDatabase.inTransaction(tx -> FailingSteps.groups(tx, timers)).groups();
  }

  private static void set(UUID saga, String change) throws SQLException {
    SagaDatabase.execute("UPDATE saga_instance SET %s WHERE id = '%s'".formatted(change, saga));
  }
}

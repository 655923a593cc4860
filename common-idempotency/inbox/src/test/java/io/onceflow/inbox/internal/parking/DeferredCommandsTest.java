package io.onceflow.inbox.internal.parking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.inbox.Fixture;
import io.onceflow.inbox.Handlers;
import io.onceflow.inbox.Saga;
import io.onceflow.inbox.TestConfig;
import io.onceflow.inbox.internal.participant.Participant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A command that an older replica does not know is taken by a newer one beside it. */
@Timeout(60)
class DeferredCommandsTest {

  private final Fixture fixture = new Fixture();
  private final Participant newer = fixture.participant();
  private final Participant older =
      fixture.participant(
          TestConfig.inbox(), Saga.PAYMENTS.source(), Handlers.undoing(fixture.world));
  private final Saga saga = new Saga();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void areTakenByAReplicaThatKnowsThem() throws Exception {
    older.settle(List.of(saga.take()));
    FailedMessages ofOlder = failed(older);
    for (int turn = 0; turn < 10; turn++) {
      ofOlder.tryAgain();
    }
    assertThat(attempts()).as("the older replica leaves it alone").isEqualTo(1);

    await()
        .untilAsserted(
            () -> {
              failed(newer).tryAgain();
              assertThat(saga.replies()).containsExactly("MoneyTaken");
            });

    assertThat(saga.parkedFor()).isEmpty();
  }

  /** Its saga sends it again and again while there is no answer. */
  @Test
  void areStoredOnce() throws Exception {
    older.settle(List.of(saga.take(), saga.take()));
    older.settle(List.of(saga.take()));
    assertThat(saga.parkedFor()).containsExactly("unknown-type");
    older.settle(List.of(saga.take(43)));
    assertThat(saga.parkedFor()).as("another payload is another message").hasSize(2);
  }

  @Test
  void stayParkedAfterADay() throws Exception {
    older.settle(List.of(saga.take()));
    Saga.PAYMENTS.update(
        """
        UPDATE parked_message
        SET    parked_at = parked_at - interval '1 day',
               next_attempt_at = next_attempt_at - interval '1 day'
        WHERE  correlation_id = ?
        """,
        saga.correlationId);

    await()
        .untilAsserted(
            () -> {
              failed(older).tryAgain();
              assertThat(waiting()).isZero();
            });

    assertThat(saga.parkedFor()).containsExactly("unknown-type");
  }

  private FailedMessages failed(Participant participant) {
    ParkedMessages parked =
        new ParkedMessages(Saga.PAYMENTS.source(), Fixture.JSON, fixture.metrics);
    return new FailedMessages(participant, parked, TestConfig.inbox());
  }

  private long attempts() {
    return Saga.PAYMENTS.number(
        "SELECT attempts FROM parked_message WHERE correlation_id = ?", saga.correlationId);
  }

  private long waiting() {
    return Saga.PAYMENTS.number(
        "SELECT count(*) FROM parked_message WHERE correlation_id = ? AND next_attempt_at IS NOT"
            + " NULL",
        saga.correlationId);
  }
}

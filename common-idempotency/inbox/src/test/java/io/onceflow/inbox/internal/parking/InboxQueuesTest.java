package io.onceflow.inbox.internal.parking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.Redriver;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An application that consumes commands and replies has what is parked of both in one table. */
class InboxQueuesTest {

  private final InboxQueues queues = new InboxQueues();
  private final Taker commands = new Taker();
  private final Taker replies = new Taker();

  @Test
  void redrivesWhatIsParkedByWhatConsumesItsQueue() throws SQLException {
    queues.register("trips.commands", commands);
    queues.register("trips.replies", replies);

    assertThat(queues.redrive(from("trips.replies"))).isTrue();
    assertThat(queues.redrive(from("trips.commands"))).isTrue();

    assertThat(replies.taken).containsExactly("trips.replies");
    assertThat(commands.taken).containsExactly("trips.commands");
  }

  /** As after the application was renamed. */
  @Test
  void redrivesUnderAnyNameWhereThereIsOneQueue() throws SQLException {
    queues.register("trips.commands", commands);

    assertThat(queues.redrive(from("travel.commands"))).isTrue();
    assertThat(commands.taken).containsExactly("travel.commands");
  }

  @Test
  void leavesParkedWhatNothingConsumes() {
    queues.register("trips.commands", commands);
    queues.register("trips.replies", replies);

    assertThatThrownBy(() -> queues.redrive(from("hotels.commands")))
        .isInstanceOf(UnprocessableMessage.class);
    assertThat(commands.taken).isEmpty();
    assertThat(replies.taken).isEmpty();
  }

  @Test
  void saysThatNothingWasParked() throws SQLException {
    queues.register("trips.commands", commands);
    queues.register("trips.replies", replies);

    assertThat(queues.redrive(parked("trips.replies", null))).isFalse();
  }

  private static Redriver.Parked from(String queue) {
    return parked(
        queue,
        new Delivery(
            queue, "1", "ReserveFlight", null, null, Map.of(), new byte[] {'{', '}'}, () -> {}));
  }

  private static Redriver.Parked parked(String queue, @Nullable Delivery message) {
    return new Redriver.Parked() {
      @Override
      public String queue() {
        return queue;
      }

      @Override
      public Optional<Delivery> take(Transaction tx) {
        return Optional.ofNullable(message);
      }
    };
  }

  /** Keeps what it takes. */
  private static final class Taker implements Redriver {

    private final List<String> taken = new ArrayList<>();

    @Override
    public boolean redrive(Parked parked) throws SQLException {
      Optional<Delivery> message = parked.take(null);
      message.ifPresent(delivery -> taken.add(delivery.queue()));
      return message.isPresent();
    }
  }
}

package io.onceflow.inbox.internal.parking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.inbox.internal.consumer.BatchSettler;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An application that consumes commands and replies has what is parked of both in one table. */
class InboxQueuesTest {

  private final InboxQueues queues = new InboxQueues();
  private final Settler commands = new Settler();
  private final Settler replies = new Settler();

  @Test
  void redrivesWhatIsParkedByWhatConsumesItsQueue() throws SQLException {
    queues.register("trips.commands", commands);
    queues.register("trips.replies", replies);

    assertThat(queues.redrive(tx -> Optional.of(from("trips.replies")))).isTrue();
    assertThat(queues.redrive(tx -> Optional.of(from("trips.commands")))).isTrue();

    assertThat(replies.settled).containsExactly("trips.replies");
    assertThat(commands.settled).containsExactly("trips.commands");
  }

  @Test
  void settlesAndParksByTheQueue() throws SQLException {
    queues.register("trips.commands", commands);
    queues.register("trips.replies", replies);

    queues.settle(List.of(from("trips.replies"), from("trips.commands"), from("trips.replies")));
    queues.park(
        from("trips.commands"), new UnprocessableMessage(ParkingReason.MALFORMED, "it is not"));

    assertThat(replies.settled).containsExactly("trips.replies", "trips.replies");
    assertThat(commands.settled).containsExactly("trips.commands", "parked");
  }

  /** As after the application was renamed. */
  @Test
  void redrivesUnderAnyNameWhereThereIsOneQueue() throws SQLException {
    queues.register("trips.commands", commands);

    assertThat(queues.redrive(tx -> Optional.of(from("travel.commands")))).isTrue();
    assertThat(commands.settled).containsExactly("travel.commands");
  }

  @Test
  void leavesParkedWhatNothingConsumes() {
    queues.register("trips.commands", commands);
    queues.register("trips.replies", replies);

    assertThatThrownBy(() -> queues.redrive(tx -> Optional.of(from("hotels.commands"))))
        .isInstanceOf(UnprocessableMessage.class);
    assertThat(commands.settled).isEmpty();
    assertThat(replies.settled).isEmpty();
  }

  @Test
  void saysThatNothingWasParked() throws SQLException {
    queues.register("trips.commands", commands);
    queues.register("trips.replies", replies);

    assertThat(queues.redrive(tx -> Optional.empty())).isFalse();
  }

  private static Delivery from(String queue) {
    return new Delivery(
        queue, "1", "ReserveFlight", null, null, Map.of(), new byte[] {'{', '}'}, () -> {});
  }

  /** Keeps what it settles, if its transaction commits. */
  private static final class Settler implements BatchSettler {

    private final List<String> settled = new ArrayList<>();

    @Override
    public void settle(List<Delivery> batch) {
      batch.forEach(delivery -> settled.add(delivery.queue()));
    }

    @Override
    public void park(Delivery delivery, UnprocessableMessage why) {
      settled.add("parked");
    }

    @Override
    public boolean redrive(Parked parked) throws SQLException {
      Optional<Delivery> taken = parked.take(null);
      taken.ifPresent(delivery -> settled.add(delivery.queue()));
      return taken.isPresent();
    }
  }
}

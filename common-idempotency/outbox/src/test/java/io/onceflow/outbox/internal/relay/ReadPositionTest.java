package io.onceflow.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.outbox.OutboxMessage;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ReadPositionTest {

  private static final UUID START = new UUID(0, 0);

  private final ReadPosition position = new ReadPosition();

  @Test
  void goesOnBehindAFullBatchAndThenFromTheStart() {
    UUID last = OutboxMessage.newId();
    assertThat(position.next()).isEqualTo(START);
    assertThat(position.wasBehindOthers()).isFalse();

    position.goOnBehind(last);

    assertThat(position.next()).isEqualTo(last);
    assertThat(position.wasBehindOthers()).isTrue();
    assertThat(position.next()).as("after a batch that was not full, or failed").isEqualTo(START);
  }

  @Test
  void beginsAtTheStartNowAndThenHoweverMuchThereIs() {
    int batches = 0;
    UUID begin;
    do {
      position.goOnBehind(OutboxMessage.newId());
      begin = position.next();
      batches++;
    } while (!begin.equals(START) && batches < 1_000);

    assertThat(batches).isBetween(2, 100);
  }
}

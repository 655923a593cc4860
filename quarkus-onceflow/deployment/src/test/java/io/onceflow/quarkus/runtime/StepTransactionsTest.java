package io.onceflow.quarkus.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.message.Command;
import io.onceflow.message.Done;
import io.onceflow.participant.CallsOut;
import io.onceflow.participant.Handles;
import jakarta.transaction.Transactional;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** JTA for handlers that may write by themselves, and for no others. */
class StepTransactionsTest {

  @Command("seat.take")
  record TakeSeat(UUID tripId) {}

  @Done(TakeSeat.class)
  record SeatTaken(UUID tripId) {}

  record SeatRow(UUID id) {}

  static class GivenItsRows {
    @Handles
    void take(TakeSeat command, Optional<SeatRow> row) {}
  }

  static class CallingOut {
    @Handles
    @CallsOut
    void take(TakeSeat command) {}
  }

  static class WithoutRows {
    @Handles
    void take(TakeSeat command) {}
  }

  static class GivenAResult {
    @Handles
    void take(TakeSeat command, Optional<SeatTaken> result) {}
  }

  @Transactional
  static class InTransactions {
    @Handles
    void take(TakeSeat command, Optional<SeatRow> row) {}
  }

  static class Inheriting extends WithoutRows {}

  @Test
  void areJtaWhereAHandlerMayWriteByItself() {
    assertThat(StepTransactions.needJta(Stream.of(CallingOut.class, WithoutRows.class))).isTrue();
    assertThat(StepTransactions.needJta(Stream.of(GivenAResult.class))).isTrue();
    assertThat(StepTransactions.needJta(Stream.of(InTransactions.class))).isTrue();
    assertThat(StepTransactions.needJta(Stream.of(Inheriting.class))).isTrue();
  }

  @Test
  void areTheConnectionsWhereHandlersAreGivenTheirRowsOrCallOut() {
    assertThat(StepTransactions.needJta(Stream.of(GivenItsRows.class, CallingOut.class))).isFalse();
  }
}

package io.onceflow.quarkus.refused;

import io.onceflow.message.Command;
import io.onceflow.message.Done;
import io.onceflow.participant.Handles;
import io.onceflow.participant.Handles.FallbackReply;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A reply to another command is parked by the saga, a transaction of its own keeps what its step
 * has lost, and a fallback reply in another class is never asked for.
 */
@Tag("nightly")
class HandlerApartFromItsStepTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      Refused.with(
          List.of(
              "Tables.reserve handles ReserveTable and returns RoomReserved, which is a reply to"
                  + " ReserveRoom; return a reply to ReserveTable",
              "Tables.clear is annotated with @Transactional(REQUIRES_NEW); what it writes would"
                  + " not commit with its step, so remove that",
              "Fallbacks.full is annotated with @FallbackReply, but its class handles no command;"
                  + " move it to the class of the command's @Handles method"),
          HandlerApartFromItsStepTest.class);

  @Command("table.reserve")
  record ReserveTable(UUID tripId) {}

  @Command("table.clear")
  record ClearTable(UUID tripId) {}

  @Command("room.reserve")
  record ReserveRoom(UUID tripId) {}

  @Done(ReserveRoom.class)
  record RoomReserved(UUID tripId) {}

  @ApplicationScoped
  static class Tables {

    @Handles
    RoomReserved reserve(ReserveTable command) {
      return new RoomReserved(command.tripId());
    }

    @Handles
    @Transactional(TxType.REQUIRES_NEW)
    void clear(ClearTable command) {}
  }

  @ApplicationScoped
  static class Fallbacks {

    @FallbackReply
    RoomReserved full(ReserveTable command) {
      return new RoomReserved(command.tripId());
    }
  }

  @Test
  void failsTheBuild() {
    Refused.shouldNotHaveStarted();
  }
}

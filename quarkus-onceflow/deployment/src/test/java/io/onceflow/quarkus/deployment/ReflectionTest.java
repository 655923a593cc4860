package io.onceflow.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.inbox.internal.StepOutcome;
import io.onceflow.inbox.internal.consumer.InboundMessage;
import io.onceflow.message.Command;
import io.onceflow.message.Done;
import io.onceflow.message.Refused;
import io.quarkus.deployment.builditem.CombinedIndexBuildItem;
import io.quarkus.deployment.builditem.nativeimage.ReflectiveHierarchyBuildItem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jboss.jandex.DotName;
import org.jboss.jandex.Index;
import org.junit.jupiter.api.Test;

/** What native images can read from JSON. */
class ReflectionTest {

  record Passenger(String name) {}

  @Command("seat.reserve")
  record ReserveSeat(UUID seatId, List<Passenger> passengers) {}

  @Done(ReserveSeat.class)
  record SeatReserved(UUID seatId) {}

  @Refused(ReserveSeat.class)
  record SeatRefused(UUID seatId) {}

  /** Seen red: the types of their components were not registered. */
  @Test
  void isRegisteredWithTheTypesOfItsComponents() throws IOException {
    Index index =
        Index.of(Passenger.class, ReserveSeat.class, SeatReserved.class, SeatRefused.class);
    List<ReflectiveHierarchyBuildItem> registered = new ArrayList<>();

    new OnceflowProcessor()
        .registerHierarchies(new CombinedIndexBuildItem(index, index), registered::add);

    assertThat(registered)
        .extracting(it -> it.getType().name())
        .containsExactlyInAnyOrder(
            DotName.createSimple(ReserveSeat.class),
            DotName.createSimple(SeatReserved.class),
            DotName.createSimple(SeatRefused.class),
            DotName.createSimple(InboundMessage.class),
            DotName.createSimple(StepOutcome.class));
  }
}

package io.onceflow.messaging.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.messaging.settings.internal.RabbitClients;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OutgoingChannelsTest {

  private final OutgoingChannels outgoing =
      new OutgoingChannels(
          settings -> {
            throw new IllegalStateException("nothing is sent here");
          },
          new RabbitClients());

  /** The sender of a command chooses the routing key of its reply, each time another one. */
  @Test
  void routesThatAreManyAreForgotten() {
    OutgoingMessage first = reply("trips.0");
    outgoing.known(first);
    for (int i = 1; i < OutgoingChannels.MOST_ROUTES; i++) {
      outgoing.known(reply("trips." + i));
    }
    assertThat(outgoing.isKnown(first)).isTrue();
    OutgoingMessage another = reply("trips.another");

    outgoing.known(another);

    assertThat(outgoing.isKnown(another)).isTrue();
    assertThat(outgoing.isKnown(first)).isFalse();
  }

  private static OutgoingMessage reply(String routingKey) {
    OutboxMessage message =
        new OutboxMessage(
            OutboxMessage.newId(),
            "reply",
            "trip-1",
            "FlightReserved",
            "{}",
            OutboxMessage.REPLIES,
            routingKey,
            "saga-1",
            null,
            Map.of());
    return OutgoingMessage.each(List.of(message)).getFirst();
  }
}

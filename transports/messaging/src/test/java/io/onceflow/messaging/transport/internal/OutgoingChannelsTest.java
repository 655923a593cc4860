package io.onceflow.messaging.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import io.onceflow.messaging.settings.internal.RabbitClients;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.smallrye.mutiny.helpers.test.AssertSubscriber;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.junit.jupiter.api.Test;

class OutgoingChannelsTest {

  private final AssertSubscriber<Message<?>> connector = AssertSubscriber.create(Long.MAX_VALUE);
  private final RabbitClients clients = new RabbitClients();
  private final OutgoingChannels outgoing = new OutgoingChannels(settings -> connector, clients);

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

  /** It keeps what it is given until it has connected, and then what follows may overtake that. */
  @Test
  void theConnectorIsConnectedFromItsFirstAnswerToItsNextLoss() {
    outgoing.send(reply("trips"), new byte[0]);
    assertThat(outgoing.isConnected(OutboxMessage.REPLIES)).isFalse();

    connector.getItems().getFirst().ack();
    assertThat(outgoing.isConnected(OutboxMessage.REPLIES)).isTrue();
    assertThat(outgoing.isConnected(OutboxMessage.COMMANDS)).isFalse();

    clients.of(OutboxMessage.REPLIES + "-out").newChannel(channel());
    clients.of(OutboxMessage.REPLIES + "-out").newChannel(channel());
    assertThat(outgoing.isConnected(OutboxMessage.REPLIES)).isFalse();
  }

  /** One that never closes. */
  private static Channel channel() {
    return (Channel)
        Proxy.newProxyInstance(
            Channel.class.getClassLoader(),
            new Class<?>[] {Channel.class},
            (channel, method, arguments) -> null);
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

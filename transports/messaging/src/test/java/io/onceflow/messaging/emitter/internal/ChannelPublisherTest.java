package io.onceflow.messaging.emitter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.messaging.MessageAttributes;
import io.onceflow.messaging.MessageAttributesWriter;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.Publisher;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChannelPublisherTest {

  private static final int MOST = 10;

  private final ChannelPublisher publisher =
      new ChannelPublisher(new ConnectorOutlet("awards"), new ChannelMessages(new Choosy()), MOST);

  /** Such as an application's own, of a connector that does not know every header. */
  private static final class Choosy implements MessageAttributesWriter {
    @Override
    public String connector() {
      return "choosy";
    }

    @Override
    public Object write(MessageAttributes attributes) {
      if (attributes.headers().containsKey("x-unknown")) {
        throw new IllegalArgumentException("no header x-unknown");
      }
      return attributes;
    }
  }

  /** Thrown, it would keep the relay from all that lies in the outbox for the channel. */
  @Test
  void whatIsNoMessageOfTheConnectorIsRefusedByItself() throws Exception {
    OutboxMessage bad = message(Map.of("x-unknown", "1"));
    OutboxMessage next = message(Map.of());

    Publisher.Published published = publisher.publish(List.of(bad, next), Duration.ofSeconds(1));

    assertThat(published.refused()).containsKeys(bad.id(), next.id());
    assertThat(published.refused().get(bad.id()))
        .contains("awards")
        .contains("no header x-unknown");
    assertThat(published.refused().get(next.id())).doesNotContain("x-unknown");
  }

  private static OutboxMessage message(Map<String, String> headers) {
    return new OutboxMessage(
        OutboxMessage.newId(),
        "channel:awards",
        OutboxMessage.newId().toString(),
        "Award",
        "{}",
        OutboxMessage.CHANNELS,
        "awards",
        null,
        null,
        headers);
  }
}

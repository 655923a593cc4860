package io.onceflow.rabbitmq.internal;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.BundlePolicy;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.outbox.internal.transport.PublishResults;
import io.onceflow.outbox.internal.transport.TransportPublisher;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jboss.logging.Logger;

/** Publishes to RabbitMQ: persistent, mandatory (but for events), packed, confirms pipelined. */
final class RabbitPublisher extends TransportPublisher {

  private static final Logger LOG = Logger.getLogger(RabbitPublisher.class);

  RabbitPublisher(BrokerConnection broker, BundlePolicy bundling) {
    super(broker, bundling);
  }

  /**
   * All together; but a pack that the broker does not take is sent again as its messages, and when
   * one of them makes the broker close the channel, or cannot be written at all, the ones in doubt
   * are sent each alone, so that it holds up no other message.
   */
  @Override
  public Published publish(List<OutboxMessage> messages, Duration deadline)
      throws IOException, InterruptedException {
    long giveUpAt = System.nanoTime() + deadline.toNanos();
    PublishResults results = new PublishResults();
    List<OutgoingMessage> batch = OutgoingMessage.pack(messages, bundling);
    Exception spoiledBy = attempt(batch, giveUpAt, results);
    if (spoiledBy == null) {
      spoiledBy = unpack(batch, giveUpAt, results, id -> Confirms.isOfPack(results.refusal(id)));
    }
    if (spoiledBy != null) {
      LOG.debugf(spoiledBy, "a batch of %s was spoiled", messages.size());
      eachAlone(messages, giveUpAt, results);
    }
    return results.published();
  }

  private void eachAlone(List<OutboxMessage> messages, long giveUpAt, PublishResults results)
      throws IOException, InterruptedException {
    for (OutboxMessage message : messages) {
      if (!results.isKnown(message.id()) && System.nanoTime() < giveUpAt) {
        Exception spoiledBy = attempt(OutgoingMessage.each(List.of(message)), giveUpAt, results);
        if (spoiledBy != null && !results.isConfirmed(message.id())) {
          results.refuse(message.id(), spoiledBy.toString());
        }
      }
    }
  }
}

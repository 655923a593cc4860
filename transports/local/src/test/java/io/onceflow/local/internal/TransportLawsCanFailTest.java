package io.onceflow.local.internal;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.inbox.internal.consumer.BatchSettler;
import io.onceflow.inbox.internal.consumer.MessageSource;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.BundlePolicy;
import io.onceflow.outbox.internal.transport.MessageChannel;
import io.onceflow.outbox.internal.transport.MessageTransport;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.outbox.internal.transport.Publisher;
import io.onceflow.outbox.internal.transport.Publisher.Published;
import io.onceflow.outbox.internal.transport.TransportPublisher;
import io.onceflow.test.transports.TransportLaws;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A law that no transport can break is none: each of these is broken in one way. */
@Timeout(120)
@Tag("nightly")
class TransportLawsCanFailTest {

  private final LocalTransport local = new LocalTransport();

  @Test
  void aTransportThatConfirmsWhatNoQueueTakesIsFoundOut() {
    assertBreaks(
        TransportLaws::aCommandThatNoQueueTakesIsRefusedAndCostsNoOther,
        (publisher, messages, deadline) -> {
          publisher.publish(messages, deadline);
          return confirmed(messages);
        });
  }

  @Test
  void aTransportThatConfirmsWhatIsNotSettledYetIsFoundOut() {
    assertBreaks(
        TransportLaws::whatIsNotSettledComesAgain,
        (publisher, messages, deadline) -> {
          publisher.publish(messages, Duration.ZERO);
          return confirmed(messages);
        });
  }

  @Test
  void aTransportThatLosesHeadersIsFoundOut() {
    assertBreaks(
        TransportLaws::everyPropertyArrivesAsItWasSent,
        (publisher, messages, deadline) ->
            publisher.publish(
                messages.stream().map(TransportLawsCanFailTest::withoutHeaders).toList(),
                deadline));
  }

  @Test
  void aTransportThatChangesTheOrderIsFoundOut() {
    assertBreaks(
        TransportLaws::whatIsConfirmedIsReceived,
        (publisher, messages, deadline) -> publisher.publish(messages.reversed(), deadline));
  }

  @Test
  void aTransportThatSendsWhatItHasConfirmedAgainIsFoundOut() {
    assertBreaks(
        TransportLaws::whatIsConfirmedIsReceived,
        (publisher, messages, deadline) -> {
          publisher.publish(messages, deadline);
          return publisher.publish(messages, deadline);
        });
  }

  @Test
  void aSourceThatTakesMessagesAfterItWasCancelledIsFoundOut() {
    assertBreaks(TransportLaws::aCancelledReceiverTakesNoMore, local, new NeverCancelled(local));
  }

  private static Published confirmed(List<OutboxMessage> messages) {
    return new Published(
        messages.stream().map(OutboxMessage::id).collect(Collectors.toSet()), Map.of());
  }

  private static OutboxMessage withoutHeaders(OutboxMessage message) {
    return new OutboxMessage(
        message.id(),
        message.aggregateType(),
        message.aggregateId(),
        message.type(),
        message.payload(),
        message.exchange(),
        message.routingKey(),
        message.correlationId(),
        message.replyTo(),
        Map.of());
  }

  private interface Law {
    void holdsFor(TransportLaws laws) throws Exception;
  }

  private void assertBreaks(Law law, Fault fault) {
    assertBreaks(law, new Faulty(local, fault), local);
  }

  private void assertBreaks(Law law, MessageTransport transport, MessageSource source) {
    TransportLaws laws =
        new TransportLaws() {
          @Override
          protected MessageTransport transport() {
            return transport;
          }

          @Override
          protected MessageSource source() {
            return source;
          }

          @Override
          protected Duration soon() {
            return Duration.ofSeconds(3);
          }
        };
    assertThatThrownBy(() -> law.holdsFor(laws))
        .isInstanceOfAny(AssertionError.class, ConditionTimeoutException.class);
    laws.stopReceivers();
  }

  /** How a publisher is broken. */
  private interface Fault {
    Published publish(Publisher publisher, List<OutboxMessage> messages, Duration deadline)
        throws IOException, InterruptedException;
  }

  private record Faulty(MessageTransport sound, Fault fault) implements MessageTransport {

    @Override
    public MessageChannel openChannel(Duration atMost) {
      return new BrokenChannel(new TransportPublisher(sound, new BundlePolicy(1)), fault);
    }
  }

  /** Publishes what was written when its answers are waited for. */
  private record BrokenChannel(Publisher publisher, Fault fault, List<OutboxMessage> written)
      implements MessageChannel {

    private BrokenChannel(Publisher publisher, Fault fault) {
      this(publisher, fault, new ArrayList<>());
    }

    @Override
    public void write(List<OutgoingMessage> batch, Duration atMost) {
      batch.forEach(message -> written.addAll(message.messages()));
    }

    @Override
    public Published answered() {
      return new Published(Set.of(), Map.of());
    }

    @Override
    public Published await(Duration deadline) throws InterruptedException {
      List<OutboxMessage> batch = List.copyOf(written);
      written.clear();
      try {
        return fault.publish(publisher, batch, deadline);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public boolean isSettled() {
      return written.isEmpty();
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {
      publisher.close();
    }
  }

  /** Goes on for ever, and says that it has settled what its consumer never saw. */
  private record NeverCancelled(LocalTransport local) implements MessageSource {

    @Override
    public Subscription subscribe(Queue queue, BatchConsumer consumer, BatchSettler settler) {
      Subscription subscription = local.subscribe(queue, consumer, settler);
      return new Subscription() {
        @Override
        public void start() {
          subscription.start();
        }

        @Override
        public void cancel() {
          // It goes on.
        }

        @Override
        public void close() {
          // It goes on.
        }
      };
    }
  }
}

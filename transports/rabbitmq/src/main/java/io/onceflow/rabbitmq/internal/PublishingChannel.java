package io.onceflow.rabbitmq.internal;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.ShutdownSignalException;
import io.onceflow.outbox.internal.transport.AnsweredChannel;
import io.onceflow.outbox.internal.transport.MessageBundle;
import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.rabbitmq.internal.BundleRoutes.Route;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A channel in confirm mode. It is thrown away whenever anything about it is in doubt: confirms are
 * told apart by counting, and after a publication that failed half-way the client and the broker
 * may count differently.
 */
final class PublishingChannel extends AnsweredChannel {

  private static final Logger LOG = Logger.getLogger(PublishingChannel.class);

  /** A broker that reads nothing for this long has to be connected to again. */
  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);

  /** A deadline that is nearly over does not cost the connection, which others share. */
  private static final Duration SHORTEST_WRITE = Duration.ofSeconds(1);

  private final BrokerLink link;
  private final Channel channel;
  private final Confirms confirms = new Confirms();
  private final BundleRoutes routes;
  private final int maxMessageSize;
  private volatile @Nullable Exception unwritable;

  /** A batch was written in part: what is missing looks as if it were under way. */
  private volatile boolean isIncomplete;

  private PublishingChannel(BrokerLink link, Channel channel, BrokerConnection broker) {
    this.link = link;
    this.channel = channel;
    this.routes = broker.bundleRoutes();
    this.maxMessageSize = broker.maxMessageSize();
  }

  /**
   * Opens one.
   *
   * @param atMost for the broker to answer; its connection is closed if it does not
   */
  static PublishingChannel open(BrokerConnection broker, Duration atMost) throws IOException {
    BrokerLink link = broker.link();
    return link.within(
        atMost,
        () -> {
          Channel channel = link.openChannel();
          broker.topology().ensureExchanges(channel);
          PublishingChannel opened = new PublishingChannel(link, channel, broker);
          opened.listen();
          return opened;
        });
  }

  private void listen() throws IOException {
    channel.confirmSelect();
    channel.addConfirmListener(
        (tag, multiple) -> confirms.answered(tag, multiple, true),
        (tag, multiple) -> confirms.answered(tag, multiple, false));
    channel.addReturnListener(this::returned);
    channel.addShutdownListener(
        cause -> {
          confirms.close();
          answers.doubt();
        });
  }

  private void returned(Return returned) {
    UUID id = UUID.fromString(returned.getProperties().getMessageId());
    String why =
        "no queue is bound to exchange %s for routing key %s (%s %s)"
            .formatted(
                returned.getExchange(),
                returned.getRoutingKey(),
                returned.getReplyCode(),
                returned.getReplyText());
    confirms.returned(id, why);
    // Qpid has nacked it before, and somebody waits for why.
    answers.explain(id, why);
    routes.returned(
        returned.getExchange(),
        returned.getRoutingKey(),
        MessageBundle.isBundle(returned.getProperties().getContentType()));
  }

  @Override
  public boolean isForBundles() {
    return true;
  }

  @Override
  public boolean isOpen() {
    return !isIncomplete && unwritable == null && link.isOpen() && channel.isOpen();
  }

  @Override
  public boolean isBlocked() {
    return link.blocked() != null;
  }

  /**
   * Bundles go out as they are where they are taken, elsewhere as their messages. Where that is not
   * known, what follows waits for the answer to the first bundle, so that it does not overtake its
   * messages. In one batch a route is treated one way, so that bundles which come back are resent
   * in their order.
   */
  @Override
  public void write(List<OutgoingMessage> batch, Duration atMost) throws IOException {
    long giveUpAt = System.nanoTime() + atMost.toNanos();
    Duration shortest = atMost.compareTo(SHORTEST_WRITE) < 0 ? atMost : SHORTEST_WRITE;
    Deque<OutgoingMessage> rest = new ArrayDeque<>(SendSpans.of(batch));
    Map<Route, Boolean> taken = new HashMap<>();
    try {
      while (!rest.isEmpty() && isOpen() && !isBlocked()) {
        Question asked =
            link.within(longer(shortest, left(giveUpAt)), () -> writeUpToQuestion(rest, taken));
        if (asked != null && !learn(asked, rest, taken, giveUpAt)) {
          return;
        }
      }
    } catch (InterruptedException e) {
      isIncomplete = true;
      Thread.currentThread().interrupt();
    } finally {
      isIncomplete |= !rest.isEmpty();
    }
  }

  /** A bundle that was sent to learn whether its route takes bundles. */
  private record Question(OutgoingMessage bundle, CompletableFuture<Optional<String>> answer) {}

  /** Returns after a question; null when no more is to be written. */
  private @Nullable Question writeUpToQuestion(
      Deque<OutgoingMessage> rest, Map<Route, Boolean> taken) throws IOException {
    while (!rest.isEmpty() && isOpen() && !isBlocked()) {
      OutgoingMessage next = rest.remove();
      try {
        Optional<Boolean> isWhole = isSentWhole(next, taken);
        List<OutgoingMessage> parts = isWhole.orElse(true) ? List.of(next) : next.apart();
        answers.expect(next.id(), parts.size());
        if (isWhole.isEmpty()) {
          return new Question(next, publish(next));
        }
        for (OutgoingMessage part : parts) {
          publish(part).thenAccept(why -> answers.answer(next.id(), why.orElse(null)));
        }
      } catch (AlreadyClosedException e) {
        // What was confirmed before the channel closed is confirmed nevertheless.
        LOG.debugf("channel closed while publishing: %s", e.getMessage());
      } catch (IllegalArgumentException e) {
        // Such as a routing key longer than AMQP can say. It was not sent: no confirm will come.
        unwritable = e;
        answers.refuse(next.id(), e.toString());
      }
    }
    return null;
  }

  /** Empty where the broker has to be asked. */
  private Optional<Boolean> isSentWhole(OutgoingMessage message, Map<Route, Boolean> taken) {
    if (!message.isBundle()) {
      return Optional.of(true);
    }
    if (maxMessageSize < OutgoingMessage.LARGEST_BUNDLE_BYTES
        && message.body().length > maxMessageSize) {
      return Optional.of(false);
    }
    Route route = Route.of(message);
    Optional<Boolean> known = Optional.ofNullable(taken.get(route)).or(() -> routes.isTaken(route));
    known.ifPresent(isTaken -> taken.put(route, isTaken));
    return known;
  }

  /** False where there was no answer: what has been written is in doubt. */
  private boolean learn(
      Question asked, Deque<OutgoingMessage> rest, Map<Route, Boolean> taken, long giveUpAt)
      throws InterruptedException {
    Route route = Route.of(asked.bundle());
    try {
      boolean isTaken =
          asked.answer().get(left(giveUpAt).toNanos(), TimeUnit.NANOSECONDS).isEmpty();
      taken.put(route, isTaken);
      routes.answered(route, isTaken);
      if (isTaken) {
        answers.answer(asked.bundle().id(), null);
      } else {
        rest.addFirst(asked.bundle());
      }
      return true;
    } catch (CancellationException | ExecutionException | TimeoutException e) {
      if (closedByMessage() != null) {
        routes.answered(route, false);
      }
      return false;
    }
  }

  private CompletableFuture<Optional<String>> publish(OutgoingMessage outgoing) throws IOException {
    byte[] body = outgoing.body();
    if (body.length > maxMessageSize) {
      // The broker would close the channel over it, and cost all that are published with it.
      throw new IllegalArgumentException(
          "a message of %s bytes is larger than onceflow.broker.max-message-size, %s"
              .formatted(body.length, maxMessageSize));
    }
    CompletableFuture<Optional<String>> answer =
        confirms.expect(channel.getNextPublishSeqNo(), outgoing);
    channel.basicPublish(
        outgoing.exchange(),
        outgoing.amqpKey(),
        outgoing.isAddressed(),
        AmqpProperties.of(outgoing),
        body);
    return answer;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private static Duration left(long giveUpAt) {
    return Duration.ofNanos(Math.max(0, giveUpAt - System.nanoTime()));
  }

  /** The broker closes a channel, and nothing but that, over what was published on it. */
  @Override
  public @Nullable Exception closedByMessage() {
    ShutdownSignalException reason = channel.getCloseReason();
    boolean isOverMessage =
        reason != null && !reason.isHardError() && !reason.isInitiatedByApplication();
    return isOverMessage ? reason : unwritable;
  }

  /**
   * Returns at once from a broker that takes nothing: it closes the channel when it reads again.
   */
  @Override
  public void close() {
    if (!channel.isOpen()) {
      return;
    }
    Thread closing = Thread.ofVirtual().name("channel-close").start(this::abort);
    if (isBlocked()) {
      return;
    }
    try {
      if (!closing.join(CLOSE_WITHIN)) {
        link.breakOff("the broker did not close a channel within " + CLOSE_WITHIN);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void abort() {
    try {
      channel.abort();
    } catch (IOException e) {
      LOG.debugf("channel did not close cleanly: %s", e.getMessage());
    }
  }
}

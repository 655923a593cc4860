package io.onceflow.messaging.emitter.internal;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.transport.Publisher;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends the messages of a channel by its connector. Messages of one key go one after the other:
 * connectors try again by themselves, and what failed would otherwise come after what did not.
 */
final class ChannelPublisher implements Publisher {

  private final ConnectorOutlet outlet;
  private final ChannelMessages messages;
  private final int most;

  /** Whether the connector has answered nothing of what it was given last. */
  private boolean isSilent;

  /**
   * @param most messages that the connector may have and not have answered
   */
  ChannelPublisher(ConnectorOutlet outlet, ChannelMessages messages, int most) {
    this.outlet = outlet;
    this.messages = messages;
    this.most = most;
  }

  /** A connector that is given more while it is unavailable keeps all of it in memory. */
  @Override
  public boolean isReady() {
    return outlet.inFlight() < most;
  }

  @Override
  public Published publish(List<OutboxMessage> batch, Duration deadline)
      throws InterruptedException {
    long giveUpAt = System.nanoTime() + deadline.toNanos();
    int room = isSilent ? 1 : Math.max(0, most - outlet.inFlight());
    List<OutboxMessage> now = batch.subList(0, Math.min(room, batch.size()));
    Map<UUID, CompletableFuture<Optional<String>>> answers = send(now, giveUpAt);
    await(answers, giveUpAt);
    Published published = published(answers);
    isSilent = !now.isEmpty() && published.confirmed().isEmpty() && published.refused().isEmpty();
    batch
        .subList(now.size(), batch.size())
        .forEach(
            later ->
                published
                    .refused()
                    .put(later.id(), "channel %s does not answer".formatted(outlet.channel())));
    return published;
  }

  private Map<UUID, CompletableFuture<Optional<String>>> send(
      List<OutboxMessage> batch, long giveUpAt) {
    Map<UUID, CompletableFuture<Optional<String>>> answers = new LinkedHashMap<>();
    Map<String, CompletableFuture<Optional<String>>> lastOfKey = new HashMap<>();
    for (OutboxMessage message : batch) {
      CompletableFuture<Optional<String>> previous = lastOfKey.get(message.aggregateId());
      CompletableFuture<Optional<String>> answer =
          previous == null
              ? send(message)
              : previous.thenCompose(why -> sendAfter(why, message, giveUpAt));
      lastOfKey.put(message.aggregateId(), answer);
      answers.put(message.id(), answer);
    }
    return answers;
  }

  /** What cannot be sent for what it is waits by itself, and the rest goes out. */
  private CompletableFuture<Optional<String>> send(OutboxMessage message) {
    try {
      return outlet.send(message.id(), messages.of(message));
    } catch (RuntimeException e) {
      return CompletableFuture.completedFuture(
          Optional.of("it is no message for channel %s: %s".formatted(outlet.channel(), e)));
    }
  }

  private CompletableFuture<Optional<String>> sendAfter(
      Optional<String> whyNotThePrevious, OutboxMessage message, long giveUpAt) {
    if (whyNotThePrevious.isPresent() || System.nanoTime() - giveUpAt > 0) {
      return CompletableFuture.completedFuture(
          Optional.of("the message before it under the same key was not sent"));
    }
    return send(message);
  }

  private static void await(Map<UUID, CompletableFuture<Optional<String>>> answers, long giveUpAt)
      throws InterruptedException {
    try {
      CompletableFuture.allOf(answers.values().toArray(CompletableFuture<?>[]::new))
          .get(Math.max(0, giveUpAt - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException | ExecutionException e) {
      // What has no answer by now is in doubt.
    }
  }

  private static Published published(Map<UUID, CompletableFuture<Optional<String>>> answers) {
    Set<UUID> confirmed = new HashSet<>();
    Map<UUID, String> refused = new HashMap<>();
    answers.forEach(
        (id, answer) -> {
          if (answer.isDone() && !answer.isCompletedExceptionally()) {
            answer.join().ifPresentOrElse(why -> refused.put(id, why), () -> confirmed.add(id));
          }
        });
    return new Published(confirmed, refused);
  }

  /** The connector closes itself. */
  @Override
  public void close() {}
}

package io.onceflow.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.Shipping;
import io.onceflow.outbox.TestConfig;
import io.onceflow.outbox.internal.OutboxConfig;
import io.onceflow.outbox.internal.transport.Publisher;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a relay thread works and when it rests. */
@Timeout(60)
class RelayLoopTest {

  private static final Duration HOUR = Duration.ofHours(1);

  private final Shipping shipping = new Shipping();
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final AtomicInteger attempts = new AtomicInteger();

  @AfterEach
  void close() {
    stopped.countDown();
    shipping.signal.raise();
  }

  /** Seen red: each commit woke the relay out of its pause to knock at the dead broker. */
  @Test
  void restsAfterAFailureHoweverMuchIsCommitted() throws Exception {
    Thread loop =
        start(
            TestConfig.outbox(Map.of("relay.first-backoff", HOUR, "relay.longest-backoff", HOUR)),
            messages -> {
              throw new IOException("connection refused");
            });
    shipping.commit(shipping.command());
    await().until(() -> attempts.get() == 1);
    for (int i = 0; i < 50; i++) {
      await().until(() -> loop.getState() == Thread.State.TIMED_WAITING);
      shipping.commit(shipping.command());
    }
    assertThat(attempts).hasValue(1);
    stopped.countDown();
    await().until(() -> !loop.isAlive());
  }

  @Test
  void triesAgainByItself() throws Exception {
    start(
        TestConfig.outbox(),
        messages -> {
          if (attempts.get() < 4) {
            throw new IOException("connection refused");
          }
          return confirm(messages);
        });
    shipping.commit(shipping.command());
    await().until(() -> Shipping.rows() == 0);
    assertThat(attempts).hasValue(4);
  }

  @Test
  void survivesAnError() throws Exception {
    start(
        TestConfig.outbox(),
        messages -> {
          if (attempts.get() == 1) {
            throw new NoClassDefFoundError("something was left out");
          }
          return confirm(messages);
        });
    shipping.commit(shipping.command());
    await().until(() -> Shipping.rows() == 0);
  }

  /**
   * A signal that is raised after the relay has looked and before it rests is not slept through.
   */
  @Test
  void doesNotSleepThroughACommitDuringItsLastBatch() throws Exception {
    start(
        TestConfig.outbox(),
        messages -> {
          if (attempts.get() == 1) {
            shipping.commit(shipping.command());
          }
          return confirm(messages);
        });
    shipping.commit(shipping.command());
    await().until(() -> attempts.get() == 2 && Shipping.rows() == 0);
  }

  private interface Answer {
    Publisher.Published to(List<OutboxMessage> messages) throws Exception;
  }

  private Thread start(OutboxConfig config, Answer answer) {
    Publisher publisher =
        new Publisher() {
          @Override
          public Published publish(List<OutboxMessage> messages, Duration deadline)
              throws IOException {
            attempts.incrementAndGet();
            try {
              return answer.to(messages);
            } catch (IOException | RuntimeException e) {
              throw e;
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          }

          @Override
          public void close() {}
        };
    RelayBatch batch = shipping.batch(config.relay(), publisher);
    return Thread.ofPlatform()
        .start(new RelayLoop(batch, shipping.signal, config.relay(), stopped));
  }

  private static Publisher.Published confirm(List<OutboxMessage> messages) {
    return new Publisher.Published(
        messages.stream().map(OutboxMessage::id).collect(Collectors.toSet()), Map.of());
  }
}

package io.onceflow.rabbitmq.internal;

import static org.awaitility.Awaitility.await;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever a connection fails of, another one is opened: without it nothing takes the messages. */
@Timeout(30)
class ConsumerLoopTest {

  private final BrokerConnection broker = TestBrokers.of("localhost", 1, "", "", "/");

  /** Such as a thread that the machine does not give the client. */
  @Test
  void opensAnotherConnectionAfterAnError() {
    AtomicInteger opened = new AtomicInteger();
    ConsumerLoop.Opener failing =
        () -> {
          opened.incrementAndGet();
          throw new OutOfMemoryError("unable to create native thread");
        };
    try (ConsumerLoop loop = new ConsumerLoop("q", failing, broker, () -> {})) {
      loop.start();

      await().until(() -> opened.get() > 1);
    }
  }
}

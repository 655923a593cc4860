package io.onceflow.saga.internal.overview;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.mutiny.Multi;
import jakarta.ws.rs.sse.OutboundSseEvent;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LiveStreamTest {

  private static final Duration SOON = Duration.ofSeconds(5);

  private final LiveStream stream = new LiveStream(null, Instant.now(), Instant.MAX);

  /** Seen red: it stayed open, and a process that is told to stop waits for its answers. */
  @Test
  void isCompleteAtOnceWhereItWasEndedBeforeItsReaderCame() {
    stream.end();

    assertThat(events().collect().asList().await().atMost(SOON)).hasSize(1);
  }

  @Test
  void isCompleteWhenItIsEnded() {
    assertThat(
            events()
                .onItem()
                .invoke(() -> Thread.ofVirtual().start(stream::end))
                .collect()
                .asList()
                .await()
                .atMost(SOON))
        .hasSize(1);
  }

  private Multi<OutboundSseEvent> events() {
    OutboundSseEvent greeting =
        (OutboundSseEvent)
            Proxy.newProxyInstance(
                LiveStreamTest.class.getClassLoader(),
                new Class<?>[] {OutboundSseEvent.class},
                (proxy, method, arguments) -> null);
    return Multi.createFrom().emitter(reader -> stream.begin(reader, greeting));
  }
}

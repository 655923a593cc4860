package io.onceflow.messaging.refused;

import io.onceflow.messaging.OutboxEmitter;
import io.quarkus.test.QuarkusUnitTest;
import io.smallrye.reactive.messaging.annotations.Broadcast;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.reactive.messaging.Channel;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.eclipse.microprofile.reactive.messaging.OnOverflow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** All that can be wrong with an {@code OutboxEmitter}, told by one build. */
class RefusedEmitterTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      RefusedOnce.with(
          RefusedEmitterTest.class,
          "Sender.raw is an OutboxEmitter of no type; say what it sends",
          "Sender.bytes is an OutboxEmitter<byte[]>; the outbox holds text",
          "Sender.messages is an OutboxEmitter of Message; name the payload's type",
          "Sender.overflowing has @OnOverflow; the outbox is the buffer",
          "Sender.broadcasting has @Broadcast; an OutboxEmitter sends to the channel's connector");

  @ApplicationScoped
  static class Sender {

    @Inject
    @Channel("a")
    @SuppressWarnings("rawtypes")
    OutboxEmitter raw;

    @Inject
    @Channel("b")
    OutboxEmitter<byte[]> bytes;

    @Inject
    @Channel("c")
    OutboxEmitter<Message<String>> messages;

    @Inject
    @Channel("d")
    @OnOverflow(OnOverflow.Strategy.DROP)
    OutboxEmitter<String> overflowing;

    @Inject
    @Channel("e")
    @Broadcast
    OutboxEmitter<String> broadcasting;
  }

  @Test
  void failsTheBuildWithASentenceForEachMistake() {
    RefusedOnce.shouldNotHaveStarted();
  }
}

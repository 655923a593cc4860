package io.onceflow.messaging.refused;

import io.onceflow.messaging.Once;
import io.quarkus.test.QuarkusUnitTest;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import org.eclipse.microprofile.reactive.messaging.Incoming;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.eclipse.microprofile.reactive.messaging.Outgoing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** All that can be wrong with an {@code @Once} method, told by one build. */
class RefusedOnceTest {

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      RefusedOnce.with(
          RefusedOnceTest.class,
          "Steps.first and Steps.second are both annotated with @Once(step = \"same\")",
          "Steps.colon has the step \"a:b\"; step keys are parsed from their last colon",
          "Steps.otherKey reads its key from \"body\"; it is record-key",
          "Steps.noChannel is annotated with @Once, but not with @Incoming",
          "Steps.twoChannels has several @Incoming",
          "Steps.returning returns java.lang.String; an @Once method ends when its work is written",
          "Steps.asynchronous returns io.smallrye.mutiny.Uni",
          "Steps.sending is annotated with @Once and @Outgoing",
          "Steps.noParameter has 0 parameters; an @Once method takes one",
          "Steps.stream takes io.smallrye.mutiny.Multi; an @Once method takes a payload",
          "Steps.rawMessage takes org.eclipse.microprofile.reactive.messaging.Message;",
          "Steps.hidden is private or static",
          "Steps.nonBlocking is annotated with @NonBlocking; an @Once method runs in a transaction",
          "Steps.ownTransaction is annotated with @Transactional(REQUIRES_NEW)",
          "Apart.ofItsClass is annotated with @Transactional(REQUIRES_NEW)");

  @ApplicationScoped
  static class Steps {

    @Incoming("a")
    @Once(step = "same")
    void first(String text) {}

    @Incoming("b")
    @Once(step = "same")
    void second(String text) {}

    @Incoming("c")
    @Once(step = "a:b")
    void colon(String text) {}

    @Incoming("d")
    @Once(step = "other-key", key = "body")
    void otherKey(String text) {}

    @Once(step = "no-channel")
    void noChannel(String text) {}

    @Incoming("e")
    @Incoming("f")
    @Once(step = "two-channels")
    void twoChannels(String text) {}

    @Incoming("g")
    @Once(step = "returning")
    String returning(String text) {
      return text;
    }

    @Incoming("h")
    @Once(step = "asynchronous")
    Uni<Void> asynchronous(String text) {
      return Uni.createFrom().voidItem();
    }

    @Incoming("i")
    @Outgoing("out")
    @Once(step = "sending")
    String sending(String text) {
      return text;
    }

    @Incoming("j")
    @Once(step = "no-parameter")
    void noParameter() {}

    @Incoming("k")
    @Once(step = "stream")
    void stream(Multi<String> texts) {}

    @Incoming("l")
    @Once(step = "raw-message")
    @SuppressWarnings("rawtypes")
    void rawMessage(Message message) {}

    @Incoming("m")
    @Once(step = "hidden")
    private void hidden(String text) {}

    @Incoming("n")
    @NonBlocking
    @Once(step = "non-blocking")
    void nonBlocking(String text) {}

    @Incoming("o")
    @Transactional(Transactional.TxType.REQUIRES_NEW)
    @Once(step = "own-transaction")
    void ownTransaction(String text) {}
  }

  /** Seen red: only the method was looked at. */
  @ApplicationScoped
  @Transactional(Transactional.TxType.REQUIRES_NEW)
  static class Apart {

    @Incoming("p")
    @Once(step = "of-its-class")
    void ofItsClass(String text) {}
  }

  @Test
  void failsTheBuildWithASentenceForEachMistake() {
    RefusedOnce.shouldNotHaveStarted();
  }
}

package io.onceflow.quarkus.deployment.emitter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jboss.jandex.Type;

/** What is wrong with the injected emitters, in one sentence each. */
final class EmitterChecks {

  private final List<String> wrong = new ArrayList<>();

  private EmitterChecks() {}

  static List<String> of(List<OutboxEmitterBuildItem> emitters) {
    EmitterChecks checks = new EmitterChecks();
    emitters.forEach(checks::check);
    return checks.wrong;
  }

  private void check(OutboxEmitterBuildItem emitter) {
    Optional<Type> payload = emitter.payload();
    if (payload.isEmpty()) {
      wrong.add(
          "%s is an OutboxEmitter of no type; say what it sends, as in OutboxEmitter<OrderPlaced>"
              .formatted(emitter));
    } else if (payload.get().kind() == Type.Kind.ARRAY) {
      wrong.add(
          "%s is an OutboxEmitter<%s>; the outbox holds text, so it sends String or what is written as JSON"
              .formatted(emitter, payload.get()));
    } else if (payload.get().name().equals(EmitterNames.MESSAGE)) {
      wrong.add(
          "%s is an OutboxEmitter of Message; name the payload's type, its send takes messages, too"
              .formatted(emitter));
    }
    if (emitter.isAnnotatedWith(EmitterNames.ON_OVERFLOW)) {
      wrong.add(
          "%s has @OnOverflow; the outbox is the buffer of an OutboxEmitter, so remove it"
              .formatted(emitter));
    }
    if (emitter.isAnnotatedWith(EmitterNames.BROADCAST)) {
      wrong.add(
          "%s has @Broadcast; an OutboxEmitter sends to the channel's connector alone, so remove it"
              .formatted(emitter));
    }
  }
}

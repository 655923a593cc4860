package io.onceflow.kafka.internal;

import io.quarkus.arc.properties.IfBuildProperty;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;

/** What an operator has to corrected, by who found it. */
@Singleton
@IfBuildProperty(name = "onceflow.transport", stringValue = "kafka")
class KafkaState {

  private static final Logger LOG = Logger.getLogger(KafkaState.class);

  /**
   * Whatever is refused is retried much sooner. What is not, such as a topic of messages that were
   * deleted, keeps nothing from working.
   */
  static final Duration BELIEVED_FOR = Duration.ofMinutes(5);

  private final Map<String, Refusal> refusals = new ConcurrentSkipListMap<>();
  private final LongSupplier nanoTime;

  private record Refusal(String sentence, long at, boolean isTolerated) {}

  KafkaState() {
    this(System::nanoTime);
  }

  /** With another clock, for tests. */
  KafkaState(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Logs it once, however often it is found. */
  void refused(String who, String sentence) {
    Refusal before = refusals.put(who, new Refusal(sentence, nanoTime.getAsLong(), false));
    if (before == null || !before.sentence().equals(sentence)) {
      LOG.errorf("%s; retrying until that is corrected", sentence);
    }
  }

  /**
   * A refusal that keeps nothing else from working: it is in the log, and readiness is not told.
   */
  void tolerate(String who) {
    refusals.computeIfPresent(who, (it, now) -> new Refusal(now.sentence(), now.at(), true));
  }

  /** Who is not refused any more. */
  void accepted(String who) {
    refusals.remove(who);
  }

  /** One of the sentences; empty while nothing is wrong that does not pass by itself. */
  Optional<String> refusal() {
    long now = nanoTime.getAsLong();
    refusals.values().removeIf(refusal -> now - refusal.at() > BELIEVED_FOR.toNanos());
    return refusals.values().stream()
        .filter(refusal -> !refusal.isTolerated())
        .map(Refusal::sentence)
        .findFirst();
  }
}

package io.onceflow.kafka.internal;

import io.quarkus.arc.properties.IfBuildProperty;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jboss.logging.Logger;

/** What an operator has to put right, by who found it. */
@Singleton
@IfBuildProperty(name = "onceflow.transport", stringValue = "kafka")
class KafkaState {

  private static final Logger LOG = Logger.getLogger(KafkaState.class);

  private final Map<String, String> refusals = new ConcurrentSkipListMap<>();

  /** Logs it once, however often it is found. */
  void refused(String who, String sentence) {
    if (!sentence.equals(refusals.put(who, sentence))) {
      LOG.errorf("%s; trying again until that is put right", sentence);
    }
  }

  /** Who is not refused any more. */
  void accepted(String who) {
    refusals.remove(who);
  }

  /** One of the sentences; empty while nothing is wrong that does not pass by itself. */
  Optional<String> refusal() {
    return refusals.values().stream().findFirst();
  }
}

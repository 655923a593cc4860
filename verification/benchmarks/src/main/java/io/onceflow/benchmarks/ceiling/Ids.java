package io.onceflow.benchmarks.ceiling;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The ids of the recorded saga, and new ones of the same kinds for every round: those that start
 * with the time do so again, and follow each other as the recorded ones did, since that decides
 * where they go in an index.
 */
final class Ids {

  private static final int VERSION_AT = 12;

  private final List<String> recorded;

  /**
   * @param saga whose ids they are
   */
  Ids(RecordedSaga saga) {
    recorded =
        saga.steps().stream()
            .flatMap(step -> step.statements().stream())
            .flatMap(statement -> SagaTokens.in(statement.parameters()).stream())
            .distinct()
            .sorted()
            .toList();
  }

  /** Where an id stands among all. */
  int position(String plain) {
    return recorded.indexOf(plain);
  }

  /** A new id for each of them, with dashes. */
  String[] fresh() {
    long now = System.currentTimeMillis();
    String[] ids = new String[recorded.size()];
    for (int i = 0; i < ids.length; i++) {
      boolean isTimed = recorded.get(i).charAt(VERSION_AT) == '7';
      ids[i] = (isTimed ? timed(now, i) : UUID.randomUUID()).toString();
    }
    return ids;
  }

  /** UUIDv7 with the position where a counter may be. */
  private static UUID timed(long now, int position) {
    long version = 0x7000L;
    long variant = 0x8000_0000_0000_0000L;
    long random = ThreadLocalRandom.current().nextLong() >>> 2;
    return new UUID(now << 16 | version | position, variant | random);
  }
}

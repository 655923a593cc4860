package io.onceflow.inbox.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.inbox.oracle.Event.Kind;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Random interleavings of two replicas, of the broker, the gateway and faults: after each
 * transaction the participants on PostgreSQL are in the state that {@link ParticipantOracle} says.
 * {@code -Donceflow.oracle.seed=N} repeats one.
 *
 * <p>Seen red without the fencing token in {@code InboxTable.COMPLETE}, and in {@code POSTPONE};
 * without the tombstone's claim in {@code CommandBatch.decideWanted}; when a compensation did not
 * wait for an action that runs, or an unavailable action counted as not done ({@code
 * CommandDecider}, {@code StepOutcome}); when an expired command was started, a completed step did
 * not answer again, or a repeated message was not stored ({@code CommandBatch}).
 */
class ParticipantOracleTest {

  /** The night walks more. */
  private static final int WALKS = Integer.getInteger("onceflow.oracle.walks", 100);

  private static final int LENGTH = 30;

  private final Map<Kind, Integer> happened = new EnumMap<>(Kind.class);

  @Test
  void theCodeDoesWhatTheSpecificationSays() {
    Long only = Long.getLong("onceflow.oracle.seed");
    if (only != null) {
      walk(only);
      return;
    }
    long fresh = System.nanoTime();
    LongStream.concat(LongStream.range(0, WALKS), LongStream.range(fresh, fresh + WALKS / 10))
        .forEach(this::walk);
    assertThat(happened.keySet())
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(Kind.values()).filter(kind -> kind.weight() > 0).toList());
  }

  private void walk(long seed) {
    Random random = new Random(seed);
    try (var both = new Comparison("seed " + seed, seed % 2 == 0)) {
      for (int i = 0; i < LENGTH; i++) {
        Event event = any(PossibleEvents.in(both.state()), random);
        both.happen(event);
        happened.merge(event.kind(), 1, Integer::sum);
      }
    }
  }

  private static Event any(List<Event> possible, Random random) {
    int left = random.nextInt(possible.stream().mapToInt(it -> it.kind().weight()).sum());
    for (Event event : possible) {
      left -= event.kind().weight();
      if (left < 0) {
        return event;
      }
    }
    throw new IllegalStateException("the weights of " + possible);
  }
}

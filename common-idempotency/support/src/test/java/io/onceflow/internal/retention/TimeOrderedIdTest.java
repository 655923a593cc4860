package io.onceflow.internal.retention;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TimeOrderedIdTest {

  /** As PostgreSQL compares them; all have the version in the same place. */
  private static final Comparator<UUID> ORDER = Comparator.comparing(UUID::toString);

  @Test
  void isAUuidOfVersion7ThatBeginsWithItsMillisecond() {
    Instant before = Instant.now();
    UUID id = TimeOrderedId.next();

    assertThat(id.version()).isEqualTo(7);
    assertThat(id.variant()).isEqualTo(2);
    assertThat(Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16))
        .isBetween(before.minusMillis(1), before.plus(Duration.ofMinutes(1)));
  }

  @Test
  void isGreaterThanAllBeforeAlsoWhereAMillisecondHasTooMany() {
    List<UUID> ids = Stream.generate(TimeOrderedId::next).limit(20_000).toList();

    assertThat(ids).isSortedAccordingTo(ORDER).doesNotHaveDuplicates();
  }

  @Test
  void isAnotherOnEachThread() {
    List<UUID> ids =
        IntStream.range(0, 20_000).parallel().mapToObj(i -> TimeOrderedId.next()).toList();

    assertThat(ids.stream().map(UUID::getMostSignificantBits)).doesNotHaveDuplicates();
  }

  @Test
  void isNotBelowTheLowestOfItsTime() {
    Instant before = Instant.now();

    assertThat(ORDER.compare(TimeOrderedId.lowest(before), TimeOrderedId.next())).isNegative();
  }
}

package io.onceflow.outbox.internal.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How far PostgreSQL may forget its log; positions and times are plain numbers here. */
class UnsettledRowsTest {

  private static final long GRACE_ENDS = 100;

  private final UnsettledRows rows = new UnsettledRows(10);
  private final UUID first = UUID.randomUUID();
  private final UUID second = UUID.randomUUID();

  @Test
  void staysBeforeARowThatIsNeitherDeletedNorLeftToOthers() {
    rows.add(first, GRACE_ENDS);
    rows.readTo(20);
    rows.add(second, GRACE_ENDS);
    rows.readTo(30);
    assertThat(rows.settled(0)).isEqualTo(10);
    rows.deleted(List.of(second));
    assertThat(rows.settled(0)).isEqualTo(10);
    rows.deleted(List.of(first));
    assertThat(rows.settled(0)).isEqualTo(30);
  }

  @Test
  void goesOnWhenOthersMayHaveTheRow() {
    rows.add(first, GRACE_ENDS);
    rows.readTo(20);
    assertThat(rows.settled(GRACE_ENDS - 1)).isEqualTo(10);
    assertThat(rows.settled(GRACE_ENDS)).isEqualTo(20);
  }

  @Test
  void neverGoesBack() {
    rows.readTo(30);
    rows.readTo(20);
    assertThat(rows.settled(0)).isEqualTo(30);
  }
}

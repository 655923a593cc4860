package io.onceflow.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The JVM comes to the end of its bounds before the container comes to its limit. */
class JvmBoundsTest {

  private static final String SERVICE = "order-service";

  /**
   * Symbols, the compilers' own, the collector's tables, temporary files:
   * docs/operations/images.md.
   */
  private static final int WHATEVER_HAS_NO_BOUND = 48;

  @Test
  void allThatIsBoundedFitsIntoTheContainer() {
    int container = Compose.megabytes(SERVICE, "");

    assertThat(JvmBounds.of(JvmBounds.DEFAULT).sum(container))
        .isLessThanOrEqualTo(container - WHATEVER_HAS_NO_BOUND);
  }

  @Test
  void theHeapIsHalfOfTheContainer() {
    assertThat(JvmBounds.of(JvmBounds.DEFAULT).heap(768)).isEqualTo(384);
  }

  @Test
  void withLittleMemoryTheHeapIsAQuarterOfTheContainer() {
    int container = Compose.megabytes(SERVICE, "@/app/" + JvmBounds.SMALL);

    assertThat(JvmBounds.of(JvmBounds.SMALL, JvmBounds.DEFAULT).heap(container))
        .isEqualTo(container / 4);
  }

  @Test
  void anOptionThatComesLaterWins() {
    assertThat(new JvmBounds(List.of("-Xmx96m", "-Xmx128m")).heap(768)).isEqualTo(128);
  }
}

package io.onceflow.saga.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The trace context of a saga that is started outside of a trace. */
class TraceParentTest {

  private static final String CALLERS = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  /** Before: it said that it is sampled, and participants recorded every request. */
  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "rubbish"})
  void aNewOneIsNotSampled(String none) {
    assertThat(TraceParent.orNew(none)).matches("00-[0-9a-f]{32}-[0-9a-f]{16}-00");
  }

  @Test
  void theCallersStays() {
    assertThat(TraceParent.orNew(CALLERS)).isEqualTo(CALLERS);
  }
}

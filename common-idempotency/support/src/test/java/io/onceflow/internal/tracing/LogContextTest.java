package io.onceflow.internal.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import org.jboss.logging.MDC;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LogContextTest {

  private static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  @AfterEach
  void clear() {
    MDC.clear();
  }

  @Test
  void linesOfASagaSayWhichAndThoseAfterThemDoNot() {
    LogContext.saga("s", "o", "process-payment", PARENT)
        .run(
            () -> {
              assertThat(MDC.get("sagaId")).isEqualTo("s");
              assertThat(MDC.get("orderId")).isEqualTo("o");
              assertThat(MDC.get("step")).isEqualTo("process-payment");
              assertThat(MDC.get("traceId")).isEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
            });

    assertThat(MDC.get("sagaId")).isNull();
    assertThat(MDC.get("traceId")).isNull();
  }

  @Test
  void whatWasSaidBeforeIsSaidAgainAfter() throws Exception {
    String within =
        LogContext.saga("outer", null, null, null)
            .call(
                () -> {
                  LogContext.saga("inner", null, null, null).run(() -> {});
                  return String.valueOf(MDC.get("sagaId"));
                });

    assertThat(within).isEqualTo("outer");
  }

  @Test
  void whatIsNotKnownIsNotSaid() {
    LogContext.saga(null, "o", null, "rubbish")
        .run(
            () -> {
              assertThat(MDC.get("sagaId")).isNull();
              assertThat(MDC.get("traceId")).isNull();
              assertThat(MDC.get("orderId")).isEqualTo("o");
            });
  }
}

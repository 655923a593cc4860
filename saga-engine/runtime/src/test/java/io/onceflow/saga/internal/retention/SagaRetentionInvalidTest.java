package io.onceflow.saga.internal.retention;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.saga.internal.runtime.SagaConfig;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Participants remember steps for 30 days, and a command may be redriven for 14 (rule 14). */
class SagaRetentionInvalidTest {

  @Test
  void isNotTheDefault() {
    assertThatCode(() -> check(Map.of())).doesNotThrowAnyException();
  }

  @Test
  void isAMemoryOfRootKeysThatEndsBeforeThatOfParticipants() {
    assertThatExceptionOfType(SagaRetentionInvalid.class)
        .isThrownBy(() -> check(Map.of("onceflow.saga.root-key-retention", "P43D")))
        .withMessageContaining("onceflow.saga.root-key-retention is PT1032H, which is shorter")
        .withMessageContaining("Make it PT1056H at least");
    assertThatCode(() -> check(Map.of("onceflow.saga.root-key-retention", "P44D")))
        .doesNotThrowAnyException();
  }

  @Test
  void isATimeBeforeTheEndOfASaga() {
    assertThatExceptionOfType(SagaRetentionInvalid.class)
        .isThrownBy(() -> check(Map.of("onceflow.saga.retention", "-P1D")))
        .withMessageContaining("onceflow.saga.retention is PT-24H");
  }

  /** Sagas may go at once: their keys are remembered apart from them. */
  @Test
  void isNotAShortRetentionOfSagas() {
    assertThatCode(() -> check(Map.of("onceflow.saga.retention", "PT1H")))
        .doesNotThrowAnyException();
  }

  private static void check(Map<String, String> values) {
    SmallRyeConfig config =
        new SmallRyeConfigBuilder()
            .withMapping(SagaConfig.class)
            .withMapping(InboxConfig.class)
            .withDefaultValues(values)
            .build();
    SagaRetentionInvalid.check(
        config.getConfigMapping(SagaConfig.class), config.getConfigMapping(InboxConfig.class));
  }
}

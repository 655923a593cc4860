package io.onceflow.redis.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.idempotency.internal.policy.IdempotencyConfig;
import io.onceflow.redis.internal.RecordMac.Verdict;
import io.quarkus.runtime.LaunchMode;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The code of what stands in Redis: what it covers, and where its key comes from. */
class RedisIntegrityTest {

  private static final String OLD = "the old secret, of 32 characters or more";
  private static final String NEW = "the new secret, of 32 characters or more";

  private static final String KEY = "onceflow.idempotency.redis.integrity.key";

  @Test
  void aCodeFitsTheVeryPartsThatItWasMadeOf() {
    RecordMac mac = new RecordMac(NEW, List.of());
    String code = mac.sign("ab", "c".getBytes(UTF_8));
    assertThat(mac.verify(code, "ab", "c")).isEqualTo(Verdict.VALID);
    assertThat(mac.verify(code, "a", "bc")).as("moved along").isEqualTo(Verdict.FORGED);
    assertThat(mac.verify(code + "A", "ab", "c")).isEqualTo(Verdict.FORGED);
    assertThat(mac.verify("", "ab", "c")).isEqualTo(Verdict.UNSIGNED);
    assertThat(mac.verify(null, "ab", "c")).isEqualTo(Verdict.UNSIGNED);
  }

  @Test
  void theOtherKeyIsReadWhileKeysAreChanged() {
    String code = new RecordMac(OLD, List.of()).sign("a record");
    assertThat(new RecordMac(NEW, List.of(OLD)).verify(code, "a record")).isEqualTo(Verdict.VALID);
    assertThat(new RecordMac(NEW, List.of()).verify(code, "a record"))
        .isEqualTo(Verdict.UNKNOWN_KEY);
  }

  @Test
  void productionDoesNotStartWithoutAKey() {
    assertThatThrownBy(() -> integrity(LaunchMode.NORMAL, Map.of()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("store is hybrid, but " + KEY + " is missing");
  }

  @ParameterizedTest
  @EnumSource(names = {"DEVELOPMENT", "TEST"})
  void elsewhereAKeyIsMade(LaunchMode mode) {
    assertThatCode(() -> integrity(mode, Map.of()).sign("a record")).doesNotThrowAnyException();
  }

  @Test
  void aKeyThatCouldBeGuessedIsRefused() {
    assertThatThrownBy(() -> integrity(LaunchMode.NORMAL, Map.of(KEY, "onceflow")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("at least 32")
        .hasMessageNotContaining("\"onceflow\"");
  }

  @Test
  void recordsWithoutACodeAreNotBelieved() {
    assertThatThrownBy(
            () -> integrity(LaunchMode.NORMAL, Map.of(KEY, NEW)).verify(null, "a record"))
        .isInstanceOf(UnverifiedRecord.class);
  }

  /** A counter that begins with its first event has no increase then, which the alert waits for. */
  @Test
  void countsEachReasonFromZero() {
    MeterRegistry registry = new SimpleMeterRegistry();
    integrity(LaunchMode.NORMAL, Map.of(KEY, NEW), registry);

    assertThat(registry.get(RedisIntegrity.UNVERIFIED).counters())
        .allMatch(counter -> counter.count() == 0)
        .extracting(counter -> counter.getId().getTag("reason"))
        .containsExactlyInAnyOrder("unsigned", "unknown-key", "forged");
  }

  /** A look costs a round trip of some hundred microseconds; its code must not show beside it. */
  @Test
  void aCodeCostsMicroseconds() {
    RecordMac mac = new RecordMac(NEW, List.of());
    byte[] body = new byte[512];
    for (int i = 0; i < 20_000; i++) {
      mac.sign("record", body);
    }
    long start = System.nanoTime();
    for (int i = 0; i < 20_000; i++) {
      mac.sign("record", body);
    }
    long nanos = (System.nanoTime() - start) / 20_000;
    System.out.println("a code over 512 bytes: " + nanos + " ns");
    assertThat(nanos).as("nanoseconds for each").isLessThan(200_000);
  }

  private static RedisIntegrity integrity(LaunchMode mode, Map<String, String> settings) {
    return integrity(mode, settings, new SimpleMeterRegistry());
  }

  private static RedisIntegrity integrity(
      LaunchMode mode, Map<String, String> settings, MeterRegistry registry) {
    IdempotencyConfig config =
        new SmallRyeConfigBuilder()
            .withMapping(IdempotencyConfig.class)
            .withDefaultValue("onceflow.idempotency.store", "hybrid")
            .withDefaultValues(settings)
            .build()
            .getConfigMapping(IdempotencyConfig.class);
    return new RedisIntegrity(config, mode, registry);
  }
}

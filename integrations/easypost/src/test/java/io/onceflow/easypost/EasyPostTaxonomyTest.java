package io.onceflow.easypost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.easypost.LabelOutcome.Bought;
import io.onceflow.participant.CallKey;
import io.onceflow.test.TestPostgres;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What each kind of EasyPost's answers is taken for, and counted as. */
class EasyPostTaxonomyTest {

  private static final DataSource DATABASE =
      TestPostgres.database("easypost_taxonomy", "db/onceflow/easypost");

  @RegisterExtension static final TestEasyPost EASY_POST = new TestEasyPost();

  private final CallKey key = TestEasyPost.newKey();
  private final EasyPostConfig config = TestEasyPostConfig.of(EASY_POST.easyPost().url());
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final EasyPostLabels labels = labels(config);

  private EasyPostConfig withKey(String apiKey) {
    return TestEasyPostConfig.of(config.url(), Map.of("api-key", apiKey));
  }

  private EasyPostLabels labels(EasyPostConfig with) {
    return new EasyPostLabels(
        with,
        new EasyPostRequests(DATABASE),
        new EasyPostRefundTable(DATABASE),
        new EasyPostEvents(DATABASE),
        metrics);
  }

  @Test
  void countsEachRequestOfALabel() throws Exception {
    labels.buy(key, to("SW1Y 4JH"));
    labels.buy(key, to("SW1Y 4JH"));

    assertThat(count("find", "not-found")).isEqualTo(1);
    assertThat(count("create", "ok")).isEqualTo(1);
    assertThat(count("buy", "ok")).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "EZTK_revoked, unauthorized",
    "EZTK_without_permissions, unauthorized",
    "EZTK_unpaid, unpaid"
  })
  void aRefusedKeySaysNothingAboutTheLabel(String apiKey, String result) throws Exception {
    EasyPostLabels refused = labels(withKey(apiKey));

    assertThatThrownBy(() -> refused.buy(key, to("SW1Y 4JH")))
        .isInstanceOf(EasyPostUnavailable.class)
        .hasMessageNotContaining(apiKey);
    assertThat(count("find", result)).isEqualTo(1);
    assertThat(labels.buy(key, to("SW1Y 4JH"))).as("with a good key").isInstanceOf(Bought.class);
  }

  /** At start. The usual one is the line break at the end of a file. */
  @ParameterizedTest
  @ValueSource(strings = {"EZTK_secret\n", "EZTK secret", "EZTK_secr\u00e9t", "\ufeffEZTK_secret"})
  void aKeyThatIsNoneIsNotTold(String apiKey) {
    assertThatThrownBy(() -> labels(withKey(apiKey)).buy(key, to("SW1Y 4JH")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("onceflow.easypost.api-key")
        .hasMessageNotContaining("EZTK");
  }

  @ParameterizedTest
  @CsvSource({
    "SIM-RATE-LIMITED-TWICE, rate-limited",
    "SIM-UNAVAILABLE-TWICE, error",
    "SIM-ERROR-AFTER-BUY, error",
    "SIM-SLOW, no-answer"
  })
  void countsWhatIsNotCarriedOutOrNotAnswered(String zip, String result) {
    EasyPostLabels impatient =
        labels(TestEasyPostConfig.of(config.url(), Map.of("read-timeout", "PT2S")));

    assertThatThrownBy(() -> impatient.buy(key, to(zip))).isInstanceOf(EasyPostUnavailable.class);
    assertThat(count("buy", result)).isEqualTo(1);
  }

  @Test
  void countsWhatIsInvalid() throws Exception {
    labels.buy(key, to("SIM-BAD-ADDRESS"));

    assertThat(count("create", "invalid")).isEqualTo(1);
  }

  private static LabelRequest to(String zip) {
    return new LabelRequest("order-1", TestEasyPost.recipient(zip, "GB"), false);
  }

  private double count(String operation, String result) {
    return metrics
        .counter("onceflow.easypost.requests", "operation", operation, "result", result)
        .count();
  }
}

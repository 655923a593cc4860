package io.onceflow.easypost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.RetentionInvalid;
import io.onceflow.sql.ExpiringTable;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rule 14: memory outlives repetition. */
class EasyPostRetentionTest {

  /** Its compensation would take the label for one that was never asked for. */
  @Test
  void isLongerThanActionsAreRemembered() {
    ExpiringTable requests = requests(Map.of("retention", "P30D"));

    assertThatThrownBy(requests::expiring)
        .isInstanceOf(RetentionInvalid.class)
        .hasMessageContaining("onceflow.easypost.retention is PT720H, which is not longer than")
        .hasMessageContaining("onceflow.inbox.retention (PT720H)");
    assertThat(requests(Map.of()).expiring()).isPresent();
  }

  @Test
  void isOfNoImportanceWhereNothingIsAskedOfEasyPost() {
    assertThat(requests(Map.of("api-key", "", "retention", "P30D")).expiring()).isPresent();
  }

  private static ExpiringTable requests(Map<String, String> values) {
    InboxConfig inbox =
        new SmallRyeConfigBuilder()
            .withMapping(InboxConfig.class)
            .build()
            .getConfigMapping(InboxConfig.class);
    return EasyPostRetention.requests(TestEasyPostConfig.of("https://localhost", values), inbox);
  }
}

package io.onceflow.stripe;

import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.HashMap;
import java.util.Map;

/** The defaults, with the double's address and a key that it takes. */
final class TestStripeConfig {

  private TestStripeConfig() {}

  static StripeConfig of(String url) {
    return of(url, "sk_test_double");
  }

  static StripeConfig of(String url, String key) {
    return of(Map.of("url", url, "api-key", key));
  }

  /** With nothing but these values and the defaults. */
  static StripeConfig of(Map<String, String> values) {
    Map<String, String> all = new HashMap<>();
    values.forEach((key, value) -> all.put("onceflow.stripe." + key, value));
    return new SmallRyeConfigBuilder()
        .withMapping(StripeConfig.class)
        .withDefaultValues(all)
        .build()
        .getConfigMapping(StripeConfig.class);
  }
}

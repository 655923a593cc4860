package io.onceflow.easypost;

import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.HashMap;
import java.util.Map;

/** The defaults, with the double's address, a key that it takes and a sender. */
final class TestEasyPostConfig {

  private static final Map<String, String> VALUES =
      Map.of(
          "api-key", "EZTK_double",
          "sender.name", "Onceflow Books",
          "sender.street", "417 Montgomery Street",
          "sender.city", "San Francisco",
          "sender.state", "CA",
          "sender.zip", "94104",
          "sender.country", "US",
          "sender.phone", "4155550100",
          "parcel.length", "9");

  private TestEasyPostConfig() {}

  static EasyPostConfig of(String url) {
    return of(url, Map.of());
  }

  /** With other values for some keys. */
  static EasyPostConfig of(String url, Map<String, String> others) {
    Map<String, String> values = new HashMap<>(VALUES);
    values.put("url", url);
    values.putAll(others);
    SmallRyeConfigBuilder builder = new SmallRyeConfigBuilder().withMapping(EasyPostConfig.class);
    values.forEach((key, value) -> builder.withDefaultValue("onceflow.easypost." + key, value));
    return builder.build().getConfigMapping(EasyPostConfig.class);
  }
}

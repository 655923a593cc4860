package io.onceflow.easypost;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** The defaults, with the double's address and a key that it takes. */
record TestEasyPostConfig(
    String url,
    String key,
    Duration settlingTime,
    Optional<List<String>> carriers,
    Duration readTimeout,
    Optional<List<String>> webhookSecrets)
    implements EasyPostConfig {

  static TestEasyPostConfig of(String url) {
    return new TestEasyPostConfig(
        url,
        "EZTK_double",
        Duration.ofMinutes(1),
        Optional.empty(),
        Duration.ofSeconds(4),
        Optional.empty());
  }

  TestEasyPostConfig with(String key) {
    return new TestEasyPostConfig(url, key, settlingTime, carriers, readTimeout, webhookSecrets);
  }

  TestEasyPostConfig settlingWithin(Duration time) {
    return new TestEasyPostConfig(url, key, time, carriers, readTimeout, webhookSecrets);
  }

  TestEasyPostConfig from(String carrier) {
    return new TestEasyPostConfig(
        url, key, settlingTime, Optional.of(List.of(carrier)), readTimeout, webhookSecrets);
  }

  TestEasyPostConfig waiting(Duration time) {
    return new TestEasyPostConfig(url, key, settlingTime, carriers, time, webhookSecrets);
  }

  TestEasyPostConfig signedBy(String... secrets) {
    return new TestEasyPostConfig(
        url, key, settlingTime, carriers, readTimeout, Optional.of(List.of(secrets)));
  }

  @Override
  public Optional<String> apiKey() {
    return Optional.of(key);
  }

  @Override
  public Duration connectTimeout() {
    return Duration.ofSeconds(2);
  }

  @Override
  public Optional<List<String>> services() {
    return Optional.empty();
  }

  @Override
  public Optional<Sender> sender() {
    return Optional.of(new TestSender());
  }

  @Override
  public Parcel parcel() {
    return new TestParcel();
  }

  @Override
  public Duration retention() {
    return Duration.ofDays(90);
  }

  private static final class TestSender implements Sender {
    @Override
    public String name() {
      return "Onceflow Books";
    }

    @Override
    public String street() {
      return "417 Montgomery Street";
    }

    @Override
    public String city() {
      return "San Francisco";
    }

    @Override
    public Optional<String> state() {
      return Optional.of("CA");
    }

    @Override
    public String zip() {
      return "94104";
    }

    @Override
    public String country() {
      return "US";
    }

    @Override
    public Optional<String> phone() {
      return Optional.of("4155550100");
    }
  }

  private static final class TestParcel implements Parcel {
    @Override
    public double weight() {
      return 16;
    }

    @Override
    public OptionalDouble length() {
      return OptionalDouble.of(9);
    }

    @Override
    public OptionalDouble width() {
      return OptionalDouble.empty();
    }

    @Override
    public OptionalDouble height() {
      return OptionalDouble.empty();
    }
  }
}

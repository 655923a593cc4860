package io.onceflow.stripe;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The defaults, with the double's address and a key that it takes. */
record TestStripeConfig(String url, String key) implements StripeConfig {

  TestStripeConfig(String url) {
    this(url, "sk_test_double");
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
  public Duration readTimeout() {
    return Duration.ofSeconds(3);
  }

  @Override
  public Duration settlingTime() {
    return Duration.ofMinutes(10);
  }

  @Override
  public boolean mayWait() {
    return true;
  }

  @Override
  public Duration lookAgainAfter() {
    return Duration.ofMinutes(2);
  }

  @Override
  public int webhookConcurrency() {
    return 8;
  }

  @Override
  public Optional<List<String>> webhookSecrets() {
    return Optional.empty();
  }

  @Override
  public Duration webhookTolerance() {
    return Duration.ofMinutes(5);
  }

  @Override
  public Duration retention() {
    return Duration.ofDays(180);
  }
}

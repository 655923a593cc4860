package io.onceflow.stripe;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The defaults, with the double's address and a key that it takes. */
record TestStripeConfig(
    String url,
    Optional<String> apiKey,
    Optional<List<String>> webhookSecrets,
    int webhookConcurrency)
    implements StripeConfig {

  TestStripeConfig(String url) {
    this(url, "sk_test_double");
  }

  TestStripeConfig(String url, String key) {
    this(url, Optional.of(key), Optional.empty(), 8);
  }

  TestStripeConfig withoutKey() {
    return new TestStripeConfig(url, Optional.empty(), webhookSecrets, webhookConcurrency);
  }

  TestStripeConfig signedBy(String... secrets) {
    return new TestStripeConfig(url, apiKey, Optional.of(List.of(secrets)), webhookConcurrency);
  }

  TestStripeConfig takingAtATime(int events) {
    return new TestStripeConfig(url, apiKey, webhookSecrets, events);
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
  public Duration webhookTolerance() {
    return Duration.ofMinutes(5);
  }

  @Override
  public Duration retention() {
    return Duration.ofDays(180);
  }
}

package io.onceflow.launcher.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ServiceJvmTest {

  @Test
  void withoutMoreOptionsAServiceHasTheUsualOnes() {
    assertThat(ServiceJvm.options("payment-service", " "))
        .containsExactly("-Xmx256m", "-XX:+UseSerialGC");
  }

  @Test
  void moreOptionsComeAfterTheUsualOnesAndMayHoldTheServicesName() {
    assertThat(
            ServiceJvm.options(
                "payment-service", "-Xmx128m  -XX:AOTConfiguration=/caches/{service}.conf"))
        .containsExactly(
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-Xmx128m",
            "-XX:AOTConfiguration=/caches/payment-service.conf");
  }
}

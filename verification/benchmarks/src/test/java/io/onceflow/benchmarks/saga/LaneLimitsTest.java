package io.onceflow.benchmarks.saga;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LaneLimitsTest {

  private static final String METERS =
      """
      # TYPE onceflow_inbox_calls_limit gauge
      onceflow_inbox_calls_limit{type="RefundPayment"} 12.0
      onceflow_inbox_calls_limit{type="ProcessPayment"} 243.0
      onceflow_inbox_calls_active{type="ProcessPayment"} 160.0
      onceflow_inbox_calls_limit{type="ProcessPayment"} 164.0
      """;

  @Test
  void isTheLargestOfAllServices() {
    assertThat(LaneLimits.parse(METERS, "ProcessPayment")).isEqualTo(243);
  }

  @Test
  void isNotANumberWhereNoSuchCallWasMade() {
    assertThat(LaneLimits.parse(METERS, "ArrangeShipment")).isNaN();
  }
}

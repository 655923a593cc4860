package io.onceflow.launcher.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.launcher.demo.FakeOnceflow.Flaw;
import io.onceflow.launcher.servers.FreePorts;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoTest {

  private final ByteArrayOutputStream told = new ByteArrayOutputStream();

  @Test
  void tellsFourStoriesThatAllGoAsTold() throws Exception {
    try (FakeOnceflow onceflow = new FakeOnceflow()) {
      assertThat(tell(onceflow.endpoints())).as(told.toString()).isTrue();
    }
    assertThat(text())
        .contains("1. An order that is confirmed", "2. A card", "3. A shipment", "4. The same POST")
        .contains("All four stories ended as expected")
        .contains("saga place-order, version 1: COMPENSATED")
        .doesNotContain("NOT");
  }

  @Test
  void readsStripesListsWhereItCharges() throws Exception {
    try (FakeOnceflow onceflow = new FakeOnceflow()) {
      assertThat(tell(onceflow.endpointsWithStripe())).as(told.toString()).isTrue();
    }
    try (FakeOnceflow onceflow = new FakeOnceflow(Flaw.KEEPS_THE_MONEY)) {
      assertThat(tell(onceflow.endpointsWithStripe())).isFalse();
    }
    try (FakeOnceflow onceflow = new FakeOnceflow(Flaw.CHARGES_TWICE)) {
      assertThat(tell(onceflow.endpointsWithStripe())).isFalse();
    }
  }

  @Test
  void asksForTheCarriersNumbersWhereItHasNoLedger() throws Exception {
    try (FakeOnceflow onceflow = new FakeOnceflow()) {
      assertThat(tell(onceflow.endpointsWithRealCarrier())).as(told.toString()).isTrue();
    }
    try (FakeOnceflow onceflow = new FakeOnceflow(Flaw.SHIPS_TWICE)) {
      assertThat(tell(onceflow.endpointsWithRealCarrier())).isFalse();
    }
    try (FakeOnceflow onceflow = new FakeOnceflow(Flaw.SHIPS_WHAT_IS_REFUSED)) {
      assertThat(tell(onceflow.endpointsWithRealCarrier())).isFalse();
    }
  }

  @Test
  void saysHowToFindTheTraceOfEachOrder() throws Exception {
    try (FakeOnceflow onceflow = new FakeOnceflow()) {
      tell(onceflow.endpoints());

      assertThat(onceflow.traces()).hasSize(4);
      assertThat(onceflow.traces())
          .allSatisfy(
              trace ->
                  assertThat(text())
                      .contains("trace " + trace, "http://localhost:16686/trace/" + trace));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          KEEPS_THE_MONEY | the gateway's ledger holds one CHARGE and one REFUND, but saw: 200 [{
          CHARGES_TWICE   | the gateway's ledger holds one CHARGE, but saw: 200 [{
          IGNORES_THE_KEY | with Idempotent-Replayed: true, but saw: {
          SAGA_NEVER_ENDS | its saga ends COMPLETED, but saw: 200 {
          """)
  void noticesWhatDoesNotGoAsTold(Flaw flaw, String complaint) throws Exception {
    try (FakeOnceflow onceflow = new FakeOnceflow(flaw)) {
      assertThat(tell(onceflow.endpoints())).isFalse();
    }
    assertThat(text()).contains("Not as told:").contains(complaint);
  }

  @Test
  void saysWhereNobodyAnswers() throws Exception {
    URI nobody = URI.create("http://localhost:" + FreePorts.next());
    assertThat(tell(new Endpoints(nobody, nobody, nobody))).isFalse();
    assertThat(text()).contains("broke off: No service answers at " + nobody + "/orders");
  }

  private boolean tell(Endpoints endpoints) throws InterruptedException {
    PrintStream out = new PrintStream(told, true, StandardCharsets.UTF_8);
    return new Demo(endpoints, "customer", "operator").tell(out);
  }

  private String text() {
    return told.toString(StandardCharsets.UTF_8);
  }
}

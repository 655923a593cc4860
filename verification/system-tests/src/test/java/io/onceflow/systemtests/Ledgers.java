package io.onceflow.systemtests;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.response.Response;
import java.util.List;
import java.util.Map;

/** The books of the simulated gateway and the simulated carrier, read by an operator. */
record Ledgers(Stack stack) {

  List<LedgerEntry> gateway(String orderId) {
    return read(stack.payments().url() + "/simulated-gateway/ledger?orderId=" + orderId);
  }

  List<LedgerEntry> carrier(String orderId) {
    return read(stack.shipping().url() + "/simulated-carrier/ledger?orderId=" + orderId);
  }

  private List<LedgerEntry> read(String url) {
    Response answer = given().auth().oauth2(stack.issuer().operator()).get(url);
    assertThat(answer.statusCode()).as("%s answered %s", url, answer.asString()).isEqualTo(200);
    List<Map<String, Object>> entries = answer.as(Json.OBJECTS);
    return entries.stream().map(Ledgers::entry).toList();
  }

  private static LedgerEntry entry(Map<String, Object> json) {
    Number amount = (Number) json.getOrDefault("amount", 0);
    return new LedgerEntry(
        String.valueOf(json.get("idempotencyKey")),
        String.valueOf(json.get("kind")),
        amount == null ? 0 : amount.longValue());
  }
}

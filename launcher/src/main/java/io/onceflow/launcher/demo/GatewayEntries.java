package io.onceflow.launcher.demo;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * What the gateway has on its books for an order, oldest first.
 *
 * @param kinds {@code CHARGE}, {@code REFUND}
 * @param amounts of the same entries, in minor units
 * @param seen as it was read
 */
record GatewayEntries(List<String> kinds, List<Long> amounts, ApiResponse seen) {

  /** From the ledger of the simulated gateway. */
  static GatewayEntries ofSimulated(ApiResponse ledger) {
    List<JsonNode> entries = stream(ledger.json()).toList();
    return new GatewayEntries(
        entries.stream().map(it -> it.path("kind").asText()).toList(),
        entries.stream().map(it -> it.path("amount").asLong()).toList(),
        ledger);
  }

  /** From Stripe's lists of payment intents and of refunds. */
  static GatewayEntries ofStripe(String orderId, ApiResponse intents, ApiResponse refunds) {
    List<String> kinds = new ArrayList<>();
    List<Long> amounts = new ArrayList<>();
    for (JsonNode intent : charges(orderId, intents)) {
      kinds.add("CHARGE");
      amounts.add(intent.path("amount_received").asLong());
      stream(refunds.json().path("data"))
          .filter(it -> it.path("payment_intent").equals(intent.path("id")))
          .forEach(
              refund -> {
                kinds.add("REFUND");
                amounts.add(refund.path("amount").asLong());
              });
    }
    return new GatewayEntries(kinds, amounts, intents);
  }

  private static List<JsonNode> charges(String orderId, ApiResponse intents) {
    return stream(intents.json().path("data"))
        .filter(it -> it.path("status").asText().equals("succeeded"))
        .filter(it -> stream(it.path("metadata")).anyMatch(text -> text.asText().equals(orderId)))
        .toList();
  }

  private static Stream<JsonNode> stream(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false);
  }
}

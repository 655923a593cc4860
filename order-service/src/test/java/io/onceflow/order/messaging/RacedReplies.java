package io.onceflow.order.messaging;

import static java.util.Map.entry;

import java.util.List;
import java.util.Map;

/** The words in which the stories of replies are told. */
final class RacedReplies {

  /** The customer cancels the order. */
  static final String CANCEL = "cancel";

  /** The customer gives the order back; what follows is about the return. */
  static final String RETURN = "return";

  /** An operator has the return undone. */
  static final String COMPENSATE = "compensate";

  /** What each reply says of an order and its return. */
  static final Map<String, String> PAYLOADS =
      Map.ofEntries(
          entry(
              "PaymentProcessed",
              """
              {"orderId": "?order", "paymentId": "0199c3a4-6020-7d11-8c44-52a1b0c9d302",
               "amount": 2500, "currency": "EUR", "gatewayReference": "ch_1"}"""),
          entry("PaymentDeclined", "{\"orderId\": \"?order\", \"reason\": \"CARD_DECLINED\"}"),
          entry("PaymentRefunded", "{\"orderId\": \"?order\", \"amount\": 2500}"),
          entry(
              "ShipmentArranged",
              """
              {"orderId": "?order", "shipmentId": "0199c3a4-7030-7e22-9d55-63b2c1dae403",
               "trackingNumber": "SIM-1"}"""),
          entry(
              "ShipmentRejected", "{\"orderId\": \"?order\", \"reason\": \"COUNTRY_NOT_SERVED\"}"),
          entry("ShipmentCancelled", "{\"orderId\": \"?order\"}"),
          entry(
              "ReturnArranged",
              """
              {"returnId": "?return", "orderId": "?order", "trackingNumber": "SIM-2",
               "shipmentId": "0199c3a4-9050-7a44-9f77-85d4e3fc0605"}"""),
          entry(
              "ReturnRejected",
              """
              {"returnId": "?return", "orderId": "?order", "reason": "RETURNS_NOT_SERVED"}"""),
          entry("ReturnCancelled", "{\"returnId\": \"?return\", \"orderId\": \"?order\"}"),
          entry("PaymentReturned", "{\"orderId\": \"?order\", \"amount\": 2500}"));

  /**
   * A reply to race with.
   *
   * @param type of the reply
   * @param other reply that may come out of its turn
   * @param before what is told first: replies by their types, and the words above
   */
  record Line(String type, String other, List<String> before) {

    static Line of(String type, String other, String... before) {
      return new Line(type, other, List.of(before));
    }
  }

  private RacedReplies() {}
}

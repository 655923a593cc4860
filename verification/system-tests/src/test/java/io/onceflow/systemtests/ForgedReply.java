package io.onceflow.systemtests;

import com.rabbitmq.client.AMQP.BasicProperties;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A reply that fits a saga but for one thing or more.
 *
 * @param wrong what does not fit, in words
 */
record ForgedReply(Message message, String wrong) {

  private static final String PAYMENT_SERVICE = "order-service.payment-service";

  private static final List<String> OTHER_SENDERS =
      List.of(
          "order-service.shipping-service",
          "order-service",
          PAYMENT_SERVICE + ".shipping-service",
          "order-service.Payment-service");

  private static final List<String> OTHER_STEPS =
      List.of("arrange-shipment", "pay-twice", "refund-payment2");

  private static final List<String> OTHER_ORIGINS =
      List.of("order-service/return-order", "trips/place-order", "order-service");

  private static final List<String> OTHER_AMOUNTS = List.of("1", "2501", "-2500", "0", "25000");

  private static final List<String> OTHER_CURRENCIES = List.of("JPY", "USD", "CHF");

  /**
   * The genuine reply, that the order is paid, is spoilt.
   *
   * @param saga of the order
   * @param key the order's
   * @param id of the message
   */
  static ForgedReply of(Order order, String saga, String key, String id, Dice dice) {
    Draft draft = new Draft(order, saga, key);
    for (int left = dice.chance(0.8) ? 1 : 2; left > 0; left--) {
      draft.spoil(dice);
    }
    return new ForgedReply(draft.message(id), draft.wrong);
  }

  /** Before it is sent. */
  private static final class Draft {

    private final Map<String, @Nullable Object> headers = new HashMap<>();
    private String routingKey = PAYMENT_SERVICE;
    private String order;
    private String amount;
    private String currency = "EUR";
    private final String saga;
    private String wrong = "";

    private Draft(Order order, String saga, String key) {
      this.order = order.id();
      this.amount = Long.toString(OrderForm.GOOD.amount());
      this.saga = saga;
      headers.put("x-idempotency-key", key);
      headers.put("x-idempotency-scope", order.customer().name());
      headers.put("x-saga-origin", "order-service/place-order");
      headers.put("x-saga-step", "process-payment");
      headers.put("x-outcome", "done");
      headers.put("x-message-version", "1");
    }

    private void spoil(Dice dice) {
      switch (dice.below(8)) {
        case 0 -> routingKey = noted("routing key", dice.oneOf(OTHER_SENDERS));
        case 1 -> header("x-saga-step", dice.oneOf(OTHER_STEPS));
        case 2 -> header("x-saga-origin", dice.oneOf(OTHER_ORIGINS));
        case 3 -> header("x-idempotency-scope", "mallory-" + dice.any());
        case 4 -> header("x-idempotency-key", "key-" + dice.any());
        case 5 -> amount = noted("amount", dice.oneOf(OTHER_AMOUNTS));
        case 6 -> currency = noted("currency", dice.oneOf(OTHER_CURRENCIES));
        default -> order = noted("order", new UUID(dice.any(), dice.any()).toString());
      }
    }

    private void header(String name, String value) {
      headers.put(name, noted(name, value));
    }

    private String noted(String what, String value) {
      wrong += "%s is \"%s\"; ".formatted(what, value);
      return value;
    }

    private Message message(String id) {
      BasicProperties properties =
          new BasicProperties.Builder()
              .messageId(id)
              .type("PaymentProcessed")
              .contentType("application/json")
              .deliveryMode(2)
              .correlationId(saga)
              .headers(headers)
              .build();
      String payload =
          """
          {"orderId": "%s", "paymentId": "%s", "amount": %s, "currency": "%s",
           "gatewayReference": "ch_forged"}\
          """
              .formatted(order, UUID.randomUUID(), amount, currency);
      return new Message(Message.REPLIES, routingKey, properties, new byte[0]).withPayload(payload);
    }
  }
}

package io.onceflow.order.messaging;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.rabbitmq.internal.BrokerConnection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeoutException;

/** The other services, played by the test: they say what they are told to. */
final class OtherServices implements AutoCloseable {

  private final Channel channel;
  private final String customer;

  OtherServices(BrokerConnection broker, String customer) throws IOException {
    this.channel = broker.openChannel();
    this.customer = customer;
  }

  /** Answers a saga, under its root key. */
  void reply(String type, String payload, String saga, String rootKey) throws IOException {
    channel.basicPublish(
        OutboxMessage.REPLIES,
        ReplyEnvelopes.routingKey(type),
        new BasicProperties.Builder()
            .messageId(UUID.randomUUID().toString())
            .type(type)
            .correlationId(saga)
            .headers(Map.copyOf(ReplyEnvelopes.headers(type, customer, rootKey)))
            .build(),
        payload.getBytes(StandardCharsets.UTF_8));
  }

  /** Answers an order's saga so that the order is confirmed. */
  void goAlongWith(String order, String saga, String rootKey) throws IOException {
    reply(
        "PaymentProcessed",
        """
        {"orderId": "%s", "paymentId": "0199c3a4-6020-7d11-8c44-52a1b0c9d302", "amount": 2500,
         "currency": "EUR", "gatewayReference": "ch_1"}
        """
            .formatted(order),
        saga,
        rootKey);
    reply(
        "ShipmentArranged",
        """
        {"orderId": "%s", "shipmentId": "0199c3a4-7030-7e22-9d55-63b2c1dae403",
         "trackingNumber": "SIM-1"}
        """
            .formatted(order),
        saga,
        rootKey);
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } catch (TimeoutException e) {
      throw new IOException(e);
    }
  }
}

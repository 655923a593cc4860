package io.onceflow.order.imports;

import com.rabbitmq.client.Channel;
import io.onceflow.rabbitmq.internal.BrokerConnection;
import java.io.IOException;
import java.util.concurrent.TimeoutException;

/** Takes every command and answers none, so that what is sent has somewhere to go. */
final class DeafPaymentService implements AutoCloseable {

  private final Channel channel;
  private final String queue;

  DeafPaymentService(BrokerConnection broker) throws IOException {
    channel = broker.openChannel();
    channel.exchangeDeclare("onceflow.commands", "topic", true);
    queue = channel.queueDeclare().getQueue();
    channel.queueBind(queue, "onceflow.commands", "payment.#");
  }

  @Override
  public void close() throws IOException {
    try {
      channel.queueDelete(queue);
      channel.close();
    } catch (TimeoutException e) {
      throw new IOException(e);
    }
  }
}

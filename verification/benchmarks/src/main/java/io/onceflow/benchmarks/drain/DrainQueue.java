package io.onceflow.benchmarks.drain;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** A durable quorum queue to which commands of the benchmark are routed. Closing deletes it. */
public final class DrainQueue implements AutoCloseable {

  static final String EXCHANGE = "onceflow.commands";

  /** Of messages that are sent one by one. */
  public static final String SINGLY = "bench.singly";

  /** Of messages that the relay bundles, as it bundles the services' commands. */
  public static final String PACKED = "bench.packed";

  private static final String QUEUE = "onceflow.bench.drain";

  private final Connection connection;
  private final Channel channel;

  private DrainQueue(Connection connection, Channel channel) {
    this.connection = connection;
    this.channel = channel;
  }

  /** Declares and binds it. The services have declared the exchange when they started. */
  public static DrainQueue bind(String host, int port, String user, String password)
      throws IOException, TimeoutException {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(host);
    factory.setPort(port);
    factory.setUsername(user);
    factory.setPassword(password);
    Connection connection = factory.newConnection("onceflow-bench");
    try {
      Channel channel = connection.createChannel();
      channel.queueDeclare(QUEUE, true, false, false, Map.of("x-queue-type", "quorum"));
      channel.queueBind(QUEUE, EXCHANGE, SINGLY);
      channel.queueBind(QUEUE, EXCHANGE, PACKED);
      channel.queueBind(QUEUE, EXCHANGE, "bundle." + PACKED);
      return new DrainQueue(connection, channel);
    } catch (IOException e) {
      connection.close();
      throw e;
    }
  }

  /** How many AMQP messages wait in it; bundled ones count once. */
  public long waiting() throws IOException {
    return channel.messageCount(QUEUE);
  }

  /** Empties it, so that the next measurement starts as this one did. */
  public void purge() throws IOException {
    channel.queuePurge(QUEUE);
  }

  @Override
  public void close() throws IOException {
    channel.queueDelete(QUEUE);
    connection.close();
  }
}

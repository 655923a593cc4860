package com.example.points;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.onceflow.launcher.testing.TestServers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The broker, as another application sees it. */
public final class Amqp implements AutoCloseable {

  private final Connection connection;
  private final Channel channel;

  public Amqp() {
    TestServers servers = TestServers.shared();
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(servers.brokerHost());
    factory.setPort(servers.brokerPort());
    factory.setUsername(servers.brokerUser());
    factory.setPassword(servers.password());
    factory.setVirtualHost(servers.brokerVirtualHost());
    try {
      connection = factory.newConnection();
      channel = connection.createChannel();
    } catch (Exception e) {
      throw new IllegalStateException("the broker is not there", e);
    }
  }

  public Amqp declare(String... queues) throws IOException {
    for (String queue : queues) {
      channel.queueDeclare(queue, true, false, false, Map.of());
    }
    return this;
  }

  public void send(String queue, BasicProperties properties, String body) throws IOException {
    channel.basicPublish("", queue, properties, body.getBytes(StandardCharsets.UTF_8));
  }

  /** Messages that no consumer has. */
  public long ready(String queue) throws IOException {
    return channel.messageCount(queue);
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}

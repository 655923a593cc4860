package io.onceflow.systemtests.chaos.run;

import io.onceflow.systemtests.KafkaBroker;
import io.onceflow.systemtests.Message;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Kafka: the topics of the three services are read by a member of no group. */
final class KafkaWire implements BrokerWire {

  private static final List<String> TOPICS =
      List.of(
          Message.COMMANDS + ".payment",
          Message.COMMANDS + ".shipping",
          Message.REPLIES + ".order-service",
          // What is published by hand wants to be answered there.
          Message.REPLIES + ".chaos",
          EVENTS + ".order");

  private static final int PARTITIONS = 4;

  private final KafkaBroker kafka;

  KafkaWire(int port, Consumer<Message> heard) {
    kafka = new KafkaBroker("localhost:" + port, PARTITIONS);
    kafka.listen(TOPICS, heard);
  }

  @Override
  public long waiting(String queue) {
    try {
      return kafka.waiting(queue);
    } catch (IllegalStateException e) {
      return -1;
    }
  }

  @Override
  public long purge(String queue) throws IOException {
    return tried(() -> kafka.purge(queue));
  }

  @Override
  public void publish(List<Message> messages) throws IOException {
    tried(
        () -> {
          kafka.publishAgain(1, messages);
          return messages.size();
        });
  }

  @Override
  public void removeMembers(String queue) throws IOException {
    tried(
        () -> {
          kafka.removeMembers(queue);
          return 0;
        });
  }

  private static long tried(LongSupplier what) throws IOException {
    try {
      return what.getAsLong();
    } catch (IllegalStateException e) {
      throw new IOException("Kafka did not do it: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    kafka.close();
  }
}

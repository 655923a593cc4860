package io.onceflow.systemtests.chaos.run;

import io.onceflow.systemtests.Message;
import io.onceflow.systemtests.chaos.stack.Backends;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/** What the wiretap does at a broker, whichever it is. */
interface BrokerWire extends AutoCloseable {

  /** The exchange of events. */
  String EVENTS = "onceflow.events";

  /**
   * Listens from now on, also after the broker was away.
   *
   * @param heard gets each message
   */
  static BrokerWire to(Backends backends, Consumer<Message> heard) throws IOException {
    return backends.hasGroups()
        ? new KafkaWire(backends.brokerPort(), heard)
        : new RabbitWire(backends.brokerPort(), heard);
  }

  /** How many messages wait in a queue for a consumer; -1 if there is no such queue. */
  long waiting(String queue);

  /** Loses all that waits in a queue, and says how many these were. */
  long purge(String queue) throws IOException;

  /**
   * Publishes messages, and waits until the broker has them all.
   *
   * @throws IOException if it may not have all of them
   */
  void publish(List<Message> messages) throws IOException;

  /** Throws all members out of a queue's group. */
  void removeMembers(String queue) throws IOException;

  @Override
  void close();
}

package io.onceflow.systemtests;

import io.onceflow.launcher.testing.TestServers;
import java.nio.file.Path;
import java.util.Map;

/** What carries the services' messages in this run. */
interface BrokerServer {

  /**
   * The one of the transport that the services were built for; it starts when it is first needed.
   *
   * @param output for what it writes, where it is a process
   */
  static BrokerServer of(TestServers servers, Path output) {
    return Project.isOnKafka() ? new KafkaServer(output) : new RabbitServer(servers);
  }

  /** Where services find it. */
  Map<String, String> environment();

  /** A connection of a test's own. */
  Broker connect();

  /** Stops it; what was connected is not any more. The embedded RabbitMQ forgets all it held. */
  void stop();

  /** Starts it again where it was; does nothing while it runs. */
  void start();

  /** Ends it with the run. */
  void end();
}

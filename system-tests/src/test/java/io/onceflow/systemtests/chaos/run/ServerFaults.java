package io.onceflow.systemtests.chaos.run;

import io.onceflow.systemtests.chaos.stack.Cluster;
import java.io.IOException;
import java.time.Duration;

/** What is done to PostgreSQL and the broker. */
final class ServerFaults {

  private final Cluster cluster;
  private final Recoveries recoveries;
  private final MessageFaults messages;
  private final Object oneAtATime = new Object();

  ServerFaults(Cluster cluster, Recoveries recoveries, MessageFaults messages) {
    this.cluster = cluster;
    this.recoveries = recoveries;
    this.messages = messages;
  }

  String killBroker(Duration away) throws IOException, InterruptedException {
    synchronized (oneAtATime) {
      cluster.replicas().forEach(recoveries::troubled);
      try {
        cluster.backends().killBroker();
        if (!cluster.backends().brokerKeeps()) {
          messages.lost();
        }
        Pauses.of(away.toMillis());
        cluster.backends().startBroker();
      } finally {
        cluster.replicas().forEach(recoveries::relieved);
      }
    }
    return "killed and started again";
  }

  /** Processes are ready all the same: what they have to say waits in their outboxes. */
  String alarm(Duration lasting) throws IOException, InterruptedException {
    synchronized (oneAtATime) {
      try {
        cluster.backends().alarm(true);
        Pauses.of(lasting.toMillis());
      } finally {
        cluster.backends().alarm(false);
      }
    }
    return "the broker took no message";
  }

  String killDatabase(Duration away) throws IOException, InterruptedException {
    synchronized (oneAtATime) {
      cluster.replicas().forEach(recoveries::troubled);
      try {
        cluster.backends().killDatabase();
        Pauses.of(away.toMillis());
        cluster.backends().startDatabase();
      } finally {
        cluster.replicas().forEach(recoveries::relieved);
      }
    }
    return "killed and started again";
  }
}

package io.onceflow.systemtests.chaos.run;

import io.onceflow.systemtests.chaos.stack.Cluster;
import io.onceflow.systemtests.chaos.stack.SteppedClock;
import java.io.IOException;
import java.time.Duration;

/** What is done to PostgreSQL and the broker. */
final class ServerFaults {

  private static final String READ_ONLY = "default_transaction_read_only";
  private static final String STANDBYS = "synchronous_standby_names";

  /** So that there is something to see once services can know it. */
  private static final Duration LONGER_THAN_UNNOTICED = Bystanders.UNNOTICED.plusSeconds(3);

  /** Longer than any lease lasts. */
  private static final Duration STEP = Duration.ofHours(1);

  private final Cluster cluster;
  private final Recoveries recoveries;
  private final MessageFaults messages;
  private final SteppedClock clock;
  private final Object oneAtATime = new Object();

  ServerFaults(Cluster cluster, Recoveries recoveries, MessageFaults messages) {
    this.cluster = cluster;
    this.recoveries = recoveries;
    this.messages = messages;
    this.clock = new SteppedClock(cluster.backends());
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

  /** Sessions stay, as those to a server that was switched to be a standby. */
  String readOnly(Duration lasting) throws IOException {
    withoutWrites(READ_ONLY, "on", lasting);
    return "PostgreSQL took no writes";
  }

  /** Each commit waits for a standby that is not there. */
  String standbyAway(Duration lasting) throws IOException {
    withoutWrites(STANDBYS, "away", lasting);
    return "PostgreSQL confirmed no commit";
  }

  private void withoutWrites(String setting, String value, Duration lasting) throws IOException {
    Duration visible =
        lasting.compareTo(LONGER_THAN_UNNOTICED) > 0 ? lasting : LONGER_THAN_UNNOTICED;
    synchronized (oneAtATime) {
      cluster.replicas().forEach(recoveries::troubled);
      try {
        cluster.backends().configure(setting, value);
        Pauses.of(visible.toMillis());
      } finally {
        cluster.backends().configure(setting, "");
        cluster.replicas().forEach(recoveries::relieved);
      }
    }
  }

  String stepClock(Duration lasting) throws IOException {
    synchronized (oneAtATime) {
      try {
        clock.set(STEP);
        Pauses.of(lasting.toMillis());
      } finally {
        clock.set(Duration.ZERO);
      }
    }
    return "PostgreSQL's clock was an hour fast, and right again";
  }

  /** Starts both, and takes back what they were told. */
  void heal() throws IOException, InterruptedException {
    cluster.backends().startDatabase();
    cluster.backends().startBroker();
    if (cluster.backends().canAlarm()) {
      cluster.backends().alarm(false);
    }
    cluster.backends().configure(READ_ONLY, "");
    cluster.backends().configure(STANDBYS, "");
    clock.set(Duration.ZERO);
  }
}

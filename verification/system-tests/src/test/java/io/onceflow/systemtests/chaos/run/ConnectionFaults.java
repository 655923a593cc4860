package io.onceflow.systemtests.chaos.run;

import io.onceflow.systemtests.chaos.stack.Proxy;
import io.onceflow.systemtests.chaos.stack.Replica;
import java.time.Duration;

/** What is done to a process' connections. */
final class ConnectionFaults {

  private static final Duration LATE = Duration.ofMillis(700);

  private final Recoveries recoveries;

  ConnectionFaults(Recoveries recoveries) {
    this.recoveries = recoveries;
  }

  String cut(Replica replica, boolean atBroker) {
    recoveries.troubled(replica);
    proxy(replica, atBroker).cut();
    recoveries.relieved(replica);
    return words(replica, atBroker);
  }

  String stall(Replica replica, boolean atBroker, Duration lasting) {
    Proxy proxy = proxy(replica, atBroker);
    recoveries.troubled(replica);
    proxy.stall(true);
    Pauses.of(lasting.toMillis());
    proxy.stall(false);
    recoveries.relieved(replica);
    return words(replica, atBroker);
  }

  String delay(Replica replica, boolean atBroker, Duration lasting) {
    Proxy proxy = proxy(replica, atBroker);
    recoveries.troubled(replica);
    proxy.delay(LATE);
    Pauses.of(lasting.toMillis());
    proxy.cut();
    proxy.delay(Duration.ZERO);
    recoveries.relieved(replica);
    return words(replica, atBroker);
  }

  /**
   * Silences connections for good: no end of the fault lets them through again. A start that meets
   * this has what it needs again once the process has found out.
   */
  String silence(Replica replica, boolean atBroker, int most, Duration lasting) {
    recoveries.troubled(replica);
    int silenced = proxy(replica, atBroker).silence(most);
    Pauses.of(lasting.toMillis());
    recoveries.relieved(replica);
    return "%s, %d connections".formatted(words(replica, atBroker), silenced);
  }

  void mend(Replica replica) {
    for (Proxy proxy : new Proxy[] {replica.toDatabase(), replica.toBroker()}) {
      proxy.endSilence();
      proxy.stall(false);
      proxy.delay(Duration.ZERO);
    }
  }

  private static Proxy proxy(Replica replica, boolean atBroker) {
    return atBroker ? replica.toBroker() : replica.toDatabase();
  }

  private static String words(Replica replica, boolean atBroker) {
    return "%s - %s".formatted(replica.name(), atBroker ? "broker" : "PostgreSQL");
  }
}

package io.onceflow.systemtests.chaos.plan;

import java.util.EnumSet;
import java.util.Set;

/** What may go wrong. */
public enum Kind {
  /** A process is killed, as by kill -9, and started again. */
  KILL(6),
  /** Both processes of a service are. */
  KILL_BOTH(1),
  /** A process stands still for longer than its leases last, and goes on. */
  FREEZE(4),
  /** The broker is killed and started again. */
  BROKER(1),
  /** PostgreSQL is killed and started again, which has it recover. */
  DATABASE(1),
  /** All that waits in a queue is lost. Its consumers are killed first, or nothing would wait. */
  PURGE(2),
  /** Messages of before are published again, in another order. */
  REPLAY(3),
  /** Many commands come at once, and one who handles them is killed meanwhile. */
  BURST(3),
  /** Compensations come before the actions that they undo. */
  OVERTAKE(2),
  /** A process loses its connections to PostgreSQL or to the broker. */
  CUT(3),
  /** For a while nothing comes through on them. */
  STALL(2),
  /** For a while everything on them comes late; then they are cut, with all that is under way. */
  DELAY(3),
  /** A process is killed and comes back with a clock that is wrong by half a minute. */
  CLOCK(1),
  /** Messages that no service can handle. */
  NONSENSE(1),
  /** Connections to PostgreSQL or to the broker pass nothing any more, and never end. */
  SILENCE(2),
  /** The broker is short of memory and takes no message from any connection. */
  ALARM(1),
  /** Rows that cannot be handled lie at the head of outbox and inbox. */
  POISON_ROW(1),
  /** Sagas that are due cannot be read: their orders' rows hold garbage for a while. */
  POISON_SAGA(1),
  /** Many charges at once take the gateway three seconds each. */
  SLOW_GATEWAY(1),
  /** One caller sends orders and imports as fast as it can. */
  FLOOD(1),
  /** Hundreds of requests whose bodies never come. */
  SLOW_WRITERS(1),
  /** The members of a group of Kafka's are thrown out of it, again and again. */
  REBALANCE(2),
  /** A process is replaced by one of the last version, and later by one of this version again. */
  VERSION(1);

  /** While one of these is all that is wrong, every other caller is served as if nothing were. */
  private static final Set<Kind> ISOLATED =
      EnumSet.of(SILENCE, ALARM, POISON_ROW, POISON_SAGA, SLOW_GATEWAY, FLOOD, SLOW_WRITERS);

  private final int weight;

  Kind(int weight) {
    this.weight = weight;
  }

  /** Whether other callers must not notice it. */
  public boolean isIsolated() {
    return ISOLATED.contains(this);
  }

  /** How often it is drawn, against the others. */
  int weight() {
    return weight;
  }
}

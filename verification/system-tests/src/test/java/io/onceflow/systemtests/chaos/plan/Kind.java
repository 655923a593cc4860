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
  /** PostgreSQL takes no writes for a while, as after a switchover; sessions stay. */
  READ_ONLY(1),
  /** PostgreSQL waits for a synchronous standby that is away. */
  STANDBY_AWAY(1),
  /** PostgreSQL's clock is an hour fast for a while, and then right again. */
  DATABASE_CLOCK(1),
  /** A dozen charges of one caller that the gateway never answers. */
  HANGING_CALLS(1),
  /** One caller reads pages of large orders on many connections, and takes no answer on others. */
  LARGE_READS(1),
  /** The members of a group of Kafka's are thrown out of it, again and again. */
  REBALANCE(2),
  /** A process is replaced by one of the last version, and later by one of this version again. */
  VERSION(1);

  /** While one of these is all that is wrong, nothing can be written. */
  private static final Set<Kind> STOPPING_WRITES = EnumSet.of(READ_ONLY, STANDBY_AWAY);

  /** While one of these is all that is wrong, other callers' orders are confirmed as usual. */
  private static final Set<Kind> LETTING_CONFIRM =
      EnumSet.of(SLOW_GATEWAY, SLOW_WRITERS, DATABASE_CLOCK, HANGING_CALLS, LARGE_READS);

  /** While one of these is all that is wrong, every other caller is served as if nothing were. */
  private static final Set<Kind> ISOLATED =
      EnumSet.of(SILENCE, ALARM, POISON_ROW, POISON_SAGA, FLOOD);

  static {
    ISOLATED.addAll(LETTING_CONFIRM);
  }

  private final int weight;

  Kind(int weight) {
    this.weight = weight;
  }

  /** Whether other callers must not notice it. */
  public boolean isIsolated() {
    return ISOLATED.contains(this);
  }

  /** Whether their orders are confirmed meanwhile, too. */
  public boolean letsConfirm() {
    return LETTING_CONFIRM.contains(this);
  }

  /** Whether nothing can be written meanwhile; callers are told so at once. */
  public boolean stopsWrites() {
    return STOPPING_WRITES.contains(this);
  }

  /** Whether a run does it alone first, to see what others notice. */
  public boolean isSeenAlone() {
    return isIsolated() || stopsWrites();
  }

  /** How often it is drawn, against the others. */
  int weight() {
    return weight;
  }
}

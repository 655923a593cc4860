package io.onceflow.outbox.internal;

/** How the relay learns of committed messages. */
public enum RelayMode {
  /** What this process has written is handed to it in memory; all else it reads from the table. */
  POLLER,

  /** One process of all reads them from the log of the database (change data capture). */
  CDC,

  /** Not at all: another program reads the table's log, such as Debezium. */
  NONE
}

package io.onceflow.outbox.internal;

/** How the relay learns of committed messages. */
public enum RelayMode {
  /** What this process has written is handed to it in memory; all else it reads from the table. */
  POLLER,

  /** Not at all: another program reads the table's log, such as Debezium. */
  NONE
}

package io.onceflow.launcher.servers;

import java.util.Locale;

/** What PostgreSQL's write-ahead log tells. */
public enum WalLevel {
  /** What a standby needs; PostgreSQL's default. */
  REPLICA,

  /** Also what changed in the tables, for Debezium. */
  LOGICAL;

  String setting() {
    return name().toLowerCase(Locale.ROOT);
  }
}

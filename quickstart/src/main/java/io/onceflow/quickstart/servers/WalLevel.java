package io.onceflow.quickstart.servers;

import java.util.Locale;

/** What PostgreSQL's write-ahead log tells. */
public enum WalLevel {
  /** What a standby needs; PostgreSQL's default. */
  REPLICA,

  /** Also what changed in the tables, for the outbox' relay {@code cdc} and for Debezium. */
  LOGICAL;

  /** The environment's name for it. */
  public static final String VARIABLE = "ONCEFLOW_WAL_LEVEL";

  /** As the environment says; {@link #REPLICA} where it says nothing. */
  public static WalLevel asSet() {
    return "logical".equals(System.getenv(VARIABLE)) ? LOGICAL : REPLICA;
  }

  String setting() {
    return name().toLowerCase(Locale.ROOT);
  }
}

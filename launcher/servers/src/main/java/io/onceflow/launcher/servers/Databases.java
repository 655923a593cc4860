package io.onceflow.launcher.servers;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Makes the services' databases on a PostgreSQL server that is new to Onceflow. */
public final class Databases {

  private Databases() {}

  /**
   * Makes each database of {@link Credentials#DATABASES} with its user, unless it is there already.
   *
   * @param superuser a connection that may make users and databases; stays open
   */
  public static void create(Connection superuser) throws SQLException {
    for (String name : Credentials.DATABASES) {
      create(superuser, name);
    }
  }

  /**
   * Makes a database with its user, unless it is there already.
   *
   * @param superuser a connection that may make users and databases; stays open
   * @param name of both; the password is {@link Credentials#PASSWORD}
   */
  public static void create(Connection superuser, String name) throws SQLException {
    String quoted = quoted(name);
    try (Statement statement = superuser.createStatement()) {
      if (!exists(superuser, "SELECT FROM pg_roles WHERE rolname = ?", name)) {
        statement.execute(
            "CREATE ROLE %s LOGIN PASSWORD '%s'".formatted(quoted, Credentials.PASSWORD));
      }
      if (!exists(superuser, "SELECT FROM pg_database WHERE datname = ?", name)) {
        // Always UTF-8: a server without a locale would make it SQL_ASCII.
        statement.execute(
            "CREATE DATABASE %1$s OWNER %1$s ENCODING 'UTF8' TEMPLATE template0".formatted(quoted));
      }
    }
  }

  /**
   * Drops a database, if it is there, and closes the connections to it.
   *
   * @param superuser a connection that may drop databases; stays open
   */
  public static void drop(Connection superuser, String name) throws SQLException {
    try (Statement statement = superuser.createStatement()) {
      statement.execute("DROP DATABASE IF EXISTS %s WITH (FORCE)".formatted(quoted(name)));
    }
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  private static boolean exists(Connection connection, String query, String name)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setString(1, name);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next();
      }
    }
  }
}

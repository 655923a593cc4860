package io.onceflow.launcher.testing;

/**
 * A PostgreSQL server, a broker and, on request, a Redis, embedded or in containers. Its signatures
 * use types of the JDK only, so that {@link TestServers#shared()} can pass one set to tests in
 * several class loaders.
 */
public interface Servers {

  /** Which stack this is, in words for the test's log. */
  String description();

  /** The URL of a database, without credentials. */
  String jdbcUrl(String database);

  /** Makes a database and the user of the same name who owns it, unless they are there already. */
  void createDatabase(String name);

  /** Where the broker listens; it starts when it is first asked for. */
  String brokerHost();

  /** The broker's port, the same after every {@link #startBroker()}; starts it at first. */
  int brokerPort();

  /** Stops the broker; does nothing if it is stopped. */
  void stopBroker();

  /** Starts the broker on its port and waits until it talks; does nothing if it runs. */
  void startBroker();

  /** The URL of the Redis, the same after every {@link #startRedis()}; starts it at first. */
  String redisUrl();

  /** Stops the Redis, which loses all; does nothing if it is stopped. */
  void stopRedis();

  /** Starts the Redis on its port and waits until it talks; does nothing if it runs. */
  void startRedis();

  /** Stops all. */
  void close();
}

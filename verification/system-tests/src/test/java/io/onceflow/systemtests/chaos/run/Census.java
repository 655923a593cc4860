package io.onceflow.systemtests.chaos.run;

import io.onceflow.launcher.check.CheckBounds;
import io.onceflow.launcher.check.Finding;
import io.onceflow.launcher.check.InstallationCheck;
import io.onceflow.launcher.servers.Credentials;
import io.onceflow.launcher.stack.Backends.Database;
import io.onceflow.systemtests.chaos.stack.Backends;
import io.onceflow.systemtests.chaos.stack.Cluster;
import io.onceflow.systemtests.chaos.world.Limits;
import io.onceflow.systemtests.chaos.world.World;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/** Takes down everything that can be seen from outside: tables, ledgers, and answers over HTTP. */
final class Census {

  /** So many orders are asked for over HTTP, too. */
  private static final int SHOWN = 300;

  private final Backends backends;
  private final Tables tables;
  private final Books books;
  private final Api api;

  Census(Cluster cluster, Api api) {
    this.backends = cluster.backends();
    this.tables = new Tables(backends);
    this.books = new Books(tables, cluster.gateway(), cluster.carrier());
    this.api = api;
  }

  /**
   * Takes down all.
   *
   * @param others how they were served while one thing was wrong
   * @param limits what all that may have taken
   */
  World take(
      List<Dealing> dealings,
      MessageFaults messages,
      Wiretap wiretap,
      List<World.Recovery> recoveries,
      Bystanders others,
      Limits limits) {
    List<World.Asked> asked = dealings.stream().map(Dealing::asked).toList();
    Set<String> told = wiretap.told();
    return new World(
        asked,
        orders(),
        sagas(),
        books.gateway(),
        books.carrier(),
        parked(),
        left(wiretap),
        new Witness(backends).seen(),
        messages.probes(),
        messages.overtaken(),
        messages.losses(),
        backends.brokerKeeps() ? told : null,
        shown(asked),
        recoveries,
        others.served(),
        others.interrupted(),
        limits,
        checked(),
        Set.of(),
        Set.of());
  }

  /** By the code of {@code ./onceflow check}, without the time that a running system is granted. */
  private List<Finding> checked() {
    Map<String, Database> databases = new TreeMap<>();
    for (String name : Tables.DATABASES.values()) {
      databases.put(name, new Database(backends.jdbcUrl(name), name, Credentials.PASSWORD));
    }
    CheckBounds bounds =
        new CheckBounds(
            1_000_000, 20, Duration.ofSeconds(30), Duration.ofDays(1), Duration.ofMinutes(1));
    try {
      return InstallationCheck.of(databases, bounds).findings();
    } catch (SQLException e) {
      throw new IllegalStateException("The check did not finish", e);
    }
  }

  private List<World.Order> orders() {
    return tables.rows(
        "orders",
        "SELECT id, customer, status, total_amount FROM orders",
        row ->
            new World.Order(row.getString(1), row.getString(2), row.getString(3), row.getLong(4)));
  }

  private List<World.Saga> sagas() {
    return tables.rows(
        "orders",
        "SELECT id, subject_id, scope, root_key, status FROM saga_instance",
        row ->
            new World.Saga(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getString(5)));
  }

  private List<World.Parked> parked() {
    List<World.Parked> all = new ArrayList<>();
    Tables.DATABASES.forEach(
        (service, database) ->
            all.addAll(
                tables.rows(
                    database,
                    """
                    SELECT coalesce(headers ->> 'x-idempotency-scope', ''), reason,
                           concat_ws(' ', type, detail, convert_from(payload, 'UTF8'))
                    FROM   parked_message
                    """,
                    row ->
                        new World.Parked(
                            service, row.getString(1), row.getString(2), row.getString(3)))));
    return all;
  }

  private List<World.Left> left(Wiretap wiretap) {
    List<World.Left> all = new ArrayList<>();
    Tables.DATABASES.forEach(
        (service, database) -> {
          all.addAll(
              left(
                  database,
                  service + " outbox_message",
                  """
                  SELECT coalesce(payload::json ->> 'orderId', ''),
                         concat_ws(' ', type, 'attempts', attempts)
                  FROM   outbox_message
                  """));
          all.addAll(
              left(
                  database,
                  service + " inbox_message",
                  """
                  SELECT '', concat_ws(' ', scope, step_key, 'attempts', attempts)
                  FROM   inbox_message
                  """
                      + "WHERE"
                      + Payloads.UNDER_WAY));
        });
    all.addAll(
        left(
            "orders",
            "order-service idempotency_record",
            """
            SELECT '', concat_ws(' ', scope, key, 'leased until', lease_expires_at)
            FROM   idempotency_record
            WHERE  lease_expires_at > now()
            """));
    List<String> queues = new ArrayList<>(MessageFaults.QUEUES.values());
    Tables.DATABASES.keySet().forEach(service -> queues.add(service + ".dead-letters"));
    for (String queue : queues) {
      long waiting = wiretap.wire().waiting(queue);
      if (waiting > 0) {
        all.add(new World.Left(queue, "", waiting + " messages"));
      }
    }
    return all;
  }

  private List<World.Left> left(String database, String where, String query) {
    return tables.rows(
        database, query, row -> new World.Left(where, row.getString(1), row.getString(2)));
  }

  private List<World.Shown> shown(List<World.Asked> asked) {
    List<World.Asked> some = new ArrayList<>(asked);
    Collections.shuffle(some, new Random(asked.size()));
    List<World.Shown> shown = new ArrayList<>();
    for (World.Asked one : some.subList(0, Math.min(SHOWN, some.size()))) {
      for (String orderId : new HashSet<>(one.orderIds())) {
        shown.add(show(one.customer(), orderId));
      }
    }
    return shown;
  }

  private World.Shown show(String customer, String orderId) {
    try {
      Api.Answer answer = api.get(customer, "/orders/" + orderId);
      return new World.Shown(orderId, answer.status(), Payloads.text(answer.body(), "status"));
    } catch (IOException e) {
      return new World.Shown(orderId, 0, e.toString());
    }
  }
}

package io.onceflow.systemtests.chaos.run;

import io.onceflow.systemtests.chaos.stack.Backends;
import io.onceflow.systemtests.chaos.world.World;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Sees whether a step that has been completed is written again, by a trigger in the database: what
 * a late owner writes may look like its successor's, and another constraint may turn it away. So it
 * is counted by a sequence, which no rollback takes back. This is the only thing that chaos plants.
 */
final class Witness {

  /** Those with calls to the outside world, and so with leases. */
  private static final Map<String, String> DATABASES =
      Map.of("payment-service", "payments", "shipping-service", "shipping");

  private static final List<String> PLANT =
      List.of(
          "CREATE SCHEMA chaos",
          "CREATE SEQUENCE chaos.rewritten",
          "CREATE TABLE chaos.rewritten_step (step text)",
          """
          CREATE FUNCTION chaos.rewritten() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN
            PERFORM nextval('chaos.rewritten');
            INSERT INTO chaos.rewritten_step VALUES (concat_ws(' ', NEW.scope, NEW.step_key));
            RETURN NULL;
          END
          $$
          """,
          """
          CREATE TRIGGER chaos_rewritten AFTER UPDATE ON inbox_message
            FOR EACH ROW WHEN (OLD.status <> 'STARTED') EXECUTE FUNCTION chaos.rewritten()
          """);

  private final Backends backends;

  Witness(Backends backends) {
    this.backends = backends;
  }

  /** Begins to see; the tables have to be there. */
  void plant() throws SQLException {
    for (String database : DATABASES.values()) {
      try (Connection connection = backends.connect(database);
          Statement statement = connection.createStatement()) {
        for (String sql : PLANT) {
          statement.execute(sql);
        }
      }
    }
  }

  /** What was seen, service by service; nothing is good. */
  List<World.Rewritten> seen() {
    Tables tables = new Tables(backends);
    List<World.Rewritten> all = new ArrayList<>();
    DATABASES.forEach(
        (service, database) -> {
          long times =
              tables.count(
                  database,
                  "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM chaos.rewritten");
          List<String> steps =
              tables.rows(
                  database,
                  "SELECT DISTINCT step FROM chaos.rewritten_step LIMIT 20",
                  row -> row.getString(1));
          if (times > 0) {
            all.add(new World.Rewritten(service, times, steps));
          }
        });
    return all;
  }
}

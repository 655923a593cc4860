package io.onceflow.benchmarks.sql;

import io.onceflow.launcher.servers.EmbeddedPostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** An embedded PostgreSQL for a test. */
public final class EmbeddedDatabases implements AutoCloseable {

  private static final Path MODULES = Path.of("../..");

  private final EmbeddedPostgresServer postgres;
  private final DatabaseServer server;

  public EmbeddedDatabases() throws IOException {
    postgres = EmbeddedPostgresServer.startTemporary();
    server = new DatabaseServer(postgres::jdbcUrl, "postgres", postgres.superuserPassword());
  }

  public DatabaseServer server() {
    return server;
  }

  /** Makes the tables that the services remember with, from their own migrations. */
  public void migrate() throws IOException, SQLException {
    migrate("orders", "common-idempotency/http/src/main/resources/db/onceflow/idempotency");
    migrate("orders", "saga-engine/runtime/src/main/resources/db/onceflow/saga");
    for (String database : List.of("orders", "payments", "shipping")) {
      migrate(database, "common-idempotency/inbox/src/main/resources/db/onceflow/inbox");
      migrate(database, "common-idempotency/outbox/src/main/resources/db/onceflow/outbox");
    }
  }

  private void migrate(String database, String folder) throws IOException, SQLException {
    try (Stream<Path> files = Files.list(MODULES.resolve(folder))) {
      Comparator<Path> byVersion =
          Comparator.comparing(it -> Integer.valueOf(it.getFileName().toString().split("_")[2]));
      for (Path file : files.sorted(byVersion).toList()) {
        server.execute(database, Files.readString(file));
      }
    }
  }

  @Override
  public void close() {
    postgres.close();
  }
}

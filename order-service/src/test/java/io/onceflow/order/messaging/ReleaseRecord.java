package io.onceflow.order.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.sql.Sql;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * What a release of this service leaves in a database: its migrations, and the rows that it wrote
 * of orders under way. It is recorded once, by that release; the code of later ones starts on it.
 *
 * @param folder {@code src/test/resources/releases/<version>}
 */
record ReleaseRecord(Path folder) {

  private static final Path ALL = Path.of("src/test/resources/releases");

  private static final String PRODUCT_HISTORY = "onceflow_schema_history";
  private static final String HISTORY = "flyway_schema_history";

  private static final List<String> PLACES =
      List.of(
          "db/onceflow/idempotency",
          "db/onceflow/inbox",
          "db/onceflow/outbox",
          "db/onceflow/saga",
          "db/onceflow/reconciliation",
          "db/migration");

  private static final Pattern TIME =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)");

  private static final ObjectMapper JSON = new ObjectMapper();

  static ReleaseRecord of(String version) {
    return new ReleaseRecord(ALL.resolve(version));
  }

  /** The newest that is recorded. */
  static ReleaseRecord newest() throws IOException {
    try (Stream<Path> folders = Files.list(ALL)) {
      return new ReleaseRecord(
          folders.max(Comparator.comparing(ReleaseRecord::version)).orElseThrow());
    }
  }

  private static Version version(Path folder) {
    return Version.parse(folder.getFileName().toString());
  }

  /** Its migrations, by their path on the class path. */
  List<String> migrations() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("db"))) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> folder.relativize(file).toString())
          .toList();
    }
  }

  String migration(String path) throws IOException {
    return Files.readString(folder.resolve(path));
  }

  /** Makes the database that it left, as if it had been left just now. */
  void restore(DataSource database, String schema) throws IOException, SQLException {
    migrate(database, schema, PRODUCT_HISTORY, "db/onceflow");
    migrate(database, schema, HISTORY, "db/migration");
    List<String> lines = Files.readAllLines(rows());
    Duration age =
        Duration.between(
            Instant.parse(JSON.readTree(lines.getFirst()).get("at").asText()), Instant.now());
    try (Connection connection = database.getConnection()) {
      for (String line : lines.subList(1, lines.size())) {
        JsonNode row = JSON.readTree(line);
        String table = row.get("table").asText();
        // As text, since what is stored as JSON is compared letter for letter.
        String content = line.substring(line.indexOf("\"row\":") + 6, line.length() - 1);
        Sql.update(
            connection,
            "INSERT INTO %1$s SELECT * FROM json_populate_record(NULL::%1$s, ?::json)"
                .formatted(table),
            later(content, age));
      }
    }
  }

  private void migrate(DataSource database, String schema, String history, String place) {
    flyway(database, schema)
        .table(history)
        .locations("filesystem:" + folder.resolve(place))
        .load()
        .migrate();
  }

  private static FluentConfiguration flyway(DataSource database, String schema) {
    return Flyway.configure()
        .dataSource(database)
        .schemas(schema)
        .baselineOnMigrate(true)
        .baselineVersion("0")
        .outOfOrder(true);
  }

  /** Deadlines of years ago have passed; those of rows that were written just now have not. */
  private static String later(String row, Duration by) {
    return TIME.matcher(row)
        .replaceAll(time -> OffsetDateTime.parse(time.group()).plus(by).toInstant().toString());
  }

  /** Writes down what this build has left in a database. */
  void record(DataSource database) throws IOException, SQLException {
    try (Connection connection = database.getConnection()) {
      for (String history : List.of(PRODUCT_HISTORY, HISTORY)) {
        for (String script :
            Sql.query(
                connection,
                "SELECT script FROM %s WHERE type = 'SQL'".formatted(history),
                row -> Objects.requireNonNull(row.text("script")))) {
          copy(Path.of(script).getFileName().toString());
        }
      }
      List<String> lines = new ArrayList<>();
      lines.add("{\"at\":\"%s\"}".formatted(Instant.now()));
      for (String table : tables(connection)) {
        Sql.query(
            connection,
            "SELECT row_to_json(t)::text AS row FROM %s t".formatted(table),
            row -> lines.add("{\"table\":\"%s\",\"row\":%s}".formatted(table, row.text("row"))));
      }
      Files.write(rows(), lines);
    }
  }

  private static List<String> tables(Connection connection) throws SQLException {
    return Sql.query(
        connection,
        """
        SELECT   relname
        FROM     pg_class
        WHERE    relnamespace = current_schema()::regnamespace
        AND      relkind = 'r'
        AND      relname NOT LIKE '%schema_history'
        ORDER BY relname <> 'orders', relname      -- others refer to it
        """,
        row -> Objects.requireNonNull(row.text("relname")));
  }

  private void copy(String script) throws IOException {
    for (String place : PLACES) {
      try (InputStream migration = onClassPath(place + "/" + script)) {
        if (migration != null) {
          Path copy = folder.resolve(place).resolve(script);
          Files.createDirectories(copy.getParent());
          Files.writeString(copy, new String(migration.readAllBytes(), UTF_8));
        }
      }
    }
  }

  static @Nullable InputStream onClassPath(String path) {
    return Thread.currentThread().getContextClassLoader().getResourceAsStream(path);
  }

  private Path rows() {
    return folder.resolve("rows.jsonl");
  }
}

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
 * What a build of this service leaves in a database: its migrations, and the rows that it wrote of
 * orders under way. A release records it once; later builds start on it.
 *
 * @param folder {@code src/test/resources/releases/<version>}; below {@code target} for a build
 *     that is no release
 */
record ReleaseRecord(Path folder) {

  /** Names the version of the release that is recorded. */
  private static final String RELEASE = "onceflow.release";

  private static final Path RELEASES = Path.of("src/test/resources/releases");
  private static final ReleaseRecord THIS_BUILD = new ReleaseRecord(Path.of("target/release"));

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

  /** Of this build, to be written. */
  static ReleaseRecord next() {
    String release = System.getProperty(RELEASE);
    return release == null ? THIS_BUILD : new ReleaseRecord(RELEASES.resolve(release));
  }

  /** Of the last release; until there is one, of this build. */
  static ReleaseRecord last() throws IOException {
    if (!Files.exists(RELEASES)) {
      return THIS_BUILD;
    }
    try (Stream<Path> folders = Files.list(RELEASES)) {
      return new ReleaseRecord(
          folders.max(Comparator.comparing(ReleaseRecord::version)).orElseThrow());
    }
  }

  boolean isOfARelease() {
    return !equals(THIS_BUILD);
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
    if (!Files.exists(rows())) {
      throw new IllegalStateException(rows() + " is missing: run ReleaseRecordTest before");
    }
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

  /** Writes down what this build has left in a database, all of one moment. */
  void record(DataSource database) throws IOException, SQLException {
    clear();
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
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
      connection.rollback();
      Files.write(rows(), lines);
    }
  }

  /** A migration that was recorded before may have been renamed since. */
  private void clear() throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
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

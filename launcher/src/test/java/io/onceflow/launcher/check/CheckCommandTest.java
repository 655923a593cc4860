package io.onceflow.launcher.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.launcher.stack.Backends.Database;
import io.onceflow.launcher.testing.TestServers;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Each violation is planted in sound databases, and the check finds it and nothing else. */
class CheckCommandTest {

  private static final String ORDERS = "check_orders";
  private static final String PAYMENTS = "check_payments";
  private static final String SHIPPING = "check_shipping";

  private static final TestServers SERVERS = TestServers.shared();
  private static final Path CHECKOUT = Path.of("..");

  private static final Map<String, List<String>> MIGRATIONS =
      Map.of(
          ORDERS,
          List.of(
              "common-idempotency/outbox/src/main/resources/db/onceflow/outbox",
              "common-idempotency/inbox/src/main/resources/db/onceflow/inbox",
              "saga-engine/runtime/src/main/resources/db/onceflow/saga",
              "order-service/src/main/resources/db/migration"),
          PAYMENTS,
          List.of(
              "common-idempotency/outbox/src/main/resources/db/onceflow/outbox",
              "common-idempotency/inbox/src/main/resources/db/onceflow/inbox",
              "payment-service/src/main/resources/db/migration"),
          SHIPPING,
          List.of(
              "common-idempotency/outbox/src/main/resources/db/onceflow/outbox",
              "common-idempotency/inbox/src/main/resources/db/onceflow/inbox",
              "shipping-service/src/main/resources/db/migration"));

  private static final String CONFIRMED = "00000000-0000-7000-8000-000000000001";
  private static final String CANCELLED = "00000000-0000-7000-8000-000000000002";
  private static final String OPEN = "00000000-0000-7000-8000-000000000003";
  private static final String ANOTHER = "00000000-0000-7000-8000-000000000004";

  @BeforeAll
  static void createTables() throws SQLException, IOException {
    for (Map.Entry<String, List<String>> database : MIGRATIONS.entrySet()) {
      SERVERS.createDatabase(database.getKey());
      for (String folder : database.getValue()) {
        for (Path script : scripts(CHECKOUT.resolve(folder))) {
          execute(database.getKey(), Files.readString(script));
        }
      }
    }
  }

  private static List<Path> scripts(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(it -> it.toString().endsWith(".sql"))
          .sorted(Comparator.comparing(CheckCommandTest::version))
          .toList();
    }
  }

  /** As Flyway orders them: 0.4.10 comes after 0.4.9. */
  private static Version version(Path script) {
    String name = script.getFileName().toString();
    return Version.parse(name.substring(1, name.indexOf("__")).replace('_', '.'));
  }

  @BeforeEach
  void fillWithSoundRows() throws SQLException {
    execute(
        ORDERS,
        "TRUNCATE orders, order_return, saga_instance, saga_journal, inbox_message, outbox_message,"
            + " parked_message");
    execute(
        PAYMENTS,
        "TRUNCATE payment, simulated_gateway.ledger, inbox_message, outbox_message, parked_message,"
            + " participant_pause");
    execute(SHIPPING, "TRUNCATE shipment, inbox_message, outbox_message, parked_message");
    confirmed(CONFIRMED);
    confirmed(ANOTHER);
    order(CANCELLED, "CANCELLED", "COMPENSATED", "COMPENSATED");
    order(OPEN, "PENDING", "RUNNING", "WAITING");
    inbox(PAYMENTS, CANCELLED, "process-payment", "done");
    payment(CANCELLED, "REFUNDED");
    ledger(CANCELLED, "CHARGE", "charge");
    ledger(CANCELLED, "REFUND", "refund");
  }

  private static void confirmed(String id) throws SQLException {
    order(id, "CONFIRMED", "COMPLETED", "SUCCEEDED");
    inbox(PAYMENTS, id, "process-payment", "done");
    inbox(SHIPPING, id, "arrange-shipment", "done");
    payment(id, "PROCESSED");
    ledger(id, "CHARGE", "charge");
    shipment(id, "ARRANGED");
  }

  @Test
  void findsNothingInSoundDatabases() throws Exception {
    JsonNode result = check(0);
    assertThat(result.path("findings")).isEmpty();
    assertThat(result.path("notChecked")).isEmpty();
    assertThat(result.path("laws")).hasSize(17);
  }

  static Stream<Arguments> violations() {
    return Stream.of(
        Arguments.of(
            TableLaw.TIMERS_FIRE.words(),
            ORDERS,
            "UPDATE saga_instance SET next_action_at = now() - interval '1 h' WHERE status ="
                + " 'RUNNING'",
            OPEN),
        Arguments.of(
            TableLaw.NO_SAGA_IS_IN_QUARANTINE.words(),
            ORDERS,
            "UPDATE saga_instance SET next_action_at = 'infinity', quarantined_at = now(),"
                + " quarantine_reason = 'no row' WHERE status = 'RUNNING'",
            OPEN),
        Arguments.of(
            TableLaw.STEPS_END_WITH_THEIR_SAGA.words(),
            ORDERS,
            "UPDATE saga_instance SET steps = '[{\"name\": \"process-payment\", \"status\":"
                + " \"COMPENSATING\"}]' WHERE status = 'COMPENSATED'",
            CANCELLED),
        Arguments.of(
            TableLaw.THE_JOURNAL_IS_WHOLE.words(),
            ORDERS,
            "DELETE FROM saga_journal WHERE revision = 2 AND saga_id = '" + CONFIRMED + "'",
            CONFIRMED),
        Arguments.of(
            TableLaw.ONLY_FORWARD_PAST_THE_PIVOT.words(),
            ORDERS,
            "UPDATE saga_journal SET entries = '[{\"event\": \"pivot-passed\"}]' WHERE revision = 2"
                + " AND saga_id = '"
                + CANCELLED
                + "'",
            CANCELLED),
        Arguments.of(
            TableLaw.A_KEY_HAS_ONE_SAGA.words(),
            ORDERS,
            "UPDATE saga_instance SET root_key = '" + CANCELLED + "' WHERE status = 'RUNNING'",
            CANCELLED),
        Arguments.of(
            TableLaw.STEPS_ARE_RECOVERED.words(),
            PAYMENTS,
            "INSERT INTO inbox_message (scope, step_key, fingerprint, status, lease_expires_at,"
                + " envelope) VALUES ('ada', 'left', '', 'STARTED', now() - interval '1 h', '{}')",
            "ada left"),
        Arguments.of(
            TableLaw.THE_OUTBOX_IS_PUBLISHED.words(),
            SHIPPING,
            "INSERT INTO outbox_message (id, aggregatetype, aggregateid, type, payload, exchange,"
                + " routing_key, next_attempt_at) VALUES ('"
                + OPEN
                + "', 'order', '1', 'ShipmentArranged', '{}', 'onceflow.replies',"
                + " 'order-service.shipping-service', now() - interval '1 h')",
            OPEN),
        Arguments.of(
            TableLaw.NOTHING_IS_PARKED.words(),
            PAYMENTS,
            "INSERT INTO parked_message (id, queue, payload, reason, detail)"
                + " VALUES ('"
                + OPEN
                + "', 'payment-service.commands', '', 'malformed', 'no JSON')",
            OPEN),
        Arguments.of(
            StepLaw.WORDS,
            PAYMENTS,
            "DELETE FROM inbox_message WHERE starts_with(step_key, '" + CONFIRMED + "')",
            CONFIRMED),
        Arguments.of(
            CheckedOrders.SAGA,
            ORDERS,
            "UPDATE orders SET status = 'PENDING' WHERE id = '" + CONFIRMED + "'",
            CONFIRMED),
        Arguments.of(
            CheckedOrders.PAYMENT,
            PAYMENTS,
            "UPDATE payment SET status = 'PROCESSED', refunded_at = NULL WHERE order_id = '"
                + CANCELLED
                + "'",
            CANCELLED),
        Arguments.of(
            CheckedOrders.SHIPMENT,
            SHIPPING,
            "UPDATE shipment SET status = 'CANCELLED', cancelled_at = now() WHERE order_id = '"
                + CONFIRMED
                + "'",
            CONFIRMED),
        Arguments.of(
            CheckedOrders.ONE_CHARGE,
            PAYMENTS,
            "INSERT INTO simulated_gateway.ledger (customer, idempotency_key, kind, reference,"
                + " order_id, amount, currency) VALUES ('ada', 'another key', 'CHARGE', 'ch_2', '"
                + CONFIRMED
                + "', 1250, 'EUR')",
            CONFIRMED),
        Arguments.of(
            CheckedOrders.LEDGER,
            PAYMENTS,
            "DELETE FROM simulated_gateway.ledger WHERE kind = 'REFUND'",
            CANCELLED));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("violations")
  void findsWhatIsPlantedAndNothingElse(String law, String database, String plant, String subject)
      throws Exception {
    execute(database, plant);
    JsonNode findings = check(1).path("findings");
    List<String> found = new ArrayList<>();
    findings.forEach(
        it -> found.add(it.path("law").asText() + " @ " + it.path("subject").asText()));
    assertThat(found).containsExactly(law + " @ " + subject);
    assertThat(findings.get(0).path("evidence").asText()).isNotBlank();
  }

  /** Otherwise a law could be added that no violation shows to be checked. */
  @Test
  void plantsAViolationOfEachLaw() {
    List<String> planted = violations().map(it -> (String) it.get()[0]).toList();
    List<String> laws = new ArrayList<>();
    Stream.of(TableLaw.values()).map(TableLaw::words).forEach(laws::add);
    laws.addAll(
        List.of(
            StepLaw.WORDS,
            CheckedOrders.SAGA,
            CheckedOrders.PAYMENT,
            CheckedOrders.SHIPMENT,
            CheckedOrders.ONE_CHARGE,
            CheckedOrders.LEDGER));
    assertThat(planted).containsExactlyInAnyOrderElementsOf(laws);
  }

  @Test
  void saysWhichStepsBelongToParticipantsThatAreNotChecked() throws Exception {
    execute(SHIPPING, "TRUNCATE inbox_message");
    JsonNode result = check(0);
    assertThat(result.path("notChecked")).hasSize(1);
    assertThat(result.path("notChecked").get(0).asText())
        .startsWith("steps arrange-shipment@order-service/place-order");
  }

  @Test
  void writesNothing() throws SQLException {
    CheckBounds bounds =
        new CheckBounds(1, 1, Duration.ZERO, Duration.ofDays(1), Duration.ofSeconds(5));
    try (CheckedDatabase database =
        new CheckedDatabase(
            PAYMENTS,
            new Database(SERVERS.jdbcUrl(PAYMENTS), SERVERS.user(PAYMENTS), SERVERS.password()),
            bounds)) {
      assertThatThrownBy(
              () -> database.rows("DELETE FROM payment RETURNING id", row -> row.getString(1)))
          .hasMessageContaining("read-only");
    }
  }

  private static JsonNode check(int exitCode) throws IOException {
    Map<String, String> environment = new HashMap<>();
    List<String> arguments = new ArrayList<>(List.of("--json"));
    for (String database : List.of(ORDERS, PAYMENTS, SHIPPING)) {
      String prefix = "ONCEFLOW_" + database.toUpperCase(Locale.ROOT);
      environment.put(prefix + "_JDBC_URL", SERVERS.jdbcUrl(database));
      environment.put(prefix + "_USERNAME", SERVERS.user(database));
      environment.put(prefix + "_PASSWORD", SERVERS.password());
      arguments.addAll(List.of("--database", database));
    }
    StringWriter out = new StringWriter();
    int code =
        new CommandLine(new CheckCommand(environment))
            .setOut(new PrintWriter(out))
            .execute(arguments.toArray(String[]::new));
    assertThat(code).as(out.toString()).isEqualTo(exitCode);
    return new ObjectMapper().readTree(out.toString());
  }

  private static void order(String id, String status, String saga, String step)
      throws SQLException {
    boolean hasEnded = !saga.equals("RUNNING");
    execute(
        ORDERS,
        """
        INSERT INTO orders (id, customer, currency, total_amount, items, payment_method, shipping_address, status,
                            cancellation_reason, payment_status, shipment_status, created_at)
        VALUES ('%1$s', 'ada', 'EUR', 1250, '[]', 'pm_card_visa', '{}', '%2$s', %3$s, %4$s, %5$s, now());
        INSERT INTO saga_instance (id, definition, version, subject_id, scope, root_key, origin, status, reason, steps,
                                   revision, next_action_at, started_at, ended_at)
        VALUES ('%1$s', 'place-order', 1, '%1$s', 'ada', '%1$s', 'order-service/place-order', '%6$s', %3$s, '%7$s', 2,
                %8$s, now(), %9$s);
        INSERT INTO saga_journal (saga_id, revision, at, entries)
        VALUES ('%1$s', 1, now(), '[{"event": "saga-started"}]'), ('%1$s', 2, now(), '[{"event": "succeeded"}]')
        """
            .formatted(
                id,
                status,
                status.equals("CANCELLED") ? "'CANCELLED_BY_CUSTOMER'" : "NULL",
                status.equals("CONFIRMED") ? "'PROCESSED'" : "NULL",
                status.equals("CONFIRMED") ? "'ARRANGED'" : "NULL",
                saga,
                steps(status, step),
                hasEnded ? "NULL" : "now() + interval '1 h'",
                hasEnded ? "now()" : "NULL"));
  }

  private static String steps(String status, String step) {
    String payment =
        "{\"name\": \"process-payment\", \"status\": \"%s\", \"reply\": \"1f\"}".formatted(step);
    return status.equals("CONFIRMED")
        ? "[%s, {\"name\": \"arrange-shipment\", \"status\": \"SUCCEEDED\", \"reply\": \"2e\"}]"
            .formatted(payment)
        : "[" + payment + "]";
  }

  private static void inbox(String database, String order, String step, String outcome)
      throws SQLException {
    execute(
        database,
        """
        INSERT INTO inbox_message (scope, step_key, fingerprint, status, outcome, completed_at)
        VALUES ('ada', '%s:%s@order-service/place-order', '', 'COMPLETED', '{"outcome": "%s"}', now())
        """
            .formatted(order, step, outcome));
  }

  private static void payment(String order, String status) throws SQLException {
    execute(
        PAYMENTS,
        """
        INSERT INTO payment (id, order_id, scope, step_key, status, amount, currency, gateway_reference, processed_at,
                             refunded_at)
        VALUES (gen_random_uuid(), '%1$s', 'ada', '%1$s', '%2$s', 1250, 'EUR', 'ch_%1$s', now(), %3$s)
        """
            .formatted(order, status, status.equals("REFUNDED") ? "now()" : "NULL"));
  }

  private static void ledger(String order, String kind, String key) throws SQLException {
    execute(
        PAYMENTS,
        """
        INSERT INTO simulated_gateway.ledger (customer, idempotency_key, kind, reference, order_id, amount, currency)
        VALUES ('ada', '%1$s %3$s', '%2$s', 'ch_%1$s', '%1$s', 1250, 'EUR')
        """
            .formatted(order, kind, key));
  }

  private static void shipment(String order, String status) throws SQLException {
    execute(
        SHIPPING,
        """
        INSERT INTO shipment (id, order_id, scope, step_key, status, tracking_number, arranged_at)
        VALUES (gen_random_uuid(), '%1$s', 'ada', '%1$s', '%2$s', 'SIM-1', now())
        """
            .formatted(order, status));
  }

  private static void execute(String database, String sql) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(
                SERVERS.jdbcUrl(database), SERVERS.user(database), SERVERS.password());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}

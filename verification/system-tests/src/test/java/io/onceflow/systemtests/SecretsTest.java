package io.onceflow.systemtests;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.restassured.response.Response;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What only its owner and the payment path may know is written nowhere else, least of all when
 * something fails: that is when most is written.
 */
@SystemTest
class SecretsTest {

  private static final Duration SOON = Duration.ofMinutes(1);

  /** All that the services' databases hold as text, but for the one column that is meant to. */
  private static final String ORDERS =
      "SELECT (to_jsonb(o) - 'payment_method')::text FROM orders o WHERE customer = ?";

  private final Stack stack = Stack.get();
  private final Customer customer = stack.newCustomer();
  private final String secret = "pm_secret" + UUID.randomUUID().toString().replace("-", "");
  private Broker broker;
  private Tap commands;
  private Tap others;

  @BeforeEach
  void listen() {
    broker = stack.broker();
    commands = broker.tap(Message.COMMANDS, "shipping.#", "payment.refund", "payment.return");
    others = broker.tap("onceflow.events", "#");
  }

  @AfterEach
  void hangUp() {
    broker.close();
  }

  @Test
  void aPaymentMethodStaysOnThePaymentPath() {
    Tap replies = broker.tap(Message.REPLIES, "#");
    String key = Customer.newKey();
    Order order = customer.places(OrderForm.GOOD.paidBy(secret), key);
    order.awaitCancelled();

    List<String> shown = new ArrayList<>(shownToCustomer(order, key));
    shown.addAll(shownToOperators());
    Stream.of(commands, replies)
        .flatMap(tap -> tap.seenOf(customer).stream())
        .map(message -> message.payload() + message.properties())
        .forEach(shown::add);
    List<Message> events =
        others.seen().stream().filter(event -> event.payload().contains(order.id())).toList();
    assertThat(events).extracting(Message::type).contains("OrderCreated");
    events.forEach(event -> shown.add(event.payload() + event.properties()));
    shown.addAll(stack.ordersDatabase().texts(ORDERS, customer.name()));
    shown.addAll(rowsOfSagas(order));
    shown.addAll(rowsThatNameTheKey(key));

    assertThat(shown).noneMatch(text -> text.contains(secret));
  }

  @Test
  void whatIsRefusedIsNotRepeatedInProblemsAndLogs() throws IOException {
    String key = Customer.newKey();
    customer.places(OrderForm.GOOD.paidBy(secret), key);
    String good = OrderForm.GOOD.paidBy(secret).json();
    List<Response> refused =
        Stream.of(
                customer.post(good.replace("\"quantity\": 2", "\"quantity\": 3"), key),
                customer.post(good.replace("EUR", "EUX"), Customer.newKey()),
                customer.post(
                    good.replace(secret, secret + "-4242424242424242"), Customer.newKey()),
                customer.post(
                    good.replace("\"" + secret + "\"", "[\"" + secret + "\"]"), Customer.newKey()),
                customer.post(good.replace("\"" + secret + "\"", secret), Customer.newKey()),
                customer.post(
                    good.replace("\"pay", "\"paymentMethod\": \"x\", \"pay"), Customer.newKey()),
                customer.post(good.replace("12 St", secret + "\\u0000"), Customer.newKey()),
                customer.post(good.substring(0, good.indexOf("shipping")), Customer.newKey()))
            .toList();

    assertThat(refused).allMatch(answer -> answer.statusCode() >= 400 && answer.statusCode() < 500);
    assertThat(refused).extracting(Response::asString).noneMatch(it -> it.contains(secret));
    expectNothingInLogs(secret);
  }

  /** A charge that fails, a message that cannot be read, a service that is killed. */
  @Test
  void failuresAreLoggedWithoutSecrets() throws IOException {
    String token = stack.issuer().operator();
    Message unreadable =
        Message.of(
            Message.COMMANDS,
            "payment.process",
            "ProcessPayment",
            "{\"orderId\": 42, \"amount\": 1, \"paymentMethod\": \"" + secret + "\"}");
    Message rubbish =
        unreadable.withId(UUID.randomUUID().toString()).withPayload("{\"a\": " + secret);
    broker.publish(unreadable);
    broker.publish(rubbish);
    List<String> ids = Stream.of(unreadable, rubbish).map(this::parked).toList();
    customer.places(OrderForm.GOOD.paidBy("pm_sim_unavailable_twice")).awaitConfirmed();
    stack.payments().kill();
    Order declined = customer.places(OrderForm.GOOD.paidBy(secret));
    stack.heal();
    declined.awaitCancelled();

    for (String id : ids) {
      String url = stack.payments().url() + "/parked-messages/" + id;
      Response shown = given().auth().oauth2(token).get(url);
      Response redriven = given().auth().oauth2(token).post(url + "/redrive");
      assertThat(shown.statusCode()).isEqualTo(200);
      assertThat(redriven.statusCode()).isEqualTo(409);
      assertThat(shown.asString() + redriven.asString()).doesNotContain(secret);
    }
    assertThat(shownToOperators()).noneMatch(text -> text.contains(secret));
    expectNothingInLogs(secret, token, "Bearer eyJ", "BEGIN PRIVATE KEY");
  }

  static List<ServiceProcess> services() {
    return Stack.get().services();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("services")
  void noKeyIsPackedIntoAnImage(ServiceProcess service) throws IOException {
    for (var jar : Project.classPath(service.name())) {
      if (jar.getFileName().toString().contains("onceflow") || jar.getParent().endsWith("app")) {
        try (JarFile entries = new JarFile(jar.toFile())) {
          assertThat(entries.stream().map(entry -> entry.getName().toLowerCase(Locale.ROOT)))
              .noneMatch(name -> name.matches(".*\\.(pem|key|p12|jks|pfx|env)"));
        }
      }
    }
  }

  @Test
  void theImagesTakeNoSecretsIn() throws IOException {
    String recipe = Files.readString(Project.file("Dockerfile"));
    List<String> ignored = Files.readAllLines(Project.file(".dockerignore"));

    assertThat(recipe.toUpperCase(Locale.ROOT)).doesNotContain("PASSWORD", "SECRET=", "TOKEN=");
    assertThat(ignored).contains(".*", "**/target");
  }

  private List<String> shownToCustomer(Order order, String key) {
    return Stream.of(
            customer.post(OrderForm.GOOD.paidBy(secret).json(), key),
            customer.get("/orders/" + order.id()),
            customer.get("/orders"),
            customer.get("/orders/" + order.id() + "/saga"),
            customer.get("/idempotency-keys/" + key),
            customer.cancel(order, Customer.newKey()))
        .map(answer -> answer.getHeaders() + answer.asString())
        .toList();
  }

  private List<String> shownToOperators() {
    return Stream.concat(
            Stream.of(stack.orders().url() + "/sagas?limit=500"),
            stack.services().stream().map(service -> service.url() + "/parked-messages?limit=500"))
        .map(url -> given().auth().oauth2(stack.issuer().operator()).get(url).asString())
        .toList();
  }

  private List<String> rowsOfSagas(Order order) {
    String saga = customer.get("/orders/" + order.id() + "/saga").path("id");
    UUID id = UUID.fromString(saga);
    List<String> rows = new ArrayList<>();
    rows.addAll(
        stack.ordersDatabase().texts("SELECT s::text FROM saga_instance s WHERE id = ?", id));
    rows.addAll(
        stack.ordersDatabase().texts("SELECT s::text FROM saga_journal s WHERE saga_id = ?", id));
    assertThat(rows).as("the saga's, and one for each of its two writes").hasSize(3);
    return rows;
  }

  private List<String> rowsThatNameTheKey(String key) {
    List<String> rows = new ArrayList<>();
    for (Database database :
        List.of(stack.ordersDatabase(), stack.paymentsDatabase(), stack.shippingDatabase())) {
      rows.addAll(
          database.texts(
              "SELECT r::text FROM inbox_message r WHERE r::text LIKE ?", "%" + key + "%"));
      rows.addAll(
          database.texts(
              "SELECT r::text FROM outbox_message r WHERE r::text LIKE ?", "%" + key + "%"));
    }
    rows.addAll(
        stack
            .ordersDatabase()
            .texts("SELECT r::text FROM idempotency_record r WHERE scope = ?", customer.name()));
    return rows;
  }

  private String parked(Message message) {
    String query = "SELECT id::text FROM parked_message WHERE message_id = ?";
    return await("%s is parked".formatted(message.id()))
        .atMost(SOON)
        .until(() -> stack.paymentsDatabase().texts(query, message.id()), ids -> ids.size() == 1)
        .getFirst();
  }

  private void expectNothingInLogs(String... secrets) throws IOException {
    for (ServiceProcess service : stack.services()) {
      String log = new String(Files.readAllBytes(service.log()), StandardCharsets.UTF_8);
      assertThat(log).as("the log of " + service).isNotEmpty().doesNotContain(secrets);
    }
  }
}

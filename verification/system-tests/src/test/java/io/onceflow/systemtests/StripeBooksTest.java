package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.stripedouble.StripeDouble;
import io.onceflow.stripedouble.StripeDouble.Webhooks;
import io.restassured.RestAssured;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Many orders of all kinds, at a double of Stripe that misbehaves: orders, payments and what Stripe
 * itself lists agree to the cent. So many orders as {@code -Donceflow.books.orders} says.
 */
@SystemTest
@Tag("nightly")
class StripeBooksTest {

  private static final int ORDERS = Integer.getInteger("onceflow.books.orders", 150);

  /** Each within what one caller may send. */
  private static final int CUSTOMERS = 40;

  private static final int AT_THE_SAME_TIME = 12;

  private static final Duration ENDS_WITHIN =
      Duration.ofMinutes(5).plus(Duration.ofMillis(20).multipliedBy(ORDERS));

  /** Of the requests; each of three kinds. */
  private static final double SHARE_THAT_FAILS = 0.02;

  private static final String INSUFFICIENT = "pm_card_chargeDeclinedInsufficientFunds";

  private static final Stack STACK = Stack.get();
  private static final String SECRET = "whsec_books";
  private static final String KEY = "sk_test_double";

  private static StripeDouble stripe;

  private final Random random = new Random(1);
  private final List<Customer> customers =
      Stream.generate(STACK::newCustomer).limit(CUSTOMERS).toList();

  @BeforeAll
  static void payByStripe() {
    stripe =
        StripeDouble.start(
            0, new Webhooks(STACK.payments().url() + "/webhooks/stripe", SECRET, 2, true));
    stripe
        .faults()
        .tooManyRequests(SHARE_THAT_FAILS)
        .errorsAfterEffect(SHARE_THAT_FAILS)
        .lostAnswers(SHARE_THAT_FAILS);
    Map<String, String> settings = new HashMap<>();
    settings.put("ONCEFLOW_GATEWAY", "stripe");
    settings.put("ONCEFLOW_STRIPE_API_KEY", KEY);
    settings.put("ONCEFLOW_STRIPE_URL", stripe.url());
    settings.put("ONCEFLOW_STRIPE_WEBHOOK_SECRETS", SECRET);
    // Longer than the double takes for its slowest charge.
    settings.put("ONCEFLOW_STRIPE_SETTLING_TIME", "PT15S");
    startWith(settings);
  }

  @AfterAll
  static void payByTheSimulationAgain() {
    startWith(Map.of());
    stripe.close();
  }

  private static void startWith(Map<String, String> settings) {
    STACK.payments().stop();
    STACK.payments().configure(settings);
    STACK.heal();
  }

  /** What a customer does with an order. */
  private enum Plan {
    KEEP,
    CANCEL,
    GIVE_BACK
  }

  /** An order to be placed. */
  private record Wish(Customer customer, OrderForm form, String currency, Plan plan) {

    String json() {
      return form.json().replace("\"EUR\"", "\"%s\"".formatted(currency));
    }
  }

  @Test
  void theBooksOfManyOrdersAgreeToTheCent() {
    List<Wish> wishes = IntStream.range(0, ORDERS).mapToObj(this::wish).toList();
    List<Order> orders = all(wishes.stream().map(it -> (Callable<Order>) () -> place(it)).toList());
    awaitEnd();
    all(
        IntStream.range(0, ORDERS)
            .filter(i -> wishes.get(i).plan() == Plan.GIVE_BACK)
            .mapToObj(i -> (Callable<Boolean>) () -> giveBack(orders.get(i)))
            .toList());
    awaitEnd();

    MoneyBooks books = books();
    System.out.println(books.summary());
    assertThat(books.differences()).isEmpty();
    assertThat(books.orders()).isEqualTo(ORDERS);
    assertThat(books.kinds())
        .as("all that may become of an order")
        .contains("CONFIRMED PROCESSED", "CANCELLED DECLINED", "CANCELLED REFUNDED")
        .contains("RETURNED REFUNDED");

    chargeBehindOurBack();
    assertThat(books().differences()).singleElement().asString().contains("behind-our-back");
  }

  private Wish wish(int number) {
    OrderForm form = OrderForm.GOOD.ofBooks(random.nextInt(1, 40));
    Plan plan = Plan.KEEP;
    switch (random.nextInt(10)) {
      case 0 -> form = form.paidBy(oneOf("pm_card_chargeDeclined", INSUFFICIENT));
      case 1 -> form = form.shippedToCountry("AQ");
      case 2 -> plan = Plan.CANCEL;
      case 3 -> plan = Plan.GIVE_BACK;
      case 4 ->
          form =
              form.paidBy(
                  oneOf(
                      "pm_sim_lost_answer",
                      "pm_sim_error_after_charge",
                      "pm_sim_unavailable_twice",
                      "pm_sim_rate_limited_twice"));
      default -> {
        // It goes through.
      }
    }
    // Of two, none and, with Stripe, two again decimals.
    String currency = oneOf("EUR", "EUR", "JPY", "ISK");
    return new Wish(customers.get(number % CUSTOMERS), form, currency, plan);
  }

  private String oneOf(String... values) {
    return values[random.nextInt(values.length)];
  }

  private static <T> List<T> all(List<Callable<T>> work) {
    return Together.inThreads(AT_THE_SAME_TIME, work);
  }

  private static Order place(Wish wish) {
    String key = Customer.newKey();
    Customer customer = wish.customer();
    String id = customer.insists(() -> customer.post(wish.json(), key)).path("id");
    Order order = new Order(STACK, customer, id);
    if (wish.plan() == Plan.CANCEL) {
      customer.cancel(order, Customer.newKey());
    }
    return order;
  }

  private static boolean giveBack(Order order) {
    return order.customer().givesBack(order, Customer.newKey()).statusCode() == 202;
  }

  private void awaitEnd() {
    await("all sagas have ended")
        .atMost(ENDS_WITHIN)
        .pollInterval(Duration.ofSeconds(1))
        .until(
            () ->
                STACK
                        .ordersDatabase()
                        .count(
                            "SELECT count(*) FROM saga_instance WHERE ended_at IS NULL AND scope IN"
                                + " "
                                + names())
                    == 0);
  }

  private MoneyBooks books() {
    StripeBooks theirs = new StripeBooks(stripe.url(), KEY);
    return new MoneyBooks(
        STACK
            .ordersDatabase()
            .texts(
                "SELECT concat_ws(' ', id, status, total_amount, currency) FROM orders"
                    + " WHERE customer IN "
                    + names()),
        STACK
            .paymentsDatabase()
            .texts(
                "SELECT concat_ws(' ', order_id, status, amount, currency, gateway_reference)"
                    + " FROM payment WHERE scope IN "
                    + names()),
        theirs.charges(),
        theirs.refunds());
  }

  private String names() {
    List<String> quoted = new ArrayList<>();
    customers.forEach(it -> quoted.add("'%s'".formatted(it.name())));
    return "(" + String.join(", ", quoted) + ")";
  }

  private static void chargeBehindOurBack() {
    stripe.faults().none();
    RestAssured.given()
        .auth()
        .oauth2(KEY)
        .formParam("amount", 100)
        .formParam("currency", "eur")
        .formParam("confirm", true)
        .formParam("payment_method", "pm_card_visa")
        .formParam("metadata[onceflow_reference]", "behind-our-back")
        .post(stripe.url() + "/v1/payment_intents");
  }
}

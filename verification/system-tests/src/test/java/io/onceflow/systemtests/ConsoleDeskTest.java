package io.onceflow.systemtests;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.util.regex.Pattern.CASE_INSENSITIVE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.restassured.path.json.JsonPath;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What one sees of sagas under way in the console, and does about a single one. */
@BrowserTest
@Tag("nightly")
class ConsoleDeskTest {

  private static final Duration SOON = Duration.ofMinutes(1);

  private static final Predicate<String> PAUSED =
      series -> series.startsWith("onceflow_participant_paused") && series.endsWith(" 1.0");

  private static ConsoleStack console;
  private static Stack stack;

  private final Customer customer = stack.newCustomer();

  @BeforeAll
  static void start() {
    console = new ConsoleStack();
    stack = console.stack();
  }

  @AfterAll
  static void stop() {
    console.close();
  }

  @AfterEach
  void heal() {
    stack.heal();
  }

  @ParameterizedTest(name = "{0} at /console/{1}")
  @CsvSource({
    "Overview, ''",
    "Definitions, definitions",
    "Replicas, replicas",
    "place-order, definitions/place-order",
    "place-order, definitions/place-order?from=1&to=1"
  })
  void loadsByItsAddressAndIsAccessible(String heading, String path) {
    try (Console tab = Console.signedIn(stack, stack.issuer().viewer("vera"), path)) {
      tab.open(path);
      assertThat(tab.heading(heading)).isVisible();
      assertThat(tab.page().locator("oc-graph, oc-table, ol.diff").first()).isVisible();
      tab.expectNoProblem();
      tab.expectAccessible(heading + " in light");
      tab.prefer(ColorScheme.DARK);
      tab.expectAccessible(heading + " in dark");
    }
  }

  /** And each figure that is a list leads to it. */
  @Test
  void figuresChangeWhileOrdersRunUntilTheyArePaused() {
    stack.payments().kill();
    try (Console tab = Console.signedIn(stack, stack.issuer().operator(), "")) {
      Locator running = tile(tab, "Running");
      assertThat(running).isVisible();
      int before = number(running);
      List<Order> orders =
          List.of(customer.places(OrderForm.GOOD), customer.places(OrderForm.GOOD));
      await("counted without a reload").atMost(SOON).until(() -> number(running) == before + 2);
      assertThat(waitingAt(tab, "process-payment")).isVisible();
      tab.picture("overview");
      tab.button("Pause live updates").click();
      stack.payments().start();
      orders.forEach(Order::awaitConfirmed);
      assertThat(number(running)).as("while it is paused").isEqualTo(before + 2);
      tab.button("Resume live updates").click();
      await("live again").atMost(SOON).until(() -> number(running) <= before);

      running.click();
      assertThat(tab.heading("Sagas")).isVisible();
      assertThat(tab.page())
          .hasURL(Pattern.compile("/console/sagas\\?status=RUNNING&quarantined=false$"));
    }
  }

  @Test
  void oneSagaTellsWhatItWaitsForAndIsSentAgainOnRequest() {
    stack.payments().kill();
    Order order = customer.places(OrderForm.GOOD);
    try (Console tab = Console.signedIn(stack, stack.issuer().operator("olga"), "sagas")) {
      Page page = tab.page();
      tab.expectError("status of 503"); // the messages that payment-service has parked
      page.getByLabel("Order or other subject").fill(order.id());
      tab.button("Filter").click();
      assertThat(page.getByText("1 found")).isVisible();
      page.locator("oc-table a.mono").first().click();
      assertThat(page.getByText(Pattern.compile("waits for payment-service", CASE_INSENSITIVE)))
          .isVisible();
      tab.expectAccessible("a saga that waits");

      tab.button("Retry").click();
      page.getByLabel("Reason, for the audit").fill("payments are back");
      tab.button("Retry saga").click();
      assertThat(page.getByText("payments are back").last()).isVisible();
      stack.payments().start();
      assertThat(page.getByText(Pattern.compile("^It has ended after"))).isVisible();
      tab.expectAccessible("a saga that has ended");
      tab.expectNoProblem();
    }
    order.awaitConfirmed();
  }

  @Test
  void aPausedServiceTakesNoCommandsUntilItIsResumed() {
    try (Console tab = Console.signedIn(stack, stack.issuer().operator("olga"), "participants")) {
      Locator payments = service(tab, "payment-service");
      assertThat(payments.getByText("up", new Locator.GetByTextOptions().setExact(true)))
          .isVisible();
      assertThat(
              service(tab, "shipping-service")
                  .getByText("up", new Locator.GetByTextOptions().setExact(true)))
          .isVisible();
      tab.expectAccessible("participants");
      press(payments, "Pause");
      tab.page().getByLabel("Reason, for the audit").fill("the gateway is maintained");
      tab.button("Pause service").click();
      assertThat(payments.getByText(Pattern.compile("^Paused by olga"))).isVisible();
      tab.expectAccessible("a paused participant");
      tab.picture("participants");

      await("it takes no more")
          .atMost(SOON)
          .until(() -> Metrics.series(stack.payments()).stream().anyMatch(PAUSED));
      Order order = customer.places(OrderForm.GOOD);
      press(payments, "Resume");
      tab.page().getByLabel("Reason, for the audit").fill("it is back");
      tab.button("Resume service").click();
      assertThat(payments.getByText("up", new Locator.GetByTextOptions().setExact(true)))
          .isVisible();
      order.awaitConfirmed();
      tab.expectNoProblem();
    }
  }

  @Test
  void aParkedMessageOfAnotherServiceIsReadEditedAndDeleted() {
    String type = "DoWhatYouLike";
    try (Broker broker = stack.broker()) {
      broker.publish(Message.of(Message.COMMANDS, "payment.process", type, "{\"orderId\": \"a\"}"));
    }
    String path = "parked?service=payment-service";
    try (Console tab = Console.signedIn(stack, stack.issuer().operator("olga"), path)) {
      Page page = tab.page();
      Locator line = page.locator("oc-parked li", new Page.LocatorOptions().setHasText(type));
      await("it is parked")
          .atMost(SOON)
          .until(
              () -> {
                tab.button("Refresh").click();
                return line.count() > 0;
              });
      line.first().locator("button.line").click();
      assertThat(page.getByText("unknown type").first()).isVisible();
      tab.expectAccessible("a parked message");
      tab.picture("parked");
      tab.button("Edit and redrive").click();
      page.getByRole(AriaRole.TEXTBOX, new Page.GetByRoleOptions().setName("Body"))
          .fill("{\"orderId\": \"b\"}");
      page.getByLabel("Reason, for the audit").first().fill("a try");
      tab.expectError("status of 4\\d\\d");
      tab.button("Save and redrive").click();
      assertThat(page.locator("oc-problem [role=alert]").first()).isVisible();

      tab.open(path);
      line.first().locator("button.line").click();
      tab.button("Delete").click();
      page.getByLabel("Reason, for the audit").last().fill("of no use");
      tab.button("Delete message").click();
      assertThat(line).hasCount(0);
    }
  }

  @Test
  void aViewerSeesASagaWithoutWhatIsPersonalAndWithoutButtons() {
    Order order = customer.places(OrderForm.GOOD).awaitConfirmed();
    JsonPath saga = order.saga();
    try (Console tab =
        Console.signedIn(stack, stack.issuer().viewer("vera"), "sagas/" + saga.getString("id"))) {
      Page page = tab.page();
      assertThat(page.getByText(Pattern.compile("^It has ended after"))).isVisible();
      assertThat(page.getByText("hidden").first()).isVisible();
      assertThat(page.getByText(customer.name())).hasCount(0);
      for (String act : List.of("Retry", "Compensate", "Cancel")) {
        assertThat(tab.button(act)).hasCount(0);
      }
      tab.expectNoProblem();
    }
  }

  /**
   * A form on somebody else's page: the browser sends it, and there is no cookie that it could use.
   */
  @Test
  void aStolenFormDoesNothing() {
    stack.payments().kill();
    Order order = customer.places(OrderForm.GOOD);
    String saga = order.saga().getString("id");
    int events = order.history().size();
    try (Console tab = Console.signedIn(stack, stack.issuer().operator(), "sagas")) {
      // The answer is shown in place of the page, which has no icon.
      tab.expectError("status of 4\\d\\d");
      Page page = tab.page();
      page.setContent(
          """
          <form method="post" enctype="text/plain" action="%s/sagas/%s/cancel">
            <input name='{"reason": "stolen", "x": "' value='"}'><button>You have won</button>
          </form>
          """
              .formatted(stack.orders().url(), saga));
      int status =
          page.waitForResponse("**/cancel", () -> page.getByText("You have won").click()).status();
      assertThat(status).isBetween(400, 499);
    }
    assertThat(order.history()).hasSize(events);
    stack.payments().start();
    order.awaitConfirmed();
  }

  private static Locator service(Console tab, String name) {
    return tab.page()
        .getByRole(AriaRole.REGION, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  private static void press(Locator within, String button) {
    within
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(button).setExact(true))
        .click();
  }

  private static Locator tile(Console tab, String label) {
    return tab.page()
        .locator("oc-tile")
        .filter(new Locator.FilterOptions().setHasText(Pattern.compile("^\\s*" + label + "\\b")));
  }

  private static int number(Locator tile) {
    return Integer.parseInt(tile.locator(".value").innerText().replaceAll("\\D", ""));
  }

  private static Locator waitingAt(Console tab, String step) {
    return tab.page().locator("oc-graph a[href*='step=" + step + "']").first();
  }
}

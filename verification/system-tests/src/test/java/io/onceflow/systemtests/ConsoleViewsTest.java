package io.onceflow.systemtests;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.ColorScheme;
import io.restassured.http.ContentType;
import io.restassured.path.json.JsonPath;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every view by its address, in light and in dark, without a finding of axe. */
@Tag("nightly")
@BrowserTest
class ConsoleViewsTest {

  /** In bytes as they come over the wire. */
  private static final int FIRST_SCREEN = 150 * 1024;

  private static final String FIRST = "sagas";

  private static final int FORBIDDEN = 403;

  private static final int MANY = 500;

  /** In milliseconds. */
  private static final int REPAIRED_WITHIN = 120_000;

  private static ConsoleStack console;
  private static Stack stack;

  @BeforeAll
  static void start() {
    console = new ConsoleStack();
    stack = console.stack();
    Customer customer = stack.newCustomer();
    customer.places(OrderForm.GOOD).awaitConfirmed();
  }

  @AfterAll
  static void stop() {
    console.close();
  }

  @ParameterizedTest(name = "{0} at /console/{1}")
  @CsvSource({
    "Sagas, sagas",
    "Repairs, repairs",
    "Repairs, repairs?new=true&status=STUCK",
    "Audit, audit"
  })
  void loadsByItsAddressAndIsAccessible(String heading, String path) {
    try (Console tab = Console.signedIn(stack, stack.issuer().operator(), path)) {
      tab.open(path);
      assertThat(tab.heading(heading)).isVisible();
      tab.expectNoProblem();
      tab.expectAccessible(heading + " in light");
      tab.picture(nameOf(path));
      tab.prefer(ColorScheme.DARK);
      tab.expectAccessible(heading + " in dark");
      tab.picture(nameOf(path) + "-dark");
    }
  }

  @Test
  void asksWhoeverIsNotSignedInToSignIn() {
    try (Console tab = Console.ofNobody(stack)) {
      tab.open("audit?actor=olga");
      assertThat(tab.heading("Sign in")).isVisible();
      tab.expectAccessible("sign-in in light");
      tab.picture("sign-in");
      tab.prefer(ColorScheme.DARK);
      tab.expectAccessible("sign-in in dark");
      tab.page().getByLabel("Access token").fill(stack.issuer().operator());
      tab.page().keyboard().press("Enter");
      assertThat(tab.heading("Audit")).isVisible();
      assertThat(tab.page().url()).endsWith("/console/audit?actor=olga");
    }
  }

  @ParameterizedTest
  @CsvSource({"no-such-view", "sagas/%ff"})
  void anAddressThatNoViewHasIsToldSo(String path) {
    try (Console tab = Console.signedIn(stack, stack.issuer().operator(), FIRST)) {
      tab.open(path);
      assertThat(tab.heading("There is no such page")).isVisible();
    }
  }

  @Test
  void theFirstScreenIsLight() {
    try (Console tab = Console.signedIn(stack, stack.issuer().operator(), FIRST)) {
      tab.open(FIRST);
      assertThat(tab.button("Sign out")).isVisible();
      Number bytes =
          (Number)
              tab.page()
                  .evaluate(
                      """
                      () => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
                        .reduce((sum, it) => sum + Math.max(it.transferSize, it.encodedBodySize), 0)
                      """);
      assertThat(bytes.intValue()).isBetween(10_000, FIRST_SCREEN);
    }
  }

  @Test
  void aTokenOfALinkIsKeptOutOfTheAddress() {
    String token = stack.issuer().operator();
    try (Console tab = Console.signedIn(stack, token, FIRST)) {
      assertThat(tab.page().url()).doesNotContain(token).doesNotContain("#");
      tab.page().goBack();
      assertThat(tab.page().url()).doesNotContain(token);
    }
  }

  @Test
  void aTokenThatHasExpiredSignsNobodyIn() {
    try (Console tab = Console.ofNobody(stack)) {
      tab.expectError("401");
      tab.open("sign-in#token=" + stack.issuer().expired("olga"));
      assertThat(tab.heading("Sign in")).isVisible();
    }
  }

  @Test
  void whoHasSignedOutIsOutAfterAReloadToo() {
    try (Console tab = Console.signedIn(stack, stack.issuer().operator(), FIRST)) {
      tab.button("Sign out").click();
      assertThat(tab.heading("Sign in")).isVisible();
      tab.open("audit");
      assertThat(tab.heading("Sign in")).isVisible();
    }
  }

  /** The page leaves out what its reader may not do; that the API refuses it is what protects. */
  @Test
  void aViewerCannotAct() {
    String viewer = stack.issuer().viewer("vera");
    try (Console tab = Console.signedIn(stack, viewer, FIRST)) {
      assertThat(tab.page().getByText("viewer")).isVisible();
    }
    String saga = "/sagas/" + UUID.randomUUID();
    for (String act : List.of(saga + "/retry", saga + "/compensate")) {
      int status =
          given()
              .auth()
              .oauth2(viewer)
              .contentType(ContentType.JSON)
              .body("{\"reason\": \"because I can\"}")
              .post(stack.orders().url() + act)
              .statusCode();
      assertThat(status).as(act).isEqualTo(FORBIDDEN);
    }
  }

  @Test
  void theTimelineOfASagaGoesThroughAllServices() {
    Order order = stack.newCustomer().places(OrderForm.GOOD).awaitConfirmed();
    String saga = order.saga().getString("id");
    JsonPath timeline =
        given()
            .auth()
            .oauth2(stack.issuer().viewer("vera"))
            .get(stack.orders().url() + "/sagas/" + saga + "/timeline")
            .then()
            .statusCode(200)
            .extract()
            .jsonPath();

    assertThat(timeline.getList("services.answered")).containsExactly(true, true);
    expectInOrder(timeline, "process-payment", "payment-service");
    expectInOrder(timeline, "arrange-shipment", "shipping-service");

    try (Console tab = Console.signedIn(stack, stack.issuer().operator(), "sagas/" + saga)) {
      assertThat(tab.page().locator("oc-timeline rect.works")).not().hasCount(0);
      assertThat(tab.page().locator("oc-timeline table")).containsText("payment-service");
      assertThat(tab.page().locator("oc-way oc-graph g.succeeded")).hasCount(3);
      tab.expectNoProblem();
      tab.expectAccessible("a saga in light");
      tab.picture("saga");
      tab.prefer(ColorScheme.DARK);
      tab.expectAccessible("a saga in dark");
      tab.picture("saga-dark");
    }
  }

  /** All three of the same clock. */
  private static void expectInOrder(JsonPath timeline, String step, String service) {
    String it = "steps.find { it.name == '%s' }.".formatted(step);
    assertThat(timeline.getString(it + "service")).isEqualTo(service);
    List<Instant> times =
        Stream.of("arrivedAt", "begunAt", "answeredAt")
            .map(time -> Instant.parse(timeline.getString(it + time)))
            .toList();
    assertThat(times).as(step).isSorted();
    assertThat(timeline.getString(it + "answer")).isEqualTo("done");
    assertThat(timeline.getString(it + "receivedAt")).isNotNull();
  }

  /** By the keyboard alone, from the list to the end. */
  @Test
  void fiveHundredStuckSagasAreRepairedThroughARestartAndOneFails() {
    StuckOrders stuck = new StuckOrders(console, MANY);
    String spoilt = stuck.spoilOne();
    String list = "sagas?status=STUCK&customer=" + stuck.customer().name();
    try (Console tab = Console.signedIn(stack, stack.issuer().operator(), list)) {
      Page page = tab.page();
      assertThat(page.getByText("500 found")).isVisible();
      tab.picture("sagas");
      press(tab, tab.link("Repair all of these"));
      tab.tabTo(page.getByLabel("Reason, for the audit")).pressSequentially("payments are back");
      page.keyboard().press("Enter");
      assertThat(page.getByText("500 sagas match")).isVisible();
      tab.expectAccessible("a repair that is asked for");
      tab.picture("repairs-new");
      press(tab, tab.button("Retry 500 sagas"));
      assertThat(page.getByText(Pattern.compile("^[1-9]\\d* of 500 repaired"))).isVisible();
      tab.expectAccessible("a repair under way");
      tab.picture("repair");
      expectRefusedASecondTime(stuck);

      tab.expectError("net::ERR_|status of 50");
      stack.orders().kill();
      assertThat(repaired(stuck)).as("repaired when it was killed").isLessThan(MANY - 1);
      stuck.restartOrders();

      assertThat(page.getByText("499 of 500 repaired"))
          .isVisible(new LocatorAssertions.IsVisibleOptions().setTimeout(REPAIRED_WITHIN));
      assertThat(tab.link(spoilt.substring(spoilt.length() - 12))).isVisible();
      assertThat(repaired(stuck)).isEqualTo(MANY - 1);
    } finally {
      stuck.unspoil();
    }
  }

  private static void press(Console tab, Locator control) {
    tab.tabTo(control);
    tab.page().keyboard().press("Enter");
  }

  private static void expectRefusedASecondTime(StuckOrders stuck) {
    int status =
        given()
            .auth()
            .oauth2(stack.issuer().operator("otto"))
            .contentType(ContentType.JSON)
            .body(
                """
                {"action": "retry", "filter": {"status": "STUCK", "customer": "%s"},
                 "reason": "me too", "perSecond": 20, "dryRun": false}
                """
                    .formatted(stuck.customer().name()))
            .post(stack.orders().url() + "/sagas/repairs")
            .statusCode();
    assertThat(status).as("another operator begins the same").isEqualTo(409);
  }

  private static long repaired(StuckOrders stuck) {
    return stack
        .ordersDatabase()
        .count(
            "SELECT count(*) FROM saga_instance WHERE scope = ? AND status = 'COMPENSATED'",
            stuck.customer().name());
  }

  private static String nameOf(String path) {
    return path.replaceAll("\\W+.*", "");
  }
}

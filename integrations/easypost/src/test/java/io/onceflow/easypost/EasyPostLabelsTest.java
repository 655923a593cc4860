package io.onceflow.easypost;

import static io.onceflow.easypost.TestEasyPost.recipient;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.StepKey;
import io.onceflow.easypost.LabelOutcome.Bought;
import io.onceflow.easypost.LabelOutcome.GivenUp;
import io.onceflow.easypost.LabelOutcome.Refused;
import io.onceflow.easypost.LabelOutcome.Why;
import io.onceflow.easypostdouble.EasyPostDouble;
import io.onceflow.participant.CallKey;
import io.onceflow.test.TestPostgres;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is asked of EasyPost, and what is made of its answers, against its double. */
class EasyPostLabelsTest {

  private static final DataSource DATABASE =
      TestPostgres.database("easypost_labels", "db/onceflow/easypost");

  @RegisterExtension static final TestEasyPost TEST = new TestEasyPost();

  private static final EasyPostDouble EASY_POST = TEST.easyPost();

  private final String order = UUID.randomUUID().toString();
  private final CallKey key = TestEasyPost.newKey();
  private final EasyPostConfig config = TestEasyPostConfig.of(EASY_POST.url());
  private final EasyPostRequests requests = new EasyPostRequests(DATABASE);
  private final EasyPostRefundTable table = new EasyPostRefundTable(DATABASE);
  private final EasyPostLabels labels = labels(config);

  private static EasyPostConfig config(String key, String value) {
    return TestEasyPostConfig.of(EASY_POST.url(), Map.of(key, value));
  }

  private EasyPostLabels labels(EasyPostConfig with) {
    return new EasyPostLabels(
        with, requests, table, new EasyPostEvents(DATABASE), new SimpleMeterRegistry());
  }

  @Test
  void buysOneLabelUnderAKeyAndAnswersTheSameAgain() throws Exception {
    LabelOutcome first = labels.buy(key, to("SW1Y 4JH"));

    assertThat(labels.buy(key, to("SW1Y 4JH"))).isEqualTo(first);
    assertThat(bought()).singleElement().extracting(this::rate).isEqualTo("DoublePost Ground");
    assertThat(first).isEqualTo(new Bought(text(bought().get(0), "tracking_code")));
  }

  @Test
  void buysOfTheConfiguredCarriersAlone() throws Exception {
    labels(config("carriers", "otherpost")).buy(key, to("SW1Y 4JH"));

    assertThat(bought()).singleElement().extracting(this::rate).isEqualTo("OtherPost Parcel");
  }

  @Test
  void buysAReturnTheOtherWayRound() throws Exception {
    labels.buy(key, new LabelRequest(order, recipient("SW1Y 4JH", "GB"), true));

    assertThat(bought()).singleElement().extracting(it -> it.get("is_return")).isEqualTo(true);
  }

  @ParameterizedTest
  @ValueSource(strings = {"SIM-ERROR-AFTER-BUY", "SIM-LOST-ANSWER"})
  void findsWhatWasBoughtBehindAnError(String zip) throws Exception {
    LabelOutcome outcome;
    try {
      outcome = labels.buy(key, to(zip));
    } catch (EasyPostUnavailable once) {
      outcome = labels.buy(key, to(zip));
    }

    assertThat(outcome).isInstanceOf(Bought.class);
    assertThat(bought()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"SIM-UNAVAILABLE-TWICE", "SIM-RATE-LIMITED-TWICE"})
  void asksAgainWhereNothingWasLookedAt(String zip) throws Exception {
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> labels.buy(key, to(zip))).isInstanceOf(EasyPostUnavailable.class);
      assertThat(bought()).isEmpty();
    }

    assertThat(labels.buy(key, to(zip))).isInstanceOf(Bought.class);
    assertThat(bought()).hasSize(1);
    assertThat(EASY_POST.shipments(key.value())).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "AQ, SW1Y 4JH, NO_RATE",
    "GB, SIM-BAD-ADDRESS, ADDRESS_INVALID",
    "GB, SIM-POSTAGE-FAILURE, INVALID"
  })
  void refusesWhatEasyPostRefuses(String country, String zip, Why why) throws Exception {
    assertThat(labels.buy(key, new LabelRequest(order, recipient(zip, country), false)))
        .isInstanceOfSatisfying(Refused.class, it -> assertThat(it.why()).isEqualTo(why));
    assertThat(bought()).isEmpty();
  }

  /** The row of the database is lost, such as by restoring a backup; EasyPost has the label. */
  @Test
  void findsByTheReferenceWhatTheDatabaseHasForgotten() throws Exception {
    LabelOutcome first = labels.buy(key, to("SW1Y 4JH"));
    forget();

    assertThat(labels.buy(key, to("SW1Y 4JH"))).isEqualTo(first);
    assertThat(EASY_POST.shipments(key.value())).hasSize(1);
  }

  @Test
  void annulsByTheReferenceWhatTheDatabaseHasForgotten() throws Exception {
    labels.buy(key, to("SW1Y 4JH"));
    forget();

    assertThat(labels.annul(key, order)).isPresent();
    assertThat(refunds()).isEqualTo(1);
  }

  @Test
  void buysNothingInPlaceOfARefundedLabelThatTheDatabaseHasForgotten() throws Exception {
    labels.refund(buy("SW1Y 4JH"), order);
    forget();

    assertThat(labels.buy(key, to("SW1Y 4JH"))).isInstanceOf(GivenUp.class);
    assertThat(bought()).hasSize(1);
  }

  /** The shipment that is made first is the one that is bought. */
  @Test
  void buysOneLabelThoughManyAskAtOnce() throws Exception {
    EASY_POST.faults().latencyMillis(250);
    Callable<LabelOutcome> buying = () -> eventually(to("SW1Y 4JH"));
    try (ExecutorService together = Executors.newFixedThreadPool(8)) {
      List<Future<LabelOutcome>> outcomes =
          together.invokeAll(
              List.of(buying, buying, buying, buying, buying, buying, buying, buying));

      assertThat(outcomes).extracting(Future::get).containsOnly(outcomes.get(0).get());
    }
    assertThat(EASY_POST.shipments(key.value())).hasSizeGreaterThan(1);
    assertThat(bought()).hasSize(1);
  }

  private LabelOutcome eventually(LabelRequest request) {
    return Awaitility.await()
        .ignoreException(EasyPostUnavailable.class)
        .until(() -> labels.buy(key, request), it -> true);
  }

  @Test
  void refundsALabelOnce() throws Exception {
    String code = buy("SW1Y 4JH");

    labels.refund(code, order);
    labels.refund(code, order);

    assertThat(refunds()).isEqualTo(1);
    assertThat(labels.buy(key, to("SW1Y 4JH"))).isInstanceOf(GivenUp.class);
  }

  @Test
  void refundsALabelOnceThoughTheAnswerIsLost() throws Exception {
    String code = buy("SW1Y 4JH");
    EASY_POST.faults().errorsAfterEffect(1);
    assertThatThrownBy(() -> labels.refund(code, order)).isInstanceOf(EasyPostUnavailable.class);
    EASY_POST.faults().none();

    labels.refund(code, order);

    assertThat(refunds()).isEqualTo(1);
  }

  @Test
  void tellsTheCarriersWordOfARefundThatIsRejected() throws Exception {
    String code = buy("SIM-REFUND-REJECTED");

    refundFails(code, "rejected");

    assertThat(table.of(order)).singleElement().extracting("failure").isEqualTo("rejected");
    assertThat(failures()).containsExactly("rejected");
  }

  /** The label was given up by a compensation whose charge was not answered. */
  @Test
  void tellsTheSameWhereTheLabelIsAnnulled() throws Exception {
    buy("SIM-REFUND-REJECTED");
    forget();

    assertThatThrownBy(() -> labels.annul(key, order))
        .asInstanceOf(type(EasyPostRefundFailed.class))
        .extracting(EasyPostRefundFailed::code)
        .isEqualTo("rejected");

    assertThat(failures()).containsExactly("rejected");
  }

  @Test
  void tellsTheCodeOfAnErrorThatRefusesTheRefund() throws Exception {
    String code = buy("SW1Y 4JH");
    EASY_POST.faults().refusesRefunds(true);

    refundFails(code, "SHIPMENT.REFUND.UNAVAILABLE");

    assertThat(failures()).containsExactly("SHIPMENT.REFUND.UNAVAILABLE");
    assertThat(refunds()).isZero();
  }

  @Test
  void tellsTheStatusOfARefundThatCannotBeAskedForAgain() throws Exception {
    String code = buy("SW1Y 4JH");
    String shipment = text(bought().get(0), "id");
    EASY_POST.faults().refundStatus("queued"); // a refund that neither ends nor can be repeated
    refundFails(code, "queued");

    refundFails(code, "queued");

    assertThat(EASY_POST.refunds(shipment)).hasSize(1);
  }

  @Test
  void isNotFailedAnyMoreOnceTheCarrierHasTakenItBack() throws Exception {
    String code = buy("SW1Y 4JH");
    String shipment = text(bought().get(0), "id");
    EASY_POST.faults().refundStatus("rejected");
    refundFails(code, "rejected");
    EASY_POST.faults().none();

    assertThat(table.retry(shipment, "olga", "the carrier has agreed")).isPresent();
    assertThat(failures()).containsExactly("rejected"); // until it has succeeded
    labels.refund(shipment);

    assertThat(failures()).isEmpty();
    assertThat(table.retry(shipment, "olga", "again")).isEmpty();
  }

  private void refundFails(String trackingCode, String code) {
    assertThatThrownBy(() -> labels.refund(trackingCode, order))
        .asInstanceOf(type(EasyPostRefundFailed.class))
        .extracting(EasyPostRefundFailed::code)
        .isEqualTo(code);
  }

  private List<String> failures() throws SQLException {
    return table.open().stream()
        .filter(it -> it.subject().equals(order))
        .map(EasyPostRefundTable.LabelRefund::failure)
        .toList();
  }

  @Test
  void asksForNoRefundThatAnOperatorHasResolved() throws Exception {
    String code = buy("SIM-REFUND-REJECTED");
    String shipment = text(bought().get(0), "id");
    assertThat(table.resolve(shipment, "olga", "not yet")).isEmpty();
    refundFails(code, "rejected");

    assertThat(table.resolve(shipment, "olga", "the carrier has kept it")).isPresent();

    labels.refund(code, order);
    assertThat(EASY_POST.refunds(shipment)).hasSize(1);
    assertThat(failures()).isEmpty();
    assertThat(table.resolve(shipment, "olga", "again")).isEmpty();
    assertThat(table.retry(shipment, "olga", "after all")).isEmpty();
  }

  @Test
  void needsNoRefundWhereNothingIsBilled() throws Exception {
    labels.refund(buy("SIM-BILLED-ON-SCAN"), order);

    assertThat(labels.buy(key, to("SW1Y 4JH"))).isInstanceOf(GivenUp.class);
  }

  @Test
  void refundsNothingThatItDoesNotKnow() {
    assertThatThrownBy(() -> labels.refund("SIM-0199C3A4", order))
        .isInstanceOf(EasyPostRefundFailed.class)
        .hasMessageContaining("SIM-0199C3A4");
  }

  @Test
  void annulsWhatWasNeverAskedFor() throws Exception {
    assertThat(labels.annul(key, order)).isEmpty();

    assertThat(labels.buy(key, to("SW1Y 4JH"))).isInstanceOf(GivenUp.class);
    assertThat(EASY_POST.shipments(key.value())).isEmpty();
  }

  @Test
  void annulsALabelWhoseAnswerWasLost() throws Exception {
    assertThatThrownBy(() -> labels.buy(key, to("SIM-ERROR-AFTER-BUY")))
        .isInstanceOf(EasyPostUnavailable.class);

    assertThat(labels.annul(key, order)).contains(text(bought().get(0), "tracking_code"));
    assertThat(labels.annul(key, order)).contains(text(bought().get(0), "tracking_code"));
    assertThat(refunds()).isEqualTo(1);
    assertThat(labels.buy(key, to("SIM-ERROR-AFTER-BUY"))).isInstanceOf(GivenUp.class);
  }

  /** Such as a letter's: it cannot be told to the customer, and its money comes back. */
  @Test
  void annulsALabelThatHasNoTrackingCode() throws Exception {
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> labels.buy(key, to("SIM-NO-TRACKING-CODE")))
          .isInstanceOf(EasyPostUnavailable.class)
          .hasMessageContaining("has no tracking code yet");
    }

    assertThat(labels.annul(key, order)).isEmpty();
    assertThat(labels.annul(key, order)).isEmpty();
    assertThat(refunds()).isEqualTo(1);
    assertThat(labels.buy(key, to("SIM-NO-TRACKING-CODE"))).isInstanceOf(GivenUp.class);
  }

  /** The book of bookings could not be read with it. */
  @Test
  void takesAnEmptyTrackingCodeForNone() {
    EASY_POST
        .faults()
        .answersOtherwise(
            200,
            """
            {"id": "shp_1", "tracking_code": "", "postage_label": {"id": "pl_1"}}
            """);

    assertThatThrownBy(() -> labels.buy(key, to("SW1Y 4JH")))
        .isInstanceOf(EasyPostUnavailable.class)
        .hasMessageContaining("has no tracking code yet");
  }

  /** The request to buy is under way; it takes effect after the first look. */
  @Test
  void annulsALabelThatIsBoughtWhileItIsGivenUp() throws Exception {
    EasyPostLabels hurried = labels(config("read-timeout", "PT0.5S"));
    assertThatThrownBy(() -> hurried.buy(key, to("SIM-SLOW")))
        .isInstanceOf(EasyPostUnavailable.class);
    assertThatThrownBy(() -> labels.annul(key, order))
        .isInstanceOf(EasyPostUnavailable.class)
        .hasMessageContaining("may still be bought until");

    Awaitility.await().until(() -> bought().size() == 1);
    assertThat(labels.annul(key, order)).isPresent();
    assertThat(refunds()).isEqualTo(1);
  }

  /** Such as after a restart with other carriers, or while the carriers do not tell their rates. */
  @Test
  void refusesNothingThatMayStillBeBought() throws Exception {
    EasyPostLabels hurried = labels(config("read-timeout", "PT0.5S"));
    assertThatThrownBy(() -> hurried.buy(key, to("SIM-SLOW")))
        .isInstanceOf(EasyPostUnavailable.class);

    assertThatThrownBy(() -> labels(config("carriers", "NoPost")).buy(key, to("SIM-SLOW")))
        .isInstanceOf(EasyPostUnavailable.class)
        .hasMessageContaining("may still be bought until");

    Awaitility.await().until(() -> bought().size() == 1);
    assertThat(labels.buy(key, to("SIM-SLOW"))).isInstanceOf(Bought.class);
  }

  @Test
  void isSettledWhenNoRequestCanBeUnderWayAnyMore() throws Exception {
    assertThatThrownBy(() -> labels.buy(key, to("SIM-UNAVAILABLE-TWICE")))
        .isInstanceOf(EasyPostUnavailable.class);

    assertThat(labels(config("settling-time", "PT0S")).annul(key, order)).isEmpty();
    assertThat(labels.buy(key, to("SIM-UNAVAILABLE-TWICE"))).isInstanceOf(GivenUp.class);
    assertThat(bought()).isEmpty();
  }

  @Test
  void listsTheLabelsOfATimePageByPage() throws Exception {
    Instant from = Instant.now().minusSeconds(1);
    for (int i = 0; i < EasyPostList.PAGE + 5; i++) {
      CallKey of =
          new CallKey(order, new StepKey(new IdempotencyKey("key-" + i), "arrange-shipment"));
      labels.buy(of, to("SW1Y 4JH"));
    }
    List<ListedLabel> listed = new ArrayList<>();

    labels.list(from, Instant.now().plusSeconds(1), listed::add);

    assertThat(listed).extracting(ListedLabel::shipmentId).doesNotHaveDuplicates();
    assertThat(listed).hasSizeGreaterThanOrEqualTo(EasyPostList.PAGE + 5);
    assertThat(listed.get(0).price()).isEqualByComparingTo("7.58");
    assertThat(listed.get(0).currency()).isEqualTo("USD");
    List<ListedLabel> before = new ArrayList<>();
    labels.list(from.minusSeconds(3600), from.minusSeconds(1800), before::add);
    assertThat(before).isEmpty();
  }

  @Test
  void makesNoRequestOnceItIsInterrupted() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> labels.buy(key, to("SW1Y 4JH")))
        .isInstanceOf(InterruptedException.class);
    assertThat(EASY_POST.shipments(key.value())).isEmpty();
  }

  private void forget() throws Exception {
    try (var connection = DATABASE.getConnection();
        var delete = connection.prepareStatement("DELETE FROM easypost_request WHERE key = ?")) {
      delete.setString(1, key.value());
      assertThat(delete.executeUpdate()).isEqualTo(1);
    }
  }

  private String buy(String zip) throws InterruptedException {
    return ((Bought) labels.buy(key, to(zip))).trackingCode();
  }

  private LabelRequest to(String zip) {
    return new LabelRequest(order, recipient(zip, "GB"), false);
  }

  private List<Map<String, Object>> bought() {
    return EASY_POST.shipments(key.value()).stream()
        .filter(it -> it.get("postage_label") != null)
        .toList();
  }

  private int refunds() {
    return bought().stream().mapToInt(it -> EASY_POST.refunds(text(it, "id")).size()).sum();
  }

  private String rate(Map<String, Object> shipment) {
    Map<?, ?> rate = (Map<?, ?>) shipment.get("selected_rate");
    return rate.get("carrier") + " " + rate.get("service");
  }

  private static String text(Map<String, Object> shipment, String field) {
    return String.valueOf(shipment.get(field));
  }
}

package io.onceflow.easypost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.easypost.LabelOutcome.Bought;
import io.onceflow.easypost.LabelRequest.Recipient;
import io.onceflow.easypostdouble.EasyPostDouble;
import io.onceflow.easypostdouble.EasyPostDouble.TrackerEvents;
import io.onceflow.participant.CallKey;
import io.onceflow.reconciliation.Book.Window;
import io.onceflow.reconciliation.BookEntry;
import io.onceflow.sql.Sql;
import io.onceflow.test.TestPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EasyPostBookTest {

  private static final DataSource DATABASE =
      TestPostgres.database("easypost_book", "db/onceflow/easypost");

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final SSLSocketFactory usual = HttpsURLConnection.getDefaultSSLSocketFactory();
  private final EasyPostDouble easyPost = EasyPostDouble.start(TrackerEvents.NONE);
  private final EasyPostRefundTable refunds = new EasyPostRefundTable(DATABASE);
  private final EasyPostLabels labels =
      new EasyPostLabels(
          TestEasyPostConfig.of(easyPost.url()),
          new EasyPostRequests(DATABASE),
          refunds,
          new EasyPostEvents(DATABASE),
          new SimpleMeterRegistry());
  private final EasyPostBook book = new EasyPostBook(labels, refunds);
  private final Window around = new Window(Instant.now(), Instant.now()).widenedBy(MINUTE);

  @BeforeEach
  void trustTheDouble() {
    HttpsURLConnection.setDefaultSSLSocketFactory(easyPost.trusting().getSocketFactory());
  }

  @AfterEach
  void stop() {
    HttpsURLConnection.setDefaultSSLSocketFactory(usual);
    easyPost.close();
  }

  @Test
  void listsLabelsAndThoseWhoseMoneyWasAskedFor() throws Exception {
    String booked = buy("order 1");
    String cancelled = buy("order 2");
    labels.refund(cancelled, "order 2");

    List<BookEntry> read = new ArrayList<>();
    book.read(around, read::add);

    assertThat(read)
        .extracting(BookEntry::reference, BookEntry::state, BookEntry::amount)
        .containsExactlyInAnyOrder(
            tuple(booked, "BOOKED", null), tuple(cancelled, "CANCELLED|ABSENT", null));
    assertThat(read.getFirst().evidence()).containsKeys("easyPostShipment", "key", "price");
  }

  /** Before, those of a day were one answer, however many they were. */
  @Test
  void listsWhoseRefundsBeganOnADayPageByPage() throws Exception {
    Window longAgo = Window.of(LocalDate.of(2020, 1, 1));
    try (Connection connection = DATABASE.getConnection()) {
      Sql.update(
          connection,
          """
          INSERT INTO easypost_request (
            key, scope, step_key, subject, shipment_id, tracking_code, given_up, given_up_at
          )
          SELECT 'page ' || number, 'page', 'page', 'page', 'shp_' || number, 'EZ' || number, true,
                 ?::timestamptz
          FROM   generate_series(1, 1001) AS number
          """,
          longAgo.from());
    }

    List<String> page = book.changedIn(longAgo, null);

    assertThat(page).hasSize(EasyPostRefundTable.PAGE);
    assertThat(book.changedIn(longAgo, page.getLast()))
        .singleElement()
        .satisfies(last -> assertThat(page).doesNotContain(last));
  }

  /** Carriers take weeks for that, and no event tells of it. */
  @Test
  void findsThatARefundWasRejectedAfterItWasSubmitted() throws Exception {
    String cancelled = buy("order 4");
    labels.refund(cancelled, "order 4");
    assertThat(book.changedIn(around, null)).contains(cancelled);
    String shipment = book.find(cancelled).getFirst().evidence().get("easyPostShipment");

    easyPost.rejectRefund(shipment);

    assertThat(book.find(cancelled)).extracting(BookEntry::state).containsExactly("BOOKED");
    assertThat(refunds.of("order 4")).singleElement().extracting("failure").isEqualTo("rejected");
  }

  /** What an operator has resolved is no difference, whatever our book says. */
  @Test
  void agreesWithAnyStateOnceTheRefundIsResolved() throws Exception {
    String cancelled = buy("order 5");
    labels.refund(cancelled, "order 5");
    String shipment = book.find(cancelled).getFirst().evidence().get("easyPostShipment");
    easyPost.rejectRefund(shipment);
    refunds.resolve(shipment, "olga", "the postage stays with the carrier");

    List<BookEntry> read = new ArrayList<>();
    book.read(around, read::add);

    assertThat(read).extracting(BookEntry::state).contains("BOOKED|CANCELLED|ABSENT");
    assertThat(book.find(cancelled))
        .extracting(BookEntry::state)
        .containsExactly("BOOKED|CANCELLED|ABSENT");
  }

  /** Such as by another application: nothing of it is to be retried or resolved here. */
  @Test
  void recordsNoFailureOfALabelThatIsNotGivenUpHere() throws Exception {
    String booked = buy("order 6");
    easyPost.rejectRefund(book.find(booked).getFirst().evidence().get("easyPostShipment"));

    book.find(booked);

    assertThat(refunds.open()).noneMatch(it -> it.subject().equals("order 6"));
  }

  /** Such as a letter's, which has none. */
  @ParameterizedTest
  @ValueSource(strings = {"", "EZ 1", "ä"})
  void listsAllOthersBesideALabelWithAnOddTrackingCode(String code) throws Exception {
    easyPost
        .faults()
        .answersOtherwise(
            200,
            """
            {"shipments": [{"id": "shp_1", "created_at": "%1$s", "tracking_code": "%2$s"},
                           {"id": "shp_2", "created_at": "%1$s", "tracking_code": "EZ2"}],
             "has_more": false}
            """
                .formatted(Instant.now().truncatedTo(ChronoUnit.SECONDS), code));

    List<BookEntry> read = new ArrayList<>();
    book.read(around, read::add);

    assertThat(read).extracting(BookEntry::reference).containsExactly("EZ2");
  }

  /** Such a price says nothing, and hid all other labels. */
  @ParameterizedTest
  @ValueSource(strings = {"\"1e39\"", "\"NaN\"", "\"abc\"", "1e39", "\"-Infinity\""})
  void listsALabelWhoseRateIsNoPrice(String rate) throws Exception {
    easyPost
        .faults()
        .answersOtherwise(
            200,
            """
            {"shipments": [{"id": "shp_1", "created_at": "%1$s", "tracking_code": "EZ1",
                            "selected_rate": {"rate": %2$s, "currency": "USD"}},
                           {"id": "shp_2", "created_at": "%1$s", "tracking_code": "EZ2",
                            "selected_rate": {"rate": "7.58", "currency": "USD"}}],
             "has_more": false}
            """
                .formatted(Instant.now().truncatedTo(ChronoUnit.SECONDS), rate));

    List<BookEntry> read = new ArrayList<>();
    book.read(around, read::add);

    assertThat(read).extracting(BookEntry::reference).containsExactly("EZ1", "EZ2");
    assertThat(read.getFirst().evidence()).doesNotContainKey("price");
    assertThat(read.getLast().evidence()).containsEntry("price", "7.58 USD");
  }

  @Test
  void findsALabelByItsTrackingCode() throws Exception {
    String booked = buy("order 3");

    assertThat(book.find(booked))
        .singleElement()
        .satisfies(it -> assertThat(it.state()).isEqualTo("BOOKED"));
    assertThat(book.find("EZ-UNKNOWN")).isEmpty();
  }

  @Test
  void tellsThatItCannotBeRead() {
    easyPost.close();

    assertThatThrownBy(() -> book.read(around, entry -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("EasyPost's list of labels cannot be read");
    assertThatThrownBy(() -> book.find("EZ1"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("EZ1");
  }

  private String buy(String subject) throws InterruptedException {
    CallKey key = TestEasyPost.newKey();
    Recipient to =
        new Recipient("Ada Lovelace", "12 St James's Square", "London", "SW1Y 4JH", "GB");
    return ((Bought) labels.buy(key, new LabelRequest(subject, to, false))).trackingCode();
  }
}

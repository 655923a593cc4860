package io.onceflow.reconciliation.internal.book;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.onceflow.reconciliation.Book.Window;
import io.onceflow.reconciliation.BookEntry;
import io.onceflow.reconciliation.internal.ReconciliationConfig.PageKey;
import io.onceflow.reconciliation.internal.TestReconciliation;
import io.onceflow.reconciliation.internal.book.RemoteBook.Place;
import io.onceflow.saga.internal.services.OtherServices;
import io.onceflow.saga.internal.services.TestOtherServices;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a service shows of its book another one can read, however large the entries are. */
class LargeEntriesTest {

  private static final Window DAY = Window.of(LocalDate.of(2025, 3, 14));

  private static final String SELECT =
      """
      SELECT n AS id, 'ch_' || n AS reference, 'CHARGED' AS state, 700::bigint AS amount, 'EUR' AS currency,
             '2025-03-14T12:00:00Z'::timestamptz AS at, NULL::timestamptz AS changed_at,
             NULL::text AS application, json_build_object('note', repeat('ä', %d))::text AS evidence
      FROM   generate_series(1::bigint, %d) AS n
      """;

  private final BookPages pages = new BookPages(TestReconciliation.JSON);
  private HttpServer server;
  private RemoteBook remote;
  private SqlBook shown;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    URI url = URI.create("http://localhost:" + server.getAddress().getPort());
    OtherServices services = TestOtherServices.of("payment-service", url);
    Place place = new Place("payment-service", "charges");
    remote = new RemoteBook(place, services, "a.b.c", "order-service", TestReconciliation.JSON);
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    Map<String, String> query = query(exchange.getRequestURI().getRawQuery());
    byte[] body = TestReconciliation.JSON.writeValueAsBytes(page(query));
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private BookPage page(Map<String, String> query) throws IOException {
    if (query.containsKey("reference")) {
      return pages.of(shown.find(query.getOrDefault("reference", "")));
    }
    int limit = Integer.parseInt(query.getOrDefault("limit", "1000"));
    return pages.of(shown.page(DAY, query.get("cursor"), limit), limit);
  }

  private static Map<String, String> query(String text) {
    Map<String, String> query = new HashMap<>();
    for (String parameter : text.split("&")) {
      String[] parts = parameter.split("=", 2);
      query.put(parts[0], URLDecoder.decode(parts[1], UTF_8));
    }
    return query;
  }

  private List<BookEntry> read() throws Exception {
    List<BookEntry> read = new ArrayList<>();
    remote.read(DAY, read::add);
    return read;
  }

  private void willShow(int entries, int noteLength) {
    shown = TestSqlBook.of(PageKey.NUMBER, SELECT.formatted(noteLength, entries));
  }

  /** A thousand of them are more than an answer may have. */
  @Test
  void areReadInPagesThatAnAnswerHolds() throws Exception {
    willShow(2_500, 1_000);

    assertThat(read())
        .hasSize(2_500)
        .allSatisfy(it -> assertThat(it.evidence().get("note")).hasSize(1_000))
        .extracting(BookEntry::reference)
        .doesNotHaveDuplicates();
  }

  @Test
  void areReadWithoutTheirEvidenceWhereOneAloneIsTooLarge() throws Exception {
    willShow(15, 600_000);

    assertThat(read())
        .hasSize(15)
        .allSatisfy(it -> assertThat(it.evidence()).containsOnlyKeys("leftOut"));
    assertThat(remote.find("ch_7"))
        .singleElement()
        .satisfies(it -> assertThat(it.evidence().get("leftOut")).contains("1200"));
  }

  @Test
  void endWithTheLastOfThem() throws IOException {
    willShow(2, 10);

    assertThat(pages.of(shown.page(DAY, null, 2), 2).next()).isEqualTo("2");
    assertThat(pages.of(shown.page(DAY, null, 3), 3).next()).isNull();
  }
}

package io.onceflow.reconciliation.internal.book;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.onceflow.reconciliation.Book;
import io.onceflow.reconciliation.BookEntry;
import io.onceflow.reconciliation.internal.book.RemoteBook.Place;
import io.onceflow.saga.internal.services.OtherServices;
import io.onceflow.saga.internal.services.TestOtherServices;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RemoteBookTest {

  private static final Instant AT = Instant.parse("2025-03-14T12:00:00Z");
  private static final Book.Window DAY = Book.Window.of(LocalDate.of(2025, 3, 14));

  private final ObjectMapper json =
      new ObjectMapper()
          .registerModule(new JavaTimeModule())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS);
  private final List<String> asked = new ArrayList<>();
  private final Deque<Answer> answers = new ArrayDeque<>();
  private HttpServer server;
  private OtherServices services;
  private Book book;

  private record Answer(int status, String body) {}

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    URI url = URI.create("http://localhost:" + server.getAddress().getPort());
    services = TestOtherServices.of("payment-service", url);
    book = book("a.b.c");
  }

  private Book book(String token) {
    Place place = new Place("payment-service", "payments-by-order");
    return new RemoteBook(place, services, token, "order-service", json);
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    asked.add(
        exchange.getRequestURI() + " " + exchange.getRequestHeaders().getFirst("Authorization"));
    Answer answer = answers.removeFirst();
    byte[] body = answer.body().getBytes(UTF_8);
    exchange.sendResponseHeaders(answer.status(), body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static BookEntry entry(String reference, @Nullable String application) {
    return new BookEntry(
        reference, "CHARGED", 700L, "EUR", AT, AT, application, Map.of("paymentId", "p"));
  }

  private void willAnswer(@Nullable String next, BookEntry... entries) throws IOException {
    answers.add(new Answer(200, json.writeValueAsString(new BookPage(List.of(entries), next))));
  }

  private List<BookEntry> read() throws IOException, InterruptedException {
    List<BookEntry> read = new ArrayList<>();
    book.read(DAY, read::add);
    return read;
  }

  @Test
  void isReadPageByPageWithTheToken() throws Exception {
    willAnswer("7 & 8", entry("one", "order-service"));
    willAnswer(null, entry("two", null));

    assertThat(read()).containsExactly(entry("one", "order-service"), entry("two", null));
    assertThat(asked)
        .containsExactly(
            "/books/payments-by-order?from=2025-03-14T00:00:00Z&to=2025-03-15T00:00:00Z&limit=1000"
                + " Bearer a.b.c",
            "/books/payments-by-order?from=2025-03-14T00:00:00Z&to=2025-03-15T00:00:00Z&limit=1000&cursor=7+%26+8"
                + " Bearer a.b.c");
  }

  @Test
  void leavesOutWhatWasDoneForOtherApplications() throws Exception {
    willAnswer(null, entry("ours", "order-service"), entry("theirs", "subscription-service"));
    willAnswer(null, entry("theirs", "subscription-service"));

    assertThat(read()).containsExactly(entry("ours", "order-service"));
    assertThat(book.find("theirs")).isEmpty();
    assertThat(asked.getLast()).startsWith("/books/payments-by-order/entries?reference=theirs ");
  }

  @Test
  void asksAgainWhereTheServiceIsNotReady() throws Exception {
    answers.add(new Answer(503, ""));
    willAnswer(null, entry("one", null));

    assertThat(read()).containsExactly(entry("one", null));
  }

  /** Such as a file with two lines: what is said about it is logged, and kept with the run. */
  @ParameterizedTest
  @ValueSource(strings = {"a.b.secret\nsecond line", "\ufeffa.b.secret"})
  void doesNotTellATokenThatIsNone(String token) {
    assertThatThrownBy(() -> book(token).find("one"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("token")
        .hasMessageNotContaining("secret");
    assertThat(asked).isEmpty();
  }

  @Test
  void saysWhyItCannotBeRead() {
    answers.add(new Answer(401, ""));
    assertThatThrownBy(this::read).isInstanceOf(IOException.class).hasMessageContaining("401");

    for (String body : List.of("<html>", "", "null", "{}", "{\"entries\": [null]}", "[]")) {
      answers.add(new Answer(200, body));
      assertThatThrownBy(this::read)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("answered no page of a book");
    }
  }
}

package io.onceflow.reconciliation.internal.book;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.reconciliation.Book;
import io.onceflow.reconciliation.BookEntry;
import io.onceflow.saga.internal.services.OtherServices;
import io.onceflow.saga.internal.services.ServiceAnswer.Answered;
import io.onceflow.saga.internal.services.ServiceAnswer.Unanswered;
import io.onceflow.saga.internal.services.ServiceRequest;
import java.io.IOException;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A book of another service, read by HTTP. What that service did for other applications is left
 * out.
 */
final class RemoteBook implements Book {

  /** The most that a service sends; where they are large it sends fewer, see BookPages. */
  private static final int PAGE = 1_000;

  private static final Duration WITHIN = Duration.ofSeconds(20);

  /** A page is asked for so often; the service may be restarting. */
  private static final int ATTEMPTS = 4;

  private static final Pattern TOKEN = Pattern.compile("[!-~]+");

  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Place place;
  private final OtherServices services;
  private final String token;
  private final String self;
  private final ObjectMapper json;

  /** Which book of which service. */
  record Place(String service, String book) {}

  /**
   * @param token of an operator
   * @param self name of this application
   */
  RemoteBook(Place place, OtherServices services, String token, String self, ObjectMapper json) {
    this.place = place;
    this.services = services;
    this.token = token;
    this.self = self;
    this.json = json;
  }

  @Override
  public String name() {
    return place.service() + "/" + place.book();
  }

  @Override
  public void read(Window window, Consumer<BookEntry> entries)
      throws IOException, InterruptedException {
    String cursor = null;
    do {
      BookPage page = page(window, cursor);
      page.entries().stream().filter(this::isOurs).forEach(entries);
      cursor = page.next();
    } while (cursor != null);
  }

  private BookPage page(Window window, @Nullable String cursor)
      throws IOException, InterruptedException {
    String path =
        "/books/%s?from=%s&to=%s&limit=%s"
            .formatted(encoded(place.book()), window.from(), window.to(), PAGE);
    return ask(cursor == null ? path : path + "&cursor=" + encoded(cursor));
  }

  @Override
  public List<BookEntry> find(String reference) throws IOException, InterruptedException {
    String path =
        "/books/%s/entries?reference=%s".formatted(encoded(place.book()), encoded(reference));
    return ask(path).entries().stream().filter(this::isOurs).toList();
  }

  private boolean isOurs(BookEntry entry) {
    return entry.application() == null || entry.application().equals(self);
  }

  private BookPage ask(String path) throws IOException, InterruptedException {
    requireToken();
    String why = "";
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      if (attempt > 1) {
        Thread.sleep(PAUSE);
      }
      switch (services
          .ask(place.service(), new ServiceRequest("GET", path, null, WITHIN), token)
          .orElseThrow(this::notListed)) {
        case Answered answer when answer.isOk() -> {
          return page(answer.body());
        }
        case Answered answer when answer.status() < 500 && answer.status() != 429 ->
            throw new IOException("%s answered %s".formatted(name(), answer.status()));
        case Answered answer -> why = "it answered " + answer.status();
        case Unanswered unanswered -> why = unanswered.why();
      }
    }
    throw new IOException("%s cannot be read, tried %s times: %s".formatted(name(), ATTEMPTS, why));
  }

  /** The HTTP client's exception would tell it to the log, and to all who see the run. */
  private void requireToken() throws IOException {
    if (!TOKEN.matcher(token).matches()) {
      throw new IOException(
          "%s cannot be read: the token is not one line of visible ASCII".formatted(name()));
    }
  }

  private IOException notListed() {
    return new IOException(
        "%s cannot be read: set onceflow.services.%s to the address of that service"
            .formatted(name(), place.service()));
  }

  private BookPage page(String body) throws IOException {
    @Nullable BookPage page;
    try {
      page = json.readValue(body, BookPage.class);
    } catch (JsonProcessingException e) {
      throw new IOException(
          "%s answered no page of a book: %s".formatted(name(), e.getOriginalMessage()), e);
    }
    if (page == null
        || page.entries() == null
        || page.entries().stream().anyMatch(Objects::isNull)) {
      throw new IOException("%s answered no page of a book: it has no entries".formatted(name()));
    }
    return page;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }
}

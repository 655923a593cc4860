package io.onceflow.reconciliation.internal.book;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.reconciliation.Book;
import io.onceflow.reconciliation.internal.ReconciliationConfig;
import io.onceflow.reconciliation.internal.ReconciliationConfig.QueryBook;
import io.onceflow.reconciliation.internal.book.RemoteBook.Place;
import io.onceflow.saga.internal.services.OtherServices;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/** The books that there are: queries of the configuration, beans, and those of other services. */
@ApplicationScoped
public class Books {

  private final Map<String, SqlBook> queries = new TreeMap<>();
  private final Instance<Book> beans;
  private final Instance<OtherServices> services;
  private final String self;
  private final ObjectMapper json;

  Books(
      ReconciliationConfig config,
      DataSource database,
      @Any Instance<Book> beans,
      Instance<OtherServices> services,
      @ConfigProperty(name = "quarkus.application.name") String self,
      ObjectMapper json) {
    this.beans = beans;
    this.services = services;
    this.self = self;
    this.json = json;
    config.books().forEach((name, book) -> queries.put(name, query(name, database, book)));
  }

  private SqlBook query(String name, DataSource database, QueryBook book) {
    return new SqlBook(name, database, text(book.query()), book, json);
  }

  private static String text(String resource) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    try (InputStream file = loader.getResourceAsStream(resource)) {
      if (file == null) {
        throw new IllegalStateException(
            "onceflow.reconciliation.books names %s, which is not on the class path"
                .formatted(resource));
      }
      return new String(file.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A query of the configuration, which other services may read. */
  Optional<SqlBook> query(String name) {
    return Optional.ofNullable(queries.get(name));
  }

  /** Whether it belongs to another service, which wants a token. */
  public static boolean isRemote(String name) {
    return name.indexOf('/') > 0;
  }

  /** Whether there is a book of this name; of other services that is not known. */
  public boolean has(String name) {
    return isRemote(name) || queries.containsKey(name) || bean(name).isPresent();
  }

  /**
   * Opens a book.
   *
   * @param token of an operator, for other services; null where there is none
   * @throws IOException where there is no such book, or it wants a token
   */
  public Book open(String name, @Nullable String token) throws IOException {
    if (isRemote(name)) {
      return remote(name, token);
    }
    SqlBook query = queries.get(name);
    return query != null
        ? query
        : bean(name).orElseThrow(() -> new IOException("there is no book " + name));
  }

  private Optional<Book> bean(String name) {
    return beans.stream().filter(book -> book.name().equals(name)).findFirst();
  }

  private Book remote(String name, @Nullable String token) throws IOException {
    if (token == null || token.isEmpty()) {
      throw new IOException(
          "%s is read with a token of an operator: run it on demand, or set".formatted(name)
              + " onceflow.reconciliation.token-file");
    }
    int slash = name.indexOf('/');
    Place place = new Place(name.substring(0, slash), name.substring(slash + 1));
    return new RemoteBook(place, services.get(), token, self, json);
  }
}

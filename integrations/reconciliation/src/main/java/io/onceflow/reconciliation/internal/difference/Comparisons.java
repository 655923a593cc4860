package io.onceflow.reconciliation.internal.difference;

import io.onceflow.reconciliation.Mend;
import io.onceflow.reconciliation.internal.ReconciliationConfig;
import io.onceflow.reconciliation.internal.ReconciliationConfig.BookPair;
import io.onceflow.reconciliation.internal.book.Books;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The comparisons of the configuration. */
@ApplicationScoped
public class Comparisons {

  private static final Logger LOG = Logger.getLogger(Comparisons.class);

  private final ReconciliationConfig config;
  private final Map<String, BookPair> pairs;
  private final Books books;
  private final Instance<Mend> mends;

  Comparisons(ReconciliationConfig config, Books books, @Any Instance<Mend> mends) {
    this.config = config;
    this.pairs = config.comparisons();
    this.books = books;
    this.mends = mends;
  }

  /** Their names, in order, but for those of a book that does not exist. */
  public List<String> names() {
    return pairs.keySet().stream().filter(this::isPossible).sorted().toList();
  }

  /** Whether there is a comparison of this name. */
  public boolean has(String name) {
    return pairs.containsKey(name) && isPossible(name);
  }

  private boolean isPossible(String name) {
    BookPair pair = pairs.get(name);
    return books.has(pair.ours()) && books.has(pair.theirs());
  }

  /** Warns of comparisons that cannot be made. */
  public void tellMissingBooks() {
    pairs.forEach(
        (name, pair) -> {
          if (!isPossible(name)) {
            LOG.warnf(
                "%s is not compared: there is no book %s",
                name, books.has(pair.ours()) ? pair.theirs() : pair.ours());
          }
        });
  }

  /** Whether it can be made without an operator's token. */
  public boolean canBeScheduled(String name) {
    BookPair pair = pairs.get(name);
    boolean isRemote = Books.isRemote(pair.ours()) || Books.isRemote(pair.theirs());
    return !isRemote || config.tokenFile().isPresent();
  }

  /**
   * Opens both books.
   *
   * @param token of the operator who asks; null for that of the configuration
   * @throws IOException where one of them cannot be opened
   */
  public BothBooks open(String name, @Nullable String token) throws IOException {
    BookPair pair = pairs.get(name);
    if (pair == null) {
      throw new IOException("there is no comparison %s any more".formatted(name));
    }
    String mayRead = token == null || token.isEmpty() ? configuredToken() : token;
    return new BothBooks(books.open(pair.ours(), mayRead), books.open(pair.theirs(), mayRead));
  }

  private @Nullable String configuredToken() throws IOException {
    return config.tokenFile().isEmpty() ? null : Files.readString(config.tokenFile().get()).strip();
  }

  /** What can be done about differences of a comparison. */
  public Optional<Mend> mend(String comparison) {
    return mends.stream().filter(mend -> mend.comparison().equals(comparison)).findFirst();
  }
}

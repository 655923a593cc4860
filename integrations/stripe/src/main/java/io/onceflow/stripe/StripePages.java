package io.onceflow.stripe;

import com.stripe.exception.StripeException;
import com.stripe.model.HasId;
import com.stripe.model.StripeCollection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a list of Stripe's <a href="https://docs.stripe.com/api/pagination">page by page</a>. */
final class StripePages {

  private StripePages() {}

  /** Asks for a page. */
  @FunctionalInterface
  interface Page<T extends HasId> {

    /**
     * @param last the id of the last object of the page before; null for the first page
     */
    StripeCollection<T> after(@Nullable String last) throws StripeException;
  }

  /**
   * Takes an object of a list.
   *
   * @param <X> what ends the reading early
   */
  @FunctionalInterface
  interface Reader<T, X extends Exception> {
    void accept(T object) throws StripeException, X;
  }

  static <T extends HasId, X extends Exception> void read(Page<T> list, Reader<T, X> reader)
      throws StripeException, X {
    @Nullable String last = null;
    boolean hasMore = true;
    while (hasMore) {
      StripeCollection<T> page = list.after(last);
      List<T> objects = page.getData();
      for (T object : objects) {
        reader.accept(object);
      }
      hasMore = Boolean.TRUE.equals(page.getHasMore()) && !objects.isEmpty();
      last = objects.isEmpty() ? null : objects.getLast().getId();
    }
  }
}

package io.onceflow.stripe;

import com.stripe.exception.StripeException;
import com.stripe.model.HasId;
import com.stripe.model.StripeCollection;
import java.util.List;
import java.util.function.Consumer;
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

  static <T extends HasId> void read(Page<T> list, Consumer<T> reader) throws StripeException {
    @Nullable String last = null;
    boolean hasMore = true;
    while (hasMore) {
      StripeCollection<T> page = list.after(last);
      List<T> objects = page.getData();
      objects.forEach(reader);
      hasMore = Boolean.TRUE.equals(page.getHasMore()) && !objects.isEmpty();
      last = objects.isEmpty() ? null : objects.getLast().getId();
    }
  }
}

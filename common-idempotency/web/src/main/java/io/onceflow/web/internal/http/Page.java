package io.onceflow.web.internal.http;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list that is ordered by its cursor.
 *
 * @param items at most as many as asked for, and fewer where they are large
 * @param next cursor of the next page; null on the last
 */
public record Page<T>(List<T> items, @Nullable String next) {

  /**
   * A page of what was found.
   *
   * @param found one more than the limit, if there is a next page
   * @param cursor of an item, such as its id
   */
  public static <T> Page<T> of(List<T> found, int limit, Function<T, ?> cursor) {
    if (found.size() <= limit) {
      return new Page<>(found, null);
    }
    return before(found.subList(0, limit), cursor);
  }

  /**
   * A page that ends early where its items would have too many bytes. Takes no more of what was
   * found than it needs to see that.
   *
   * @param found one more than the limit, if there is a next page
   * @param size of an item as JSON
   * @param mostBytes of all items together, unless it is one alone
   */
  public static <T> Page<T> bounded(
      Iterator<T> found, int limit, ToLongFunction<T> size, long mostBytes, Function<T, ?> cursor) {
    List<T> items = new ArrayList<>();
    long bytes = 0;
    while (found.hasNext()) {
      T item = found.next();
      bytes += size.applyAsLong(item);
      if (items.size() == limit || bytes > mostBytes && !items.isEmpty()) {
        return before(items, cursor);
      }
      items.add(item);
    }
    return new Page<>(items, null);
  }

  private static <T> Page<T> before(List<T> items, Function<T, ?> cursor) {
    return new Page<>(items, cursor.apply(items.getLast()).toString());
  }
}

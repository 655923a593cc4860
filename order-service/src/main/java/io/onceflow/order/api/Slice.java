package io.onceflow.order.api;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A part of a list that is ordered by its cursor.
 *
 * @param items at most as many as requested, and fewer where they are large
 * @param next cursor of the next part; null on the last
 */
record Slice<T>(List<T> items, @Nullable String next) {

  /** A part of what was found: one more than the limit, if there is a next part. */
  static <T> Slice<T> of(List<T> found, int limit, Function<T, ?> cursor) {
    return of(found.iterator(), limit, item -> 0, 0, cursor);
  }

  /**
   * A part that ends early where its items would have too many bytes. Takes no more of what was
   * found than it needs to see that.
   *
   * @param found one more than the limit, if there is a next part
   * @param size of an item as JSON
   * @param mostBytes of all items together, unless it is one alone
   * @param cursor of an item, such as its id
   */
  static <T> Slice<T> of(
      Iterator<T> found, int limit, ToLongFunction<T> size, long mostBytes, Function<T, ?> cursor) {
    List<T> items = new ArrayList<>();
    long bytes = 0;
    while (found.hasNext()) {
      T item = found.next();
      bytes += size.applyAsLong(item);
      if (items.size() == limit || bytes > mostBytes && !items.isEmpty()) {
        return new Slice<>(items, cursor.apply(items.getLast()).toString());
      }
      items.add(item);
    }
    return new Slice<>(items, null);
  }
}

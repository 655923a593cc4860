package io.onceflow.web.internal.http;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list that is ordered by its cursor.
 *
 * @param items at most as many as requested
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
    List<T> items = found.subList(0, limit);
    return new Page<>(items, cursor.apply(items.getLast()).toString());
  }
}

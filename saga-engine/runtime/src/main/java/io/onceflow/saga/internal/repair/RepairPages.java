package io.onceflow.saga.internal.repair;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.onceflow.saga.internal.repair.Repair.RepairedSaga;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Pages of repairs and of their sagas; a cursor is absent on the last page. */
final class RepairPages {

  private RepairPages() {}

  /** A page of repairs, newest first. */
  record RepairPage(List<Repair> repairs, @JsonInclude(Include.NON_NULL) @Nullable UUID next) {}

  /** A page of a repair's sagas, by their ids. */
  record RepairedSagaPage(
      List<RepairedSaga> sagas, @JsonInclude(Include.NON_NULL) @Nullable UUID next) {}

  /**
   * @param found one more than the limit if there are more
   * @param shown each repair as the caller may see it
   */
  static RepairPage repairs(List<Repair> found, int limit, UnaryOperator<Repair> shown) {
    return new RepairPage(
        cut(found, limit).stream().map(shown).toList(), next(found, limit, Repair::id));
  }

  /**
   * @param found one more than the limit if there are more
   */
  static RepairedSagaPage sagas(List<RepairedSaga> found, int limit) {
    return new RepairedSagaPage(cut(found, limit), next(found, limit, RepairedSaga::saga));
  }

  private static <T> List<T> cut(List<T> found, int limit) {
    return found.size() > limit ? found.subList(0, limit) : found;
  }

  private static <T> @Nullable UUID next(List<T> found, int limit, Function<T, UUID> id) {
    return found.size() > limit ? id.apply(found.get(limit - 1)) : null;
  }
}

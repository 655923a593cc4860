package io.onceflow.rabbitmq.internal;

import io.onceflow.outbox.internal.transport.OutgoingMessage;
import io.onceflow.rabbitmq.internal.BundleRoutes.Route;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A batch while it is written: packs that are taken go out as they are, all others as their
 * messages. In one batch a route is treated one way, so that packs which come back are sent again
 * in their order.
 */
final class PackedBatch {

  private final Deque<OutgoingMessage> rest;
  private final BundleRoutes routes;
  private final Map<Route, Boolean> taken = new HashMap<>();
  private @Nullable OutgoingMessage question;

  /**
   * @param largest bytes that the broker takes; a pack that is larger goes out as its messages
   */
  PackedBatch(List<OutgoingMessage> batch, BundleRoutes routes, int largest) {
    this.rest = new ArrayDeque<>(batch);
    this.routes = routes;
    if (largest < OutgoingMessage.LARGEST_PACK_BYTES) {
      batch.stream()
          .filter(one -> one.isPack() && one.body().length > largest)
          .forEach(pack -> taken.put(Route.of(pack), false));
    }
  }

  boolean isEmpty() {
    return rest.isEmpty();
  }

  /** What goes out next: all that is left, or up to a pack of which it is not known. */
  List<OutgoingMessage> next() {
    List<OutgoingMessage> next = new ArrayList<>();
    question = null;
    while (!rest.isEmpty() && question == null) {
      OutgoingMessage outgoing = rest.remove();
      Optional<Boolean> isTaken = outgoing.isPack() ? isTaken(outgoing) : Optional.of(true);
      if (isTaken.orElse(true)) {
        next.add(outgoing);
      } else {
        next.addAll(outgoing.apart());
      }
      question = isTaken.isEmpty() ? outgoing : null;
    }
    return next;
  }

  /** The pack by which the broker is asked, the last of what went out; null if there is none. */
  @Nullable OutgoingMessage question() {
    return question;
  }

  /** If the broker did not take it, its messages are next. */
  void answer(boolean isTaken) {
    OutgoingMessage pack = question;
    if (pack == null) {
      return;
    }
    taken.put(Route.of(pack), isTaken);
    if (isTaken) {
      routes.taken(Route.of(pack));
    } else {
      routes.notTaken(Route.of(pack));
      rest.addFirst(pack);
    }
  }

  private Optional<Boolean> isTaken(OutgoingMessage pack) {
    Route route = Route.of(pack);
    Boolean known = taken.get(route);
    if (known != null) {
      return Optional.of(known);
    }
    Optional<Boolean> answer = routes.isTaken(route);
    answer.ifPresent(isTaken -> taken.put(route, isTaken));
    return answer;
  }
}

package io.onceflow.quarkus.trip;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** An airline that knows idempotency keys. */
@ApplicationScoped
class Airline {

  private final Map<String, String> seats = new ConcurrentHashMap<>();
  private final List<String> annulled = new CopyOnWriteArrayList<>();

  Optional<String> reserve(String key, String flight) {
    return flight.equals("FULL")
        ? Optional.empty()
        : Optional.of(seats.computeIfAbsent(key, its -> "seat-" + (seats.size() + 1)));
  }

  void annul(String reserved, String key) {
    annulled.add(reserved + " by " + key);
  }

  List<String> annulled() {
    return annulled;
  }
}

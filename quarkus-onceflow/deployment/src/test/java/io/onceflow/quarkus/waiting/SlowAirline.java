package io.onceflow.quarkus.waiting;

import static io.onceflow.quarkus.waiting.SlowAirline.Seat.CONFIRMED;
import static io.onceflow.quarkus.waiting.SlowAirline.Seat.FULL;
import static io.onceflow.quarkus.waiting.SlowAirline.Seat.ON_REQUEST;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** An airline that knows idempotency keys, and decides about some seats later. */
@ApplicationScoped
class SlowAirline {

  private final Map<String, Seat> seats = new ConcurrentHashMap<>();

  enum Seat {
    CONFIRMED,
    FULL,
    ON_REQUEST
  }

  Seat reserve(String key, String flight) {
    return seats.computeIfAbsent(key, its -> flight.equals("OF 9") ? ON_REQUEST : CONFIRMED);
  }

  /** Decides about the seat that is on request; returns its key. */
  String decide(boolean isFree) {
    String key =
        seats.entrySet().stream()
            .filter(seat -> seat.getValue() == ON_REQUEST)
            .findAny()
            .orElseThrow()
            .getKey();
    seats.put(key, isFree ? CONFIRMED : FULL);
    return key;
  }
}

package ${package};

import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/** Stands for the airline's client. Like a good one, it does everything once for each key. */
@ApplicationScoped
public class Airline {

  /** What it has done, the oldest first. */
  private final List<Entry> entries = new CopyOnWriteArrayList<>();

  /** Something that was done under a key. */
  public record Entry(String key, UUID trip, String what) {}

  /** Reserves a seat, or returns the one that was reserved under this key. */
  synchronized String reserve(String key, UUID trip, String flight) {
    enter(new Entry(key, trip, "RESERVED"));
    return "SEAT-" + flight;
  }

  /** Gives back what was reserved under another key, if anything was. */
  synchronized void cancel(String key, UUID trip, String reserved) {
    if (entries.stream().anyMatch(entry -> entry.key().equals(reserved))) {
      enter(new Entry(key, trip, "CANCELLED"));
    }
  }

  private void enter(Entry entry) {
    if (!entries.contains(entry)) {
      entries.add(entry);
    }
  }

  /** What it has done for a trip, the oldest first. */
  List<Entry> of(UUID trip) {
    return entries.stream().filter(entry -> entry.trip().equals(trip)).toList();
  }
}

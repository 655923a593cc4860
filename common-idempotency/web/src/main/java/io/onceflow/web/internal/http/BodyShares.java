package io.onceflow.web.internal.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Bounds what the bodies of all requests hold. Where there is no room for a new one, the one that
 * has been incomplete for longest is given up: a slow body is displaced by other bodies, and
 * displaces none that is complete.
 *
 * @param <B> a body
 */
final class BodyShares<B> {

  private final int mostPerAddress;
  private final long mostBytes;

  /** Oldest first. */
  private final Map<B, String> incomplete = new LinkedHashMap<>();

  private final Map<String, Set<B>> byAddress = new HashMap<>();
  private final Map<B, Long> held = new HashMap<>();
  private long bytes;

  BodyShares(int mostPerAddress, long mostBytes) {
    this.mostPerAddress = mostPerAddress;
    this.mostBytes = mostBytes;
  }

  /**
   * What has to be given up.
   *
   * @param displaced older bodies, in favour of this one
   * @param fits whether there is room for this one now; if not, it holds nothing any more
   */
  record Room<B>(List<B> displaced, boolean fits) {}

  /** Starts to count a body. */
  synchronized Room<B> begin(B body, String address) {
    List<B> displaced = new ArrayList<>();
    Set<B> ofAddress = byAddress.computeIfAbsent(address, unseen -> new LinkedHashSet<>());
    while (ofAddress.size() >= mostPerAddress) {
      displaced.add(displace(ofAddress.iterator().next()));
    }
    // The last one took the entry along.
    byAddress.computeIfAbsent(address, unseen -> ofAddress).add(body);
    incomplete.put(body, address);
    held.put(body, 0L);
    return new Room<>(displaced, true);
  }

  /** Counts a part of a body. */
  synchronized Room<B> grow(B body, int by) {
    if (!held.containsKey(body)) {
      return new Room<>(List.of(), true); // given up already
    }
    held.merge(body, (long) by, Long::sum);
    bytes += by;
    List<B> displaced = bytes > mostBytes ? makeRoomFor(body) : List.of();
    boolean fits = bytes <= mostBytes;
    if (!fits) {
      release(body);
    }
    return new Room<>(displaced, fits);
  }

  private List<B> makeRoomFor(B body) {
    List<B> displaced = new ArrayList<>();
    for (B oldest : incomplete()) {
      if (bytes <= mostBytes) {
        break;
      }
      if (oldest != body) {
        displaced.add(displace(oldest));
      }
    }
    return displaced;
  }

  private B displace(B body) {
    release(body);
    return body;
  }

  /** The body has come whole. Its bytes are held until it is released. */
  synchronized void complete(B body) {
    String address = incomplete.remove(body);
    if (address != null) {
      Set<B> ofAddress = byAddress.getOrDefault(address, Set.of());
      ofAddress.remove(body);
      if (ofAddress.isEmpty()) {
        byAddress.remove(address);
      }
    }
  }

  /** The body holds nothing any more. */
  synchronized void release(B body) {
    complete(body);
    Long its = held.remove(body);
    bytes -= its == null ? 0 : its;
  }

  /** Those that are still incomplete, oldest first. */
  synchronized List<B> incomplete() {
    return List.copyOf(incomplete.keySet());
  }

  synchronized long bytes() {
    return bytes;
  }
}

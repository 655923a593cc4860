package io.onceflow.test.races;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What keeps the handlers of a race from coming to an end. The product would try them again until
 * an operator looks; a test shall fail soon, and say why.
 */
final class HandlerTroubles {

  /** More often than a handler is asked again in a race that comes to an end. */
  private static final int ENDLESS = 50;

  /** Fewer, since the inbox calls ever less often what fails. */
  private static final int MOST_FAILURES = 10;

  private final Set<String> mayBePending = ConcurrentHashMap.newKeySet();
  private final Map<String, Integer> failures = new ConcurrentHashMap<>();
  private final Map<String, Integer> events = new ConcurrentHashMap<>();
  private volatile @Nullable AssertionError found;

  /** Commands of this type may be answered as pending. */
  void mayBePending(String type) {
    mayBePending.add(type);
  }

  /** Notes what a handler has thrown. */
  void failed(String type, Throwable failure) {
    if (failures.merge(type, 1, Integer::sum) == MOST_FAILURES) {
      found =
          new AssertionError(
              "the handler of %s has failed %s times, the last time with: %s"
                  .formatted(type, MOST_FAILURES, failure),
              failure);
    }
  }

  /** Notes that a handler has answered as pending. */
  void pending(String type) {
    if (!mayBePending.contains(type)) {
      found =
          new AssertionError(
              ("%s is answered as pending, and its line in commands() does not say what ends that;"
                      + " add .pendingUntil(subject -> ...). A compensation cannot wait")
                  .formatted(type));
    }
  }

  /** Notes that a pending step was told its event. */
  void wasToldAnEvent(String step) {
    if (events.merge(step, 1, Integer::sum) == ENDLESS) {
      found =
          new AssertionError(
              "%s is still answered as pending after its event was told %s times"
                  .formatted(step, ENDLESS));
    }
  }

  /** Fails the test where its end cannot come. */
  void check() {
    AssertionError trouble = found;
    if (trouble != null) {
      throw trouble;
    }
  }
}

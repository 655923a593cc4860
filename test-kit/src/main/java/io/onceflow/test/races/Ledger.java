package io.onceflow.test.races;

import java.util.List;
import java.util.UUID;

/**
 * What has really happened, as those see it to whom it happened: the books of a gateway, or the
 * business rows where nobody is called. Best a table in which nothing keeps the same from happening
 * twice, so that it would show.
 */
@FunctionalInterface
public interface Ledger {

  /** Everything that has happened to one subject, the oldest first. */
  List<Entry> of(UUID subject);

  /**
   * One effect.
   *
   * @param key under which it was asked for
   * @param kind such as {@code CHARGE}
   */
  record Entry(String key, String kind) {}
}

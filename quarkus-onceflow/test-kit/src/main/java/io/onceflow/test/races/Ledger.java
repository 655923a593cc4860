package io.onceflow.test.races;

import java.util.List;
import java.util.UUID;

/**
 * The effects that really took place: the entries of the called system, or the business rows of a
 * participant that calls none. Best a table without a unique constraint, in which a second effect
 * would show.
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

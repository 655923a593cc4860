package io.onceflow.saga.internal.store.view;

import io.onceflow.saga.Saga.SagaStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which sagas a list contains; a saga must match all parts.
 *
 * @param status null for any
 * @param definition which definition they follow
 * @param step the step that they wait for now, or for the compensation of which; null for any
 * @param reason why they are or were undone; null for any
 * @param quarantined whether in quarantine; null for any
 * @param overdue only those whose timer should have been served 10 s ago, or whose deadline has
 *     passed
 * @param started when they were started
 * @param business what they are about
 * @param page the part of the list
 */
public record SagaFilter(
    @Nullable SagaStatus status,
    Definition definition,
    @Nullable String step,
    @Nullable String reason,
    @Nullable Boolean quarantined,
    boolean overdue,
    Started started,
    Business business,
    Page page) {

  /** By status, definition and age, oldest first. */
  public SagaFilter(
      @Nullable SagaStatus status,
      @Nullable String definition,
      @Nullable Duration olderThan,
      @Nullable Boolean quarantined,
      @Nullable UUID after,
      int limit) {
    this(
        status,
        new Definition(definition, null),
        null,
        null,
        quarantined,
        false,
        new Started(olderThan, null, null),
        Business.ANY,
        new Page(after, false, limit));
  }

  /**
   * A definition.
   *
   * @param name null for any
   * @param version null for any
   */
  public record Definition(@Nullable String name, @Nullable Integer version) {}

  /**
   * When sagas were started.
   *
   * @param olderThan at least this long ago by the database's clock; null for any
   * @param after not before this moment; null for any
   * @param before before this moment; null for any
   */
  public record Started(
      @Nullable Duration olderThan, @Nullable Instant after, @Nullable Instant before) {}

  /**
   * What sagas are about.
   *
   * @param subject the business's row, such as an order; null for any
   * @param customer the scope of their root key; null for any
   * @param attribute one that their definition declares as searchable; null for any
   */
  public record Business(
      @Nullable UUID subject, @Nullable String customer, @Nullable Attribute attribute) {

    /** Whatever they are about. */
    public static final Business ANY = new Business(null, null, null);
  }

  /**
   * What a saga must have been started with.
   *
   * @param value all of it, or its first 200 characters
   */
  public record Attribute(String name, String value) {

    /** The form of parameters. */
    private static final Pattern FORM = Pattern.compile("([!-9;-~]{1,64}):(.+)", Pattern.DOTALL);

    /** As in {@code orderNumber:4711}; empty where it has another form. */
    public static Optional<Attribute> of(String parameter) {
      Matcher form = FORM.matcher(parameter);
      return form.matches()
          ? Optional.of(new Attribute(form.group(1), form.group(2)))
          : Optional.empty();
    }
  }

  /**
   * A part of a list.
   *
   * @param after the last id of the page before; null for the first page
   * @param newestFirst else oldest first
   * @param limit how many at most
   */
  public record Page(@Nullable UUID after, boolean newestFirst, int limit) {}

  /** Whether only sagas that have not ended can match. */
  boolean isOfOpenSagas() {
    return step != null
        || overdue
        || Boolean.TRUE.equals(quarantined)
        || (status != null && !status.isEnd());
  }

  /** Whether no index but those of definitions leads to what matches. */
  boolean isOfADefinitionOnly() {
    return definition.name() != null
        && status == null
        && reason == null
        && business.equals(Business.ANY)
        && !isOfOpenSagas();
  }
}

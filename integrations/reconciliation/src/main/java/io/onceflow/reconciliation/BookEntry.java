package io.onceflow.reconciliation;

import io.onceflow.participant.CallKey;
import io.onceflow.sql.Sql;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One charge, booking or order, as one side has it now.
 *
 * @param reference by which both sides know it, such as the gateway's id of the charge: up to 200
 *     visible ASCII characters
 * @param state such as {@code CHARGED}. Where more than one state of the other side agrees with it,
 *     all of them, separated by a bar: {@code REFUNDED|ABSENT}. {@link #ABSENT} among them means
 *     that the other side need not have an entry
 * @param amount in minor units; null where it costs nothing, and amounts are not compared
 * @param currency ISO 4217; null where it costs nothing
 * @param at when it was made, by the clock of this side
 * @param changedAt when its state changed last; {@code at} where it did not
 * @param application that asked for it, where one book serves several; null where that is unknown
 * @param evidence what else there is to know about it, by names, such as {@code orderId}. Here and
 *     in all other texts a NUL, which PostgreSQL does not store, becomes U+FFFD
 */
public record BookEntry(
    String reference,
    String state,
    @Nullable Long amount,
    @Nullable String currency,
    Instant at,
    Instant changedAt,
    @Nullable String application,
    Map<String, String> evidence) {

  /** The state of what has no entry. */
  public static final String ABSENT = "ABSENT";

  /** A regular expression of what a reference is. */
  public static final String REFERENCE = "[!-~]{1,200}";

  private static final Pattern REFERENCES = Pattern.compile(REFERENCE);
  private static final Pattern STATE = Pattern.compile("[A-Z_]+(\\|[A-Z_]+)*");
  private static final Pattern UUID_FORM =
      Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");
  private static final Pattern BAR = Pattern.compile("\\|");

  /**
   * @throws IllegalArgumentException where the reference or the state is malformed
   */
  public BookEntry {
    if (!REFERENCES.matcher(reference).matches()) {
      throw new IllegalArgumentException(
          "the reference of an entry of %s is not up to 200 visible ASCII characters"
              .formatted(at));
    }
    if (!STATE.matcher(state).matches()) {
      throw new IllegalArgumentException(
          "the state '%s' of %s is not like CHARGED or REFUNDED|ABSENT"
              .formatted(state, reference));
    }
    currency = currency == null ? null : Sql.storable(currency);
    application = application == null ? null : Sql.storable(application);
    evidence = storable(evidence);
  }

  /** Whether both sides say the same of the state. */
  public boolean agreesWith(BookEntry other) {
    return state.equals(other.state) || states().stream().anyMatch(other.states()::contains);
  }

  /** Whether the other side need not have it. */
  public boolean mayBeAbsent() {
    return states().contains(ABSENT);
  }

  /** The same entry, whose state changed last at this time. */
  public BookEntry withChangedAt(Instant time) {
    return new BookEntry(reference, state, amount, currency, at, time, application, evidence);
  }

  /** The first of these members of the evidence that is a UUID. */
  public Optional<UUID> id(String... members) {
    return Stream.of(members)
        .map(member -> evidence.getOrDefault(member, ""))
        .filter(text -> UUID_FORM.matcher(text).matches())
        .map(UUID::fromString)
        .findFirst();
  }

  /**
   * The key under which a step has asked for it, where the evidence tells scope and key as {@code
   * customer} and {@code idempotencyKey}. What is undone under a key that follows from this one is
   * undone once, also where the step's compensation comes later.
   */
  public Optional<CallKey> callKey() {
    String scope = evidence.get("customer");
    String stepKey = evidence.get("idempotencyKey");
    if (scope == null || stepKey == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(CallKey.of(scope, stepKey));
    } catch (IllegalArgumentException notOfAStep) {
      return Optional.empty();
    }
  }

  private static Map<String, String> storable(Map<String, String> texts) {
    Map<String, String> storable = new HashMap<>();
    texts.forEach((name, text) -> storable.put(Sql.storable(name), Sql.storable(text)));
    return Map.copyOf(storable);
  }

  private Set<String> states() {
    return Set.of(BAR.split(state));
  }
}

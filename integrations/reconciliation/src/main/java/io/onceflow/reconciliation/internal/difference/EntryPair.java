package io.onceflow.reconciliation.internal.difference;

import io.onceflow.reconciliation.BookEntry;
import io.onceflow.reconciliation.Difference.Kind;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** What both books have under one reference, and what they differ in. */
public record EntryPair(List<BookEntry> ours, List<BookEntry> theirs) {

  /** Copies the entries. */
  public EntryPair {
    ours = List.copyOf(ours);
    theirs = List.copyOf(theirs);
  }

  /** Whether either side has changed since a moment, so that it may be under way. */
  public boolean hasChangedSince(Instant moment) {
    return Stream.concat(ours.stream(), theirs.stream())
        .anyMatch(entry -> entry.changedAt().isAfter(moment));
  }

  /** In what they differ; the statement that compares whole books says the same. */
  public Set<Kind> differences() {
    Set<Kind> found = EnumSet.noneOf(Kind.class);
    if (ours.size() > 1 || theirs.size() > 1) {
      found.add(Kind.TWICE);
    }
    if (ours.isEmpty() && theirs.stream().anyMatch(it -> !it.mayBeAbsent())) {
      found.add(Kind.MISSING_HERE);
    }
    if (theirs.isEmpty() && ours.stream().anyMatch(it -> !it.mayBeAbsent())) {
      found.add(Kind.MISSING_THERE);
    }
    if (ours.size() == 1 && theirs.size() == 1) {
      compare(ours.getFirst(), theirs.getFirst(), found);
    }
    return found;
  }

  private static void compare(BookEntry our, BookEntry their, Set<Kind> found) {
    if (differs(our, their, BookEntry::amount)) {
      found.add(Kind.AMOUNT);
    }
    if (differs(our, their, BookEntry::currency)) {
      found.add(Kind.CURRENCY);
    }
    if (!our.agreesWith(their)) {
      found.add(Kind.STATE);
    }
  }

  /** What one side does not know is not compared. */
  private static boolean differs(
      BookEntry our, BookEntry their, Function<BookEntry, ? extends Object> fact) {
    Object ourFact = fact.apply(our);
    Object theirFact = fact.apply(their);
    return ourFact != null && theirFact != null && !Objects.equals(ourFact, theirFact);
  }
}

package io.onceflow.reconciliation.internal.run;

import static io.onceflow.reconciliation.internal.ListBook.entry;
import static io.onceflow.reconciliation.internal.ListBook.in;
import static io.onceflow.reconciliation.internal.run.ReconcilerFixture.NOON;
import static io.onceflow.reconciliation.internal.run.ReconcilerFixture.named;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.reconciliation.BookEntry;
import io.onceflow.reconciliation.Difference.Kind;
import io.onceflow.reconciliation.internal.TestReconciliation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is planted among many entries is found, and nothing else. */
class PlantedDifferencesTest {

  private static final int ENTRIES = 3_000;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void allOfThemAreFoundAndNothingElse(long seed) throws Exception {
    TestReconciliation.empty();
    Random random = new Random(seed);
    ReconcilerFixture books = new ReconcilerFixture();
    List<String> planted = new ArrayList<>();
    for (int i = 0; i < ENTRIES; i++) {
      String state = random.nextInt(10) == 0 ? "REFUNDED|ABSENT" : "CHARGED";
      BookEntry entry =
          entry("r" + i, state, 1 + random.nextInt(9_999), NOON.plusSeconds(random.nextInt(9_999)));
      books.ours.entries.add(entry);
      books.theirs.entries.add(entry);
      if (random.nextInt(50) == 0) {
        plant(books, entry, Kind.values()[random.nextInt(Kind.values().length)], planted);
      }
    }
    Collections.shuffle(books.ours.entries, random);
    Collections.shuffle(books.theirs.entries, random);

    RunCounts counts = books.compare();

    assertThat(planted).hasSizeGreaterThan(20);
    assertThat(books.open()).containsExactlyInAnyOrderElementsOf(planted);
    assertThat(counts.differences()).isEqualTo(planted.size());
  }

  private static void plant(
      ReconcilerFixture books, BookEntry entry, Kind kind, List<String> planted) {
    List<BookEntry> ours = books.ours.entries;
    List<BookEntry> theirs = books.theirs.entries;
    boolean isPlanted = true;
    switch (kind) {
      case MISSING_HERE -> {
        ours.removeLast();
        isPlanted = !entry.mayBeAbsent();
      }
      case MISSING_THERE -> {
        theirs.removeLast();
        isPlanted = !entry.mayBeAbsent();
      }
      case AMOUNT ->
          theirs.set(
              theirs.size() - 1,
              entry(entry.reference(), entry.state(), entry.amount() + 1, entry.at()));
      case CURRENCY -> theirs.set(theirs.size() - 1, in(entry, "USD"));
      case STATE ->
          theirs.set(
              theirs.size() - 1,
              entry(entry.reference(), "PARTLY_REFUNDED", entry.amount(), entry.at()));
      case TWICE -> ours.add(entry);
    }
    if (isPlanted) {
      planted.add(named(kind, entry.reference()));
    }
  }
}

package io.onceflow.order.saga;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a reply says, compared with what the saga knows.
 *
 * @param difference the first one found; empty while all is equal
 */
record ReplyFacts(Optional<String> difference) {

  /** Compares a first fact. */
  static ReplyFacts compare(String fact, Object known, @Nullable Object said) {
    return new ReplyFacts(Optional.empty()).and(fact, known, said);
  }

  /** Compares one more fact. */
  ReplyFacts and(String fact, Object known, @Nullable Object said) {
    return difference.isPresent() || Objects.equals(known, said)
        ? this
        : new ReplyFacts(
            Optional.of("its %s is %s, the saga's is %s".formatted(fact, said, known)));
  }
}

package io.onceflow.web.internal.logging;

import io.onceflow.core.internal.Printable;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A failure as a log shows it, with the same trace and an escaped message. */
final class PrintableFailure extends Throwable {

  private static final long serialVersionUID = 1L;

  private final String shown;

  private PrintableFailure(Throwable failure, @Nullable Throwable cause) {
    super(Printable.escape(failure.getMessage()), cause);
    this.shown = String.valueOf(Printable.escape(failure.toString()));
    setStackTrace(failure.getStackTrace());
  }

  static boolean isPrintable(Throwable failure) {
    return isPrintable(failure, Collections.newSetFromMap(new IdentityHashMap<>()));
  }

  private static boolean isPrintable(Throwable failure, Set<Throwable> seen) {
    if (!seen.add(failure)) {
      return true;
    }
    if (!Printable.is(failure.toString())) {
      return false;
    }
    for (Throwable suppressed : failure.getSuppressed()) {
      if (!isPrintable(suppressed, seen)) {
        return false;
      }
    }
    return failure.getCause() == null || isPrintable(failure.getCause(), seen);
  }

  static Throwable of(Throwable failure) {
    return of(failure, Collections.newSetFromMap(new IdentityHashMap<>()));
  }

  private static PrintableFailure of(Throwable failure, Set<Throwable> seen) {
    seen.add(failure);
    Throwable cause = failure.getCause();
    PrintableFailure shown =
        new PrintableFailure(
            failure, cause == null || seen.contains(cause) ? null : of(cause, seen));
    for (Throwable suppressed : failure.getSuppressed()) {
      if (!seen.contains(suppressed)) {
        shown.addSuppressed(of(suppressed, seen));
      }
    }
    return shown;
  }

  @Override
  public String toString() {
    return shown;
  }
}

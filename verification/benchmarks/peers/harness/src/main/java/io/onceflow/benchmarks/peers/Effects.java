package io.onceflow.benchmarks.peers;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How often each simulated service did what it is there for. */
public record Effects(long charges, long refunds, long bookings, long confirmed, long cancelled) {

  static final String NAME = "peer-effects";

  /** What was done since. */
  public Effects minus(Effects before) {
    return new Effects(
        charges - before.charges,
        refunds - before.refunds,
        bookings - before.bookings,
        confirmed - before.confirmed,
        cancelled - before.cancelled);
  }

  /**
   * What must not be, in words; empty when each saga took effect exactly once.
   *
   * @param run in which it was done
   */
  public List<String> faults(PeerRun run) {
    List<String> faults = new ArrayList<>();
    if (run.wrong() > 0) {
      faults.add("%d sagas failed or ended otherwise than their order says".formatted(run.wrong()));
    }
    long through = run.sagas() - run.compensated();
    Effects expected =
        new Effects(run.sagas(), run.compensated(), through, through, run.compensated());
    if (run.wrong() == 0 && !equals(expected)) {
      faults.add("%s instead of %s".formatted(this, expected));
    }
    return faults;
  }

  PeerLine line() {
    return new PeerLine(
        NAME,
        Map.of(
            "charges",
            charges,
            "refunds",
            refunds,
            "bookings",
            bookings,
            "confirmed",
            confirmed,
            "cancelled",
            cancelled));
  }

  /** Reads what a peer's process wrote. */
  public static Effects of(PeerLine line) {
    return new Effects(
        line.value("charges"),
        line.value("refunds"),
        line.value("bookings"),
        line.value("confirmed"),
        line.value("cancelled"));
  }
}

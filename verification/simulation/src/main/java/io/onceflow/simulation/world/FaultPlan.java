package io.onceflow.simulation.world;

import io.onceflow.simulation.Coverage;
import io.onceflow.simulation.broker.BrokerFaults;
import io.onceflow.simulation.database.FaultPoints;
import io.onceflow.simulation.kernel.Kernel;
import io.onceflow.simulation.kernel.Node;
import io.onceflow.simulation.kernel.SeededRandom;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * What goes wrong in a run, and how often: drawn from its seed. In each run some things go wrong
 * and others do not, so that what is rare in one meets what is frequent in another. After a while
 * there are no more faults, and every saga has to end.
 */
final class FaultPlan implements FaultPoints, BrokerFaults {

  private static final Duration SHORTEST_RESTART = Duration.ofMillis(100);
  private static final Duration LONGEST_RESTART = Duration.ofSeconds(40);

  private final Kernel kernel;
  private final SeededRandom chance;
  private final double crash;
  private final double hang;
  private final double commitFails;
  private final double commitUnknown;
  private final double refuse;
  private final double loseConfirm;
  private final double lose;
  private final double repeat;
  private final long longestDelay;
  private final double lostAnswer;
  private final double unavailable;
  private final double slow;
  private final double decline;
  private boolean raging = true;

  FaultPlan(Kernel kernel, SeededRandom chance, double intensity) {
    this.kernel = kernel;
    this.chance = chance;
    this.crash = some(0.3, 0.03 * intensity);
    this.hang = some(0.3, 0.02 * intensity);
    this.commitFails = some(0.3, 0.1 * intensity);
    this.commitUnknown = some(0.3, 0.1 * intensity);
    this.refuse = some(0.2, 0.3 * intensity);
    this.loseConfirm = some(0.2, 0.3 * intensity);
    this.lose = some(0.4, 0.5 * intensity);
    this.repeat = some(0.4, 0.5 * intensity);
    this.longestDelay =
        chance.of(0.3)
            ? Duration.ofSeconds(40).toNanos()
            : Duration.ofMillis(5 + chance.below(500)).toNanos();
    this.lostAnswer = some(0.4, 0.5 * intensity);
    this.unavailable = some(0.3, 0.5 * intensity);
    this.slow = some(0.3, 0.4 * intensity);
    this.decline = some(0.2, 0.5 * intensity);
  }

  private double some(double often, double most) {
    return chance.of(often) ? most * chance.share() : 0;
  }

  /** From here on nothing goes wrong. */
  void calm() {
    raging = false;
    kernel.tell("world", () -> "the storm is over");
  }

  private boolean strikes(double probability) {
    return raging && chance.of(probability);
  }

  @Override
  public void step(Supplier<String> what) {
    Node node = kernel.running().node();
    if (strikes(crash)) {
      kernel.tell(node.toString(), () -> "is about to: " + what.get());
      noteCrash(what.get());
      node.crash();
      kernel.after(chance.between(SHORTEST_RESTART, LONGEST_RESTART), node::start);
      kernel.waiter().await();
    }
    if (strikes(hang)) {
      node.hang(chance.between(Duration.ofSeconds(1), Duration.ofSeconds(60)));
    }
    kernel.sleep(20_000 + chance.below(2_000_000));
    kernel.tell(node.toString(), what);
  }

  private void noteCrash(String before) {
    switch (before) {
      case "committed" -> kernel.reach(Coverage.CRASH_BETWEEN_COMMIT_AND_ACK);
      case "delete what was confirmed" -> kernel.reach(Coverage.CRASH_BETWEEN_CONFIRM_AND_DELETE);
      default -> {}
    }
  }

  @Override
  public boolean commitFails() {
    return strikes(commitFails);
  }

  @Override
  public boolean commitIsUnknown() {
    return strikes(commitUnknown);
  }

  @Override
  public boolean refuses() {
    return strikes(refuse);
  }

  @Override
  public boolean losesConfirm() {
    return strikes(loseConfirm);
  }

  @Override
  public boolean loses() {
    return strikes(lose);
  }

  @Override
  public boolean repeats() {
    return strikes(repeat);
  }

  @Override
  public long delay() {
    return 500_000 + chance.below(raging ? longestDelay : 5_000_000L);
  }

  @Override
  public long repeatDelay() {
    double share = chance.share();
    if (share < 0.7) {
      return chance.below(Duration.ofSeconds(60).toNanos());
    }
    return chance.below((share < 0.9 ? Duration.ofHours(2) : Duration.ofDays(14)).toNanos());
  }

  /** Whether gateway or carrier carries out the call and its answer is lost. */
  boolean losesAnswer() {
    return strikes(lostAnswer);
  }

  /** Whether gateway or carrier refuses the call as unavailable. */
  boolean isUnavailable() {
    return strikes(unavailable);
  }

  /** Whether the gateway declines a refund for now. */
  boolean declines() {
    return strikes(decline);
  }

  /** Whether a process does not make the call, since it expects no answer. */
  boolean holdsCallsBack() {
    return strikes(unavailable / 2);
  }

  /** How long a request to gateway or carrier, or its answer, takes. */
  long way() {
    return strikes(slow)
        ? chance.below(Duration.ofSeconds(40).toNanos())
        : chance.below(Duration.ofMillis(200).toNanos());
  }
}

package io.onceflow.simulated;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * An external system with the faults of real ones. As real ones do, it causes an effect once per
 * key and answers a repeat the same.
 */
public final class SimulatedSystem {

  /** Slow enough to be noticed, and well within the deadline of a call. */
  private static final Duration SLOWNESS = Duration.ofSeconds(3);

  private final String name;
  private final SimulatedLedger ledger;
  private final Duration latency;

  /**
   * @param name in messages, such as {@code gateway}
   * @param latency of each request, during which it holds no connection
   */
  public SimulatedSystem(String name, SimulatedLedger ledger, Duration latency) {
    this.name = name;
    this.ledger = ledger;
    this.latency = latency;
  }

  /**
   * Books an effect.
   *
   * @return its reference; empty if the key was annulled
   * @throws NoAnswer if the behaviour says so, or the ledger fails
   * @throws NotSettled if the behaviour says so: the effect may be caused at a later request
   * @throws KeyReused if the key was used for something else
   */
  public Optional<String> book(EffectKey key, SimulatedEffect effect, Behaviour behaviour)
      throws InterruptedException {
    takeTime();
    try {
      return switch (behaviour) {
        case ANSWERS -> ledger.book(key, effect);
        case LOSES_FIRST_ANSWER -> bookAndLoseFirstAnswer(key, effect);
        case IS_UNAVAILABLE_TWICE -> bookThirdTime(key, effect);
        case SETTLES_LATER -> bookFourthTime(key, effect);
        case NEVER_SETTLES -> throw new NotSettled(name, key);
        case IS_SLOW -> bookSlowly(key, effect);
        case NEVER_ANSWERS -> never(key);
      };
    } catch (SQLException e) {
      throw ledgerFailed(key, e);
    }
  }

  /**
   * Undoes an effect.
   *
   * @param key of this request
   * @throws NoAnswer if the ledger fails, or the caller is interrupted
   * @throws KeyReused if the key was used for something else, or there is no such effect
   */
  public void undo(EffectKey key, SimulatedEffect effect) {
    try {
      takeTime();
      ledger.undo(key, effect);
    } catch (SQLException e) {
      throw ledgerFailed(key, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NoAnswer(name, key, "interrupted");
    }
  }

  /**
   * Settles a request whose result is unknown: undoes the effect if it was booked, and lets nothing
   * be booked under its key from then on.
   *
   * @param key of the request
   * @param undoing the key of the request that undoes it
   * @return what was undone; empty if nothing had been booked
   * @throws NoAnswer if the ledger fails
   */
  public Optional<SimulatedEffect> annul(EffectKey key, EffectKey undoing, UUID orderId)
      throws InterruptedException {
    takeTime();
    try {
      Optional<SimulatedEffect> booked = ledger.makeVoid(key, orderId);
      if (booked.isPresent()) {
        ledger.undo(undoing, booked.get());
      }
      return booked;
    } catch (SQLException e) {
      throw ledgerFailed(key, e);
    }
  }

  private void takeTime() throws InterruptedException {
    if (latency.isPositive()) {
      Thread.sleep(latency);
    }
  }

  private Optional<String> bookAndLoseFirstAnswer(EffectKey key, SimulatedEffect effect)
      throws SQLException, InterruptedException {
    Optional<String> reference = ledger.book(key, effect);
    if (ledger.countAttempt(key) == 1) {
      throw new NoAnswer(name, key, "simulated: the effect was caused and the answer lost");
    }
    return reference;
  }

  private Optional<String> bookThirdTime(EffectKey key, SimulatedEffect effect)
      throws SQLException, InterruptedException {
    if (ledger.countAttempt(key) <= 2) {
      throw new NoAnswer(name, key, "simulated: unavailable twice");
    }
    return ledger.book(key, effect);
  }

  private Optional<String> bookFourthTime(EffectKey key, SimulatedEffect effect)
      throws SQLException, InterruptedException {
    if (ledger.countAttempt(key) <= 3) {
      throw new NotSettled(name, key);
    }
    return ledger.book(key, effect);
  }

  private Optional<String> bookSlowly(EffectKey key, SimulatedEffect effect)
      throws SQLException, InterruptedException {
    TimeUnit.MILLISECONDS.sleep(SLOWNESS.toMillis());
    return ledger.book(key, effect);
  }

  /** Until the caller's deadline interrupts. */
  private Optional<String> never(EffectKey key) throws InterruptedException {
    new CountDownLatch(1).await();
    throw new NoAnswer(name, key, "simulated: down");
  }

  private NoAnswer ledgerFailed(EffectKey key, SQLException e) {
    return new NoAnswer(name, key, "its ledger: " + e.getMessage());
  }
}

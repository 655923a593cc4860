package io.onceflow.simulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.test.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A simulated system keeps the promises of real ones, and breaks those that real ones break. */
abstract class SimulatedSystemLaws {

  static final DataSource DATABASE = TestPostgres.database("simulated_outside", "db/simulated");

  private final LedgerNames names;
  private final SimulatedLedger ledger;
  private final SimulatedSystem system;
  private final UUID order = UUID.randomUUID();
  private final EffectKey key = key("alice");
  private final EffectKey undoing = key("alice");

  SimulatedSystemLaws(LedgerNames names) {
    this(names, new SimulatedLedger(DATABASE, names));
  }

  SimulatedSystemLaws(LedgerNames names, SimulatedLedger ledger) {
    this.names = names;
    this.ledger = ledger;
    this.system = new SimulatedSystem("test", ledger, Duration.ZERO);
  }

  /** An effect for this order, under a reference of its own. */
  abstract SimulatedEffect effect(UUID orderId);

  @Test
  void causesAnEffectOncePerKeyAndAnswersTheSameAgain() throws Exception {
    Optional<String> first = book(key, Behaviour.ANSWERS);

    assertThat(first).isPresent();
    assertThat(book(key, Behaviour.ANSWERS)).isEqualTo(first);
    assertThat(kinds()).containsExactly(names.action());
  }

  @Test
  void showsADoubleEffectUnderAnotherKey() throws Exception {
    book(key, Behaviour.ANSWERS);
    book(key("alice"), Behaviour.ANSWERS);

    assertThat(kinds()).containsExactly(names.action(), names.action());
  }

  @Test
  void tellsCustomersWithTheSameKeyApart() throws Exception {
    Optional<String> bobs = book(new EffectKey("bob", key.key()), Behaviour.ANSWERS);

    assertThat(book(key, Behaviour.ANSWERS)).isNotEqualTo(bobs);
  }

  @Test
  void listsWithWhatWasAskedForAndWhen() throws Exception {
    SimulatedEffect effect = effect(order);
    system.book(key, effect, Behaviour.ANSWERS);

    LedgerEntry entry = ledger.ofOrder(order).getFirst();
    assertThat(entry.idempotencyKey()).isEqualTo(key.key());
    assertThat(entry.amount()).isEqualTo(effect.amount());
    assertThat(entry.at()).isNotNull();
  }

  @Test
  void refusesAKeyForAnotherOrder() throws Exception {
    book(key, Behaviour.ANSWERS);
    UUID other = UUID.randomUUID();

    assertThatThrownBy(() -> system.book(key, effect(other), Behaviour.ANSWERS))
        .isInstanceOf(KeyReused.class);
    assertThat(ledger.ofOrder(other)).isEmpty();
  }

  @Test
  void refusesToBookUnderTheKeyOfAnUndoing() throws Exception {
    system.undo(undoing, booked());

    assertThatThrownBy(() -> book(undoing, Behaviour.ANSWERS)).isInstanceOf(KeyReused.class);
  }

  @Test
  void undoesOncePerKey() throws Exception {
    SimulatedEffect effect = booked();

    system.undo(undoing, effect);
    system.undo(undoing, effect);

    assertThat(kinds()).containsExactly(names.action(), names.undo());
  }

  @Test
  void undoesNothingThatItDoesNotKnow() throws Exception {
    SimulatedEffect known = booked();
    SimulatedEffect unknown =
        new SimulatedEffect(known.orderId(), "somebody-elses", known.amount(), known.currency());

    assertThatThrownBy(() -> system.undo(undoing, unknown)).isInstanceOf(KeyReused.class);
    assertThat(kinds()).containsExactly(names.action());
  }

  @Test
  void undoesNothingElseUnderTheSameKey() throws Exception {
    system.undo(undoing, booked());
    SimulatedEffect other = effect(order);
    system.book(key("alice"), other, Behaviour.ANSWERS);

    assertThatThrownBy(() -> system.undo(undoing, other)).isInstanceOf(KeyReused.class);
  }

  @Test
  void undoesNoOtherAmountThanItBooked() throws Exception {
    SimulatedEffect effect = booked();
    SimulatedEffect less =
        new SimulatedEffect(
            effect.orderId(), effect.reference(), effect.amount() + 1, effect.currency());

    assertThatThrownBy(() -> system.undo(undoing, less)).isInstanceOf(KeyReused.class);
    assertThat(kinds()).containsExactly(names.action());
  }

  @Test
  void findsAndUndoesAnEffectWhoseResultIsUnknown() throws Exception {
    SimulatedEffect effect = booked();

    assertThat(system.annul(key, undoing, order)).contains(effect);
    assertThat(system.annul(key, undoing, order)).as("again").contains(effect);
    assertThat(kinds()).containsExactly(names.action(), names.undo());
  }

  @Test
  void causesNothingUnderAKeyThatWasAnnulled() throws Exception {
    assertThat(system.annul(key, undoing, order)).isEmpty();

    assertThat(book(key, Behaviour.ANSWERS)).isEmpty();
    assertThat(system.annul(key, undoing, order)).isEmpty();
    assertThat(kinds()).isEmpty();
  }

  @Test
  void leavesNoEffectStandingHoweverItRacesWithItsAnnulment() throws Exception {
    for (int i = 0; i < 50; i++) {
      EffectKey raced = key("alice");
      FutureTask<Optional<String>> booking = new FutureTask<>(() -> book(raced, Behaviour.ANSWERS));
      Thread.ofVirtual().start(booking);
      system.annul(raced, key("alice"), order);
      booking.get();
    }

    assertThat(kinds().stream().filter(names.action()::equals).count())
        .as("each effect was undone")
        .isEqualTo(kinds().stream().filter(names.undo()::equals).count());
  }

  @Test
  void causesOneEffectForManyRequestsAtTheSameTime() throws Exception {
    List<FutureTask<Optional<String>>> requests =
        Stream.generate(() -> new FutureTask<>(() -> book(key, Behaviour.ANSWERS)))
            .limit(20)
            .toList();
    requests.forEach(Thread.ofVirtual()::start);

    for (FutureTask<Optional<String>> request : requests) {
      assertThat(request.get()).isEqualTo(requests.getFirst().get());
    }
    assertThat(kinds()).containsExactly(names.action());
  }

  @Test
  void losesItsFirstAnswerThoughItCausedTheEffect() throws Exception {
    assertThatThrownBy(() -> book(key, Behaviour.LOSES_FIRST_ANSWER)).isInstanceOf(NoAnswer.class);
    assertThat(kinds()).containsExactly(names.action());

    assertThat(book(key, Behaviour.LOSES_FIRST_ANSWER)).isPresent();
    assertThat(kinds()).containsExactly(names.action());
  }

  @Test
  void isUnavailableTwiceThenCausesTheEffect() throws Exception {
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> book(key, Behaviour.IS_UNAVAILABLE_TWICE))
          .isInstanceOf(NoAnswer.class);
      assertThat(kinds()).isEmpty();
    }

    assertThat(book(key, Behaviour.IS_UNAVAILABLE_TWICE)).isPresent();
    assertThat(kinds()).containsExactly(names.action());
  }

  @ParameterizedTest
  @EnumSource(names = {"IS_SLOW", "NEVER_ANSWERS"})
  void canBeInterruptedWhileItTakesItsTime(Behaviour behaviour) throws Exception {
    FutureTask<Optional<String>> call = new FutureTask<>(() -> book(key, behaviour));
    Thread caller = Thread.ofVirtual().start(call);

    caller.interrupt();

    assertThatThrownBy(call::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(InterruptedException.class);
    assertThat(kinds()).isEmpty();
  }

  @Test
  @Timeout(20)
  void takesTheTimeThatItIsToldBeforeAnythingIsBooked() throws Exception {
    SimulatedSystem slow = new SimulatedSystem("test", ledger, Duration.ofHours(1));
    FutureTask<Optional<String>> call =
        new FutureTask<>(() -> slow.book(key, effect(order), Behaviour.ANSWERS));
    Thread caller = Thread.ofVirtual().start(call);
    while (caller.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    assertThat(kinds()).isEmpty();

    caller.interrupt();

    assertThatThrownBy(call::get).hasCauseInstanceOf(InterruptedException.class);
  }

  @Test
  void saysThatItsLedgerFailed() {
    SimulatedLedger missing =
        new SimulatedLedger(DATABASE, new LedgerNames("missing", "A", "B", "reference", true));

    SimulatedSystem system = new SimulatedSystem("test", missing, Duration.ZERO);
    assertThatThrownBy(() -> system.undo(key, effect(order)))
        .isInstanceOf(NoAnswer.class)
        .hasMessageContaining("the test gave no answer")
        .hasMessageContaining("its ledger");
  }

  private SimulatedEffect booked() throws InterruptedException {
    SimulatedEffect effect = effect(order);
    assertThat(system.book(key, effect, Behaviour.ANSWERS)).contains(effect.reference());
    return effect;
  }

  private Optional<String> book(EffectKey under, Behaviour behaviour) throws InterruptedException {
    return system.book(under, effect(order), behaviour);
  }

  private List<String> kinds() throws SQLException {
    return ledger.ofOrder(order).stream().map(LedgerEntry::kind).toList();
  }

  private static EffectKey key(String customer) {
    return new EffectKey(customer, UUID.randomUUID().toString());
  }
}

package io.onceflow.saga.internal.timeline;

import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.HistoryEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a saga's history tells of its steps: when each was sent and when its answer came. Pure. */
final class JournalSteps {

  private final List<Exchange> exchanges = new ArrayList<>();

  private JournalSteps() {}

  /** A step or the undoing of one, as far as the history was read. */
  private static final class Exchange {

    private final String step;
    private final String name;
    private final boolean compensation;
    private final List<Instant> sentAt = new ArrayList<>();
    private @Nullable Instant receivedAt;
    private @Nullable Instant givenUpAt;
    private @Nullable String outcome;

    Exchange(String step, String name, boolean compensation) {
      this.step = step;
      this.name = name;
      this.compensation = compensation;
    }

    TimelineStep shown(Map<String, String> services) {
      return new TimelineStep(
          step,
          name,
          compensation,
          sentAt.isEmpty(),
          services.get(name),
          List.copyOf(sentAt),
          null,
          null,
          null,
          receivedAt,
          givenUpAt,
          null,
          null,
          null,
          null,
          outcome,
          null);
    }
  }

  /**
   * One for each step and one for each compensation, in the order in which they were first sent.
   *
   * @param services who gets the commands, by the names of steps and compensations, where known
   */
  static List<TimelineStep> of(List<HistoryEntry> history, Map<String, String> services) {
    JournalSteps read = new JournalSteps();
    history.forEach(read::take);
    return read.exchanges.stream().map(exchange -> exchange.shown(services)).toList();
  }

  private void take(HistoryEntry entry) {
    String step = entry.step();
    if (step == null) {
      return;
    }
    switch (entry.event()) {
      case COMMAND_SENT -> action(step).sentAt.add(entry.at());
      case COMPENSATION_SENT -> compensation(step, entry.detail()).sentAt.add(entry.at());
      case SENT_AGAIN -> latest(step).ifPresent(exchange -> exchange.sentAt.add(entry.at()));
      case SUCCEEDED, REFUSED, LATE_SUCCESS -> received(action(step), entry);
      case COMPENSATED -> latest(step).ifPresent(exchange -> received(exchange, entry));
      case GIVEN_UP -> givenUp(action(step), entry);
      // A pivot that is sent has succeeded before; of a local one nothing else is told.
      case PIVOT_PASSED -> passed(action(step), entry);
      default -> {}
    }
  }

  private static void received(Exchange exchange, HistoryEntry entry) {
    exchange.receivedAt = entry.at();
    exchange.outcome = entry.event().word();
  }

  private static void givenUp(Exchange exchange, HistoryEntry entry) {
    exchange.givenUpAt = entry.at();
    exchange.outcome = entry.event().word();
  }

  private static void passed(Exchange exchange, HistoryEntry entry) {
    if (exchange.receivedAt == null) {
      exchange.receivedAt = entry.at();
      exchange.outcome = HistoryEvent.SUCCEEDED.word();
    }
  }

  private Exchange action(String step) {
    return find(step, false).orElseGet(() -> add(new Exchange(step, step, false)));
  }

  private Exchange compensation(String step, @Nullable String name) {
    return find(step, true)
        .orElseGet(() -> add(new Exchange(step, name == null ? step : name, true)));
  }

  /** Once its compensation was sent, a step is not resent. */
  private Optional<Exchange> latest(String step) {
    return find(step, true).or(() -> find(step, false));
  }

  private Optional<Exchange> find(String step, boolean compensation) {
    return exchanges.stream()
        .filter(it -> it.step.equals(step) && it.compensation == compensation)
        .findFirst();
  }

  private Exchange add(Exchange exchange) {
    exchanges.add(exchange);
    return exchange;
  }
}

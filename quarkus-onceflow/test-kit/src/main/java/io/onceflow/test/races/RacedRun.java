package io.onceflow.test.races;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.test.races.MortalSource.Moment;
import io.onceflow.test.races.RacedScenario.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.opentest4j.TestAbortedException;

/**
 * One message of one saga in a race: takes the steps of a scenario, and says what may be said of it
 * in the end.
 */
abstract class RacedRun implements AutoCloseable {

  private static final int PROCESSES = 4;

  final Race race;
  private final Map<String, RacedProcess> processes = new HashMap<>();
  private final Map<String, RacedMessage> messages = new HashMap<>();
  private List<OutboxMessage> toldBefore = List.of();

  RacedRun(Race race) {
    this.race = race;
  }

  /** The message with this word: {@code it}, or one that belongs to it. */
  abstract RacedMessage newMessage(String word);

  /**
   * It has reached the end state of a run without faults.
   *
   * @param parked the reasons of messages that were parked on the way
   */
  abstract void assertDone(List<String> parked) throws Exception;

  /** Takes the steps of a scenario, and says in which of them it failed. */
  final void take(RacedScenario scenario, Object described) throws Exception {
    toldBefore = told();
    for (Step step : scenario.inOrder()) {
      String at = "%s of %s, at \"%s\": ".formatted(scenario, described, step);
      try {
        take(step);
      } catch (TestAbortedException e) {
        throw e;
      } catch (AssertionError e) {
        throw new AssertionError(at + e.getMessage(), e);
      } catch (Exception e) {
        throw new IllegalStateException(at + e.getMessage(), e);
      }
    }
  }

  /** Takes a step. */
  void take(Step step) throws Exception {
    List<String> words = step.words();
    switch (step.verb()) {
      case "start" -> process(step);
      case "send" -> race.send(process(step), message(step.first()));
      case "tell" -> {
        for (String word : words) {
          race.send(process(step), message(word));
          race.settle();
        }
      }
      case "batch" -> race.sendTogether(process(step), words.stream().map(this::message).toList());
      case "at-once" -> atOnce(words);
      case "settle" -> {
        race.settleUntold();
        if (words.isEmpty()) {
          race.relay();
        }
      }
      case "die" -> die(step);
      case "await" -> race.until("it dies", process(step)::isDead);
      case "status" ->
          assertThat(race.statusOf(message(step.first()))).as(step.first()).isEqualTo(words.get(1));
      case "parked" -> assertThat(race.parked()).as("parked").isEqualTo(words);
      case "published" -> assertPublished(step.first());
      case "done" -> assertDone(words);
      default -> throw new IllegalArgumentException("no step is called " + step.verb());
    }
  }

  /** The process of a step, which is started when it is first spoken of. */
  final RacedProcess process(Step step) {
    return step.at().equals("any")
        ? race.survivor()
        : processes.computeIfAbsent(step.at(), name -> race.process());
  }

  /** The same each time, but for {@code again}, which is resent. */
  final RacedMessage message(String word) {
    return switch (word) {
      case "again" -> message("it").again();
      case "expired" ->
          messages.computeIfAbsent(
              word, it -> newMessage("it").with(MessageHeaders.EXPIRES_AT, "2020-01-01T00:00:00Z"));
      default -> messages.computeIfAbsent(word, this::newMessage);
    };
  }

  final boolean isSent(String word) {
    return messages.containsKey(word);
  }

  /** A request to the saga, of those that have one. */
  void request() throws Exception {
    throw new UnsupportedOperationException();
  }

  /** Each to a process of its own, as far as those go, all at the same moment. */
  private void atOnce(List<String> words) throws Exception {
    List<RacedProcess> to =
        Stream.generate(race::process).limit(Math.min(PROCESSES, words.size())).toList();
    CyclicBarrier barrier = new CyclicBarrier(words.size());
    List<Callable<Void>> all = new ArrayList<>();
    for (int i = 0; i < words.size(); i++) {
      RacedProcess process = to.get(i % to.size());
      String word = words.get(i);
      RacedMessage message = word.equals("request") ? null : message(word);
      all.add(
          () -> {
            barrier.await();
            if (message == null) {
              request();
            } else {
              race.send(process, message);
            }
            return null;
          });
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Void> one : threads.invokeAll(all)) {
        one.get();
      }
    }
  }

  /** Lets a process die, now or when it comes to this place. */
  void die(Step step) throws Exception {
    RacedProcess victim = process(step);
    switch (step.first()) {
      case "now" -> victim.die();
      case "acknowledging" -> victim.dieAtAcknowledgement();
      case "publishing" -> race.post.relayAndDie(victim);
      case "before-commit" -> victim.dieAtCommit(number(step), Moment.BEFORE_COMMIT);
      case "after-commit" -> victim.dieAtCommit(number(step), Moment.AFTER_COMMIT);
      default -> throw new IllegalArgumentException("nothing dies " + step.first());
    }
  }

  private static int number(Step step) {
    return Integer.parseInt(step.words().getLast());
  }

  final boolean hasDied() {
    return processes.values().stream().anyMatch(RacedProcess::isDead);
  }

  /** Nothing since the run started, every message once, or each of them twice and the same. */
  private void assertPublished(String times) {
    List<OutboxMessage> since = told().subList(toldBefore.size(), told().size());
    Map<UUID, OutboxMessage> first = new HashMap<>();
    for (OutboxMessage message : since) {
      assertThat(first.putIfAbsent(message.id(), message)).isIn(null, message);
    }
    assertThat(since.size())
        .as("publications since, of each " + times)
        .isEqualTo(first.size() * List.of("nothing", "once", "twice").indexOf(times));
  }

  /** Everything published for the saga, every publication of it. */
  final List<OutboxMessage> told() {
    return race.post.told(message("it").correlationId());
  }

  @Override
  public final void close() {
    race.close();
  }
}

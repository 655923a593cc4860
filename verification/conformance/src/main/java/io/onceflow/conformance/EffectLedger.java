package io.onceflow.conformance;

import io.onceflow.conformance.SuiteStep.Act;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The participants' side, which no product keeps: what each participant does is decided here, and
 * every effect is written here. A request under a key that has taken effect does not take effect
 * again, as payment gateways have it; under another key it does.
 */
public final class EffectLedger {

  private final Map<Operation, Page> pages = new HashMap<>();
  private int sequence;

  /** A step of a saga, or its compensation. */
  public record Operation(String saga, SuiteStep step, Act act) {}

  /** What is decided and known about an operation. */
  private static final class Page {
    final Deque<Conduct> script = new ArrayDeque<>();
    final Set<String> keys = new HashSet<>();
    final List<Integer> effects = new ArrayList<>();
    Conduct otherwise = Conduct.SUCCEED;
    boolean isHeld;
    boolean isAnswerHeld;
    int calls;

    Conduct next() {
      Conduct scripted = script.poll();
      return scripted == null ? otherwise : scripted;
    }
  }

  private Page page(Operation operation) {
    return pages.computeIfAbsent(operation, unseen -> new Page());
  }

  /** Decides the next requests; those after them succeed. */
  synchronized void script(Operation operation, Conduct... conducts) {
    page(operation).script.addAll(List.of(conducts));
  }

  /** Decides all requests that are not scripted. */
  synchronized void always(Operation operation, Conduct conduct) {
    page(operation).otherwise = conduct;
  }

  /** Lets requests hang before they take effect. */
  synchronized void hold(Operation operation) {
    page(operation).isHeld = true;
  }

  /** Lets requests take effect and hang before they are answered. */
  synchronized void holdAnswer(Operation operation) {
    page(operation).isAnswerHeld = true;
  }

  /** Ends what hangs. */
  synchronized void release(Operation operation) {
    page(operation).isHeld = false;
    page(operation).isAnswerHeld = false;
    notifyAll();
  }

  synchronized void releaseAll(String saga) {
    pages.keySet().stream().filter(it -> it.saga().equals(saga)).toList().forEach(this::release);
  }

  /** A participant's request; returns the status of its answer. */
  public synchronized int request(Operation operation, String key) throws InterruptedException {
    Page page = page(operation);
    Conduct conduct = page.next();
    page.calls++;
    notifyAll();
    while (page.isHeld) {
      wait();
    }
    if (conduct.takesEffect() && isAnythingToDo(operation) && page.keys.add(key)) {
      page.effects.add(sequence++);
      notifyAll();
    }
    while (page.isAnswerHeld) {
      wait();
    }
    return conduct.status();
  }

  /** A compensation of what was never done has no effect. */
  private boolean isAnythingToDo(Operation operation) {
    return operation.act() == Act.DO || !doneOf(operation).effects.isEmpty();
  }

  private Page doneOf(Operation undo) {
    return page(new Operation(undo.saga(), undo.step(), Act.DO));
  }

  /** Waits for a number of requests; false if they do not come in time. */
  synchronized boolean awaitCalls(Operation operation, int calls, Duration atMost)
      throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    while (page(operation).calls < calls) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return false;
      }
      wait(left);
    }
    return true;
  }

  synchronized int calls(Operation operation) {
    return page(operation).calls;
  }

  /** When it took effect, as numbers that grow. */
  synchronized List<Integer> effects(Operation operation) {
    return List.copyOf(page(operation).effects);
  }
}

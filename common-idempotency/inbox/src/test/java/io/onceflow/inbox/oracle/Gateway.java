package io.onceflow.inbox.oracle;

import io.onceflow.core.internal.StepKey;
import io.onceflow.participant.Answer.ReplyOutcome;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The gateway of the specification: it carries a call out once per key, when it is told to, also
 * after its caller has died. Until then its answer is lost.
 */
final class Gateway {

  private final Set<String> calls = new HashSet<>();
  private final Map<String, ReplyOutcome> seen = new HashMap<>();
  private int charges;
  private int refunds;

  /** An answer that did not arrive. */
  static final class AnswerLost extends Exception {

    private static final long serialVersionUID = 1L;
  }

  ReplyOutcome call(StepKey key) throws AnswerLost {
    ReplyOutcome result = seen.get(key.toString());
    if (result == null) {
      calls.add(key.toString());
      throw new AnswerLost();
    }
    return result;
  }

  void carryOut(String key, Step step, ReplyOutcome result) {
    if (!calls.remove(key)) {
      throw new AssertionError("the gateway was not called under " + key + ", but " + calls);
    }
    seen.put(key, result);
    if (step == Step.CHARGE) {
      charges += result == ReplyOutcome.DONE ? 1 : 0;
    } else {
      refunds += charges > refunds ? 1 : 0;
    }
  }

  @Override
  public String toString() {
    return "gateway: %s charges, %s refunds".formatted(charges, refunds);
  }
}

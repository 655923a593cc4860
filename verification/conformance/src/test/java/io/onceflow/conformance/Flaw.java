package io.onceflow.conformance;

import java.util.Set;

/** What is wrong with a product in memory, and which scenarios have to fail for it. */
enum Flaw {
  NEW_KEY_FOR_EACH_ATTEMPT(
      "action-answer-lost",
      "compensation-answer-lost",
      "killed-in-step",
      "killed-after-effect",
      "killed-compensating",
      "messages-redelivered"),
  FORGETS_THE_FIRST_COMPENSATION("refused-middle", "refused-last", "compensation-fails-twice"),
  COMPENSATES_FROM_THE_FIRST_STEP("refused-last", "version-change"),
  NEVER_COMPENSATES("refused-middle", "refused-last", "state-visible"),
  CONTINUES_AFTER_A_REFUSAL("refused-first", "refused-middle", "refused-last"),
  GIVES_UP_AT_THE_FIRST_FAILURE("action-fails-twice", "action-answer-lost"),
  TAKES_UNKNOWN_FOR_NOT_DONE("action-outcome-unknown"),
  HIDES_WHAT_IS_STUCK("compensation-stuck-visible", "compensation-repaired"),
  LOSES_THE_TYPE_OF_AN_ERROR("error-type"),
  SHOWS_A_RUNNING_STEP_AS_DONE("state-visible"),
  STARTS_EACH_TIME("start-repeated", "start-concurrent"),
  NEVER_ENDS("forward"),
  LOSES_EARLY_MESSAGES("message-early"),
  DOES_NOT_WAIT_FOR_MESSAGES("message-repeated"),
  IGNORES_CANCELLATIONS(
      "cancel-before-first",
      "cancel-during-first",
      "cancel-before-middle",
      "cancel-during-middle",
      "cancel-before-last",
      "cancel-during-last"),
  CANCELS_AFTER_THE_END("cancel-after-end"),
  COMPENSATES_AGAIN_WHEN_CANCELLED("cancel-compensating"),
  LOSES_SAGAS_WHEN_KILLED("killed-in-step", "killed-after-effect", "killed-compensating"),
  FOLLOWS_THE_NEWEST_VERSION("version-change");

  private final Set<String> failed;

  Flaw(String... failed) {
    this.failed = Set.of(failed);
  }

  /** Scenarios that have to fail; others may. */
  Set<String> failed() {
    return failed;
  }
}

package io.onceflow.saga.internal.repair;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.onceflow.saga.internal.engine.SagaEvent;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** What a repair does to each saga. */
@Schema(name = "RepairAction")
enum RepairAction {
  /** Sends again what the saga waits for. */
  @JsonProperty("retry")
  RETRY("retry", "sends again what it waits for, under the same keys"),
  /** Undoes the saga from where it stands; a step that is under way is given up on at once. */
  @JsonProperty("compensate")
  COMPENSATE("compensate", "gives up on what it waits for, and undoes what was done"),
  /** Undoes the saga; a step that is under way is waited for. */
  @JsonProperty("cancel")
  CANCEL("cancel", "waits for the step that is under way, and undoes what was done");

  /** Why a saga that an operator cancels is undone. */
  private static final String CANCELLED_BY_OPERATOR = "CANCELLED_BY_OPERATOR";

  private final String word;
  private final String comesTo;

  RepairAction(String word, String comesTo) {
    this.word = word;
    this.comesTo = comesTo;
  }

  /** As in JSON. */
  String word() {
    return word;
  }

  /** What it does to a saga that allows it, in a phrase. */
  String comesTo() {
    return comesTo;
  }

  /** Whether a second operator may have to approve of it; a retry takes effect once anyway. */
  boolean undoes() {
    return this != RETRY;
  }

  /** What the saga is asked. */
  SagaEvent.Request request(String by, @Nullable String why) {
    return switch (this) {
      case RETRY -> new SagaEvent.Retry(by, why);
      case COMPENSATE -> new SagaEvent.Compensate(by, why);
      case CANCEL -> new SagaEvent.Cancel(CANCELLED_BY_OPERATOR, by, why);
    };
  }
}

package io.onceflow.saga.internal.repair;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.operators.ActionForesight;
import io.onceflow.saga.internal.operators.SagaDetails;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** What a repair does to each saga. */
@Schema(name = "RepairAction")
enum RepairAction {
  /** Sends again what the saga waits for. */
  @JsonProperty("retry")
  RETRY("retry", SagaDetails.Kind.RETRY),
  /** Undoes the saga from where it stands; a step that is under way is given up on at once. */
  @JsonProperty("compensate")
  COMPENSATE("compensate", SagaDetails.Kind.COMPENSATE),
  /** Undoes the saga; a step that is under way is waited for. */
  @JsonProperty("cancel")
  CANCEL("cancel", SagaDetails.Kind.CANCEL);

  private final String word;
  private final SagaDetails.Kind kind;

  RepairAction(String word, SagaDetails.Kind kind) {
    this.word = word;
    this.kind = kind;
  }

  /** As in JSON. */
  String word() {
    return word;
  }

  /** What one saga is asked for. */
  SagaDetails.Kind kind() {
    return kind;
  }

  /** Whether a second operator may have to approve of it; a retry takes effect once anyway. */
  boolean undoes() {
    return this != RETRY;
  }

  /** What the saga is asked. */
  SagaEvent.Request request(String by, @Nullable String why) {
    return ActionForesight.request(kind, by, why);
  }
}

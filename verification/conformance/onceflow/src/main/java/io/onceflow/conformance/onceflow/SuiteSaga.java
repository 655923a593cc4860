package io.onceflow.conformance.onceflow;

import io.onceflow.conformance.onceflow.SuiteMessages.DoStep;
import io.onceflow.conformance.onceflow.SuiteMessages.StepDeclined;
import io.onceflow.conformance.onceflow.SuiteMessages.UndoStep;
import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.NullUnmarked;

/** What the saga is about. */
@Entity
@Table(name = "suite_saga")
@NullUnmarked // JPA fills the fields
public class SuiteSaga extends PanacheEntityBase {

  @Id public UUID id;
  public String key;
  public boolean waits;
  public String error;

  static UUID idOf(String key) {
    return UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8));
  }

  static Function<SuiteSaga, DoStep> take(String step) {
    return saga -> new DoStep(saga.id, saga.key, step);
  }

  static Function<SuiteSaga, UndoStep> undo(String step) {
    return saga -> new UndoStep(saga.id, saga.key, step);
  }

  boolean waits() {
    return waits;
  }

  void declined(StepDeclined reply) {
    error = reply.type();
  }
}

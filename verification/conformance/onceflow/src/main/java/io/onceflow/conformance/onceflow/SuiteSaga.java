package io.onceflow.conformance.onceflow;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;

/** The subject of the saga. */
@Entity
@Table(name = "suite_saga")
@NullUnmarked // JPA fills the fields
public class SuiteSaga extends PanacheEntityBase {
  @Id public UUID id;
  public boolean waits;
}

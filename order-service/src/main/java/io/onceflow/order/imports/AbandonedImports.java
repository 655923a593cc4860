package io.onceflow.order.imports;

import io.onceflow.idempotency.AbandonedClaim;
import io.onceflow.idempotency.AbandonedClaimResolver;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;

/** Goes on with imports whose process died; the client need not ask again. */
@ApplicationScoped
class AbandonedImports implements AbandonedClaimResolver {

  private final OrderImports imports;

  AbandonedImports(OrderImports imports) {
    this.imports = imports;
  }

  @Override
  public String operation() {
    return OrderImports.OPERATION;
  }

  /** What was not stored was not promised either, so its key may be free. */
  @Override
  public Resolution resolve(AbandonedClaim claim) throws SQLException {
    return imports
        .begunBy(claim.key(), claim.ownership().request().fingerprint())
        .<Resolution>map(id -> new Resolution.Resume(lease -> imports.run(lease, id)))
        .orElseGet(Resolution.Release::new);
  }
}

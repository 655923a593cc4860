package io.onceflow.outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.outbox.OwnUnitOfWork;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Before: a listener that failed kept the others from the commit, and failed the call. */
class CommitListenersTest {

  @Test
  void areAllToldThoughOneFails() throws SQLException {
    UnitOfWork unitOfWork = OwnUnitOfWork.on(TestDatabase.migrated("payments").source());
    List<String> told = new ArrayList<>();

    String result =
        unitOfWork.call(
            tx -> {
              tx.afterCommit(
                  () -> {
                    throw new IllegalStateException("a counter is broken");
                  });
              tx.afterCommit(() -> told.add("second"));
              return "committed";
            });

    assertThat(result).isEqualTo("committed");
    assertThat(told).containsExactly("second");
  }
}

package io.onceflow.outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.outbox.PlainUnitOfWork;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is told after a commit: all that is to be told, and that cannot undo the commit. */
class UnitOfWorkTest {

  private final UnitOfWork unitOfWork =
      PlainUnitOfWork.on(TestDatabase.inSchema("unit_of_work").source());
  private final List<String> told = new ArrayList<>();

  @Test
  void tellsAllListenersAlthoughTheFirstOnesFail() throws Exception {
    String result =
        unitOfWork.call(
            tx -> {
              tx.afterCommit(
                  () -> {
                    throw new IllegalStateException("as the test wants it");
                  });
              tx.afterCommit(
                  () -> {
                    throw new AssertionError("as the test wants it");
                  });
              tx.afterCommit(() -> told.add("last"));
              return "done";
            });
    assertThat(told).containsExactly("last");
    assertThat(result).isEqualTo("done");
  }
}

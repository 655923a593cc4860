package io.onceflow.idempotency.internal.execution;

import io.onceflow.idempotency.internal.execution.SharedCommits.CommitResult;
import io.onceflow.idempotency.internal.execution.SharedCommits.Pending;
import io.onceflow.idempotency.internal.policy.IdempotencyConfig;
import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import io.onceflow.idempotency.internal.store.IdempotencyStore;
import io.onceflow.idempotency.internal.store.IdempotencyUnusable;
import io.onceflow.internal.batch.GroupCommitter;
import io.onceflow.internal.database.DatabaseWatch;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Groups the requests of shared mode: once to look their keys up, once to commit them. At shutdown
 * the submitted requests are committed; later ones are answered that the store is unavailable.
 */
@ApplicationScoped
public class SharedGroups {

  private final GroupCommitter<ClaimRequest, Optional<Claim>> looks;
  private final GroupCommitter<Pending, CommitResult> commits;
  private final DatabaseWatch database;

  SharedGroups(
      IdempotencyStore store,
      SharedCommits commits,
      DatabaseWatch database,
      GuardMetrics metrics,
      IdempotencyConfig config) {
    this.database = database;
    int largest = config.shared().largestGroup();
    IdempotencyConfig.Shared shared = config.shared();
    this.looks =
        new GroupCommitter<>(
            "onceflow-shared-look",
            largest,
            new GroupCommitter.Limits(shared.overtakeAfter(), shared.lookWithin()),
            request -> request,
            group -> find(store, group));
    this.commits =
        new GroupCommitter<>(
            "onceflow-shared-commit",
            largest,
            new GroupCommitter.Limits(shared.overtakeAfter(), shared.commitWithin()),
            Pending::key,
            group -> {
              metrics.countGroup(group.size());
              return commits.settle(group);
            });
  }

  void start(@Observes StartupEvent starting) {
    looks.start();
    commits.start();
  }

  @PreDestroy
  void stop() {
    looks.close();
    commits.close();
  }

  /** The claim of the key, if there is one. */
  Optional<Claim> find(ClaimRequest request) throws InterruptedException {
    try {
      return looks.submit(request);
    } catch (IdempotencyUnusable e) { // that of the whole group
      throw new IdempotencyUnusable(request.key(), e.reason());
    } catch (IllegalStateException | GroupCommitter.NotBegun | GroupCommitter.Unknown e) {
      throw new IdempotencyUnusable(request.key(), e);
    }
  }

  /**
   * Commits a request in a group, unless its commit would wait for a standby that is unavailable.
   */
  CommitResult commit(Pending pending) throws InterruptedException {
    if (database.isCommitUnconfirmed()) {
      return new CommitResult.Failed(
          new SQLTransientConnectionException(
              "commits wait for a synchronous standby that does not confirm them"),
          true);
    }
    try {
      return commits.submit(pending);
    } catch (IllegalStateException | GroupCommitter.NotBegun e) {
      return new CommitResult.Failed(e, true);
    } catch (GroupCommitter.Unknown e) {
      return new CommitResult.Unknown(new IdempotencyUnusable(pending.key(), e));
    }
  }

  /** The number of requests whose commit has not started. */
  public int waiting() {
    return commits.waiting();
  }

  private static List<Optional<Claim>> find(IdempotencyStore store, List<ClaimRequest> group) {
    Map<ClaimRequest, Claim> found = store.shared().orElseThrow().find(group);
    return group.stream().map(request -> Optional.ofNullable(found.get(request))).toList();
  }
}

package io.onceflow.idempotency;

import io.onceflow.idempotency.SharedCommits.Pending;
import io.onceflow.idempotency.SharedCommits.Settled;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where requests of shared mode meet: once to look at their keys, once to be committed. What has
 * been accepted when the process ends is settled first; who comes later is told that the store is
 * not available.
 */
@ApplicationScoped
class SharedGroups {

  private final Gathering<ClaimRequest, Optional<Claim>> looks;
  private final Gathering<Pending, Settled> commits;
  private final int committers;

  SharedGroups(
      IdempotencyStore store,
      SharedCommits commits,
      GuardMetrics metrics,
      IdempotencyConfig config) {
    int largest = config.shared().largestGroup();
    this.committers = config.shared().committers();
    this.looks =
        new Gathering<>(
            "onceflow-shared-look", largest, request -> request, group -> look(store, group));
    this.commits =
        new Gathering<>(
            "onceflow-shared-commit",
            largest,
            Pending::key,
            group -> {
              metrics.countGroup(group.size());
              return commits.settle(group);
            });
  }

  void start(@Observes StartupEvent starting) {
    looks.start(1);
    commits.start(committers);
  }

  @PreDestroy
  void stop() {
    looks.close();
    commits.close();
  }

  /** What stands under the key, if anything does. */
  Optional<Claim> look(ClaimRequest request) throws InterruptedException {
    try {
      return looks.ask(request);
    } catch (IdempotencyUnusable e) {
      throw new IdempotencyUnusable(request.key(), e.reason());
    } catch (IllegalStateException e) {
      throw new IdempotencyUnusable(request.key(), e);
    }
  }

  /** What came of it. */
  Settled commit(Pending pending) throws InterruptedException {
    try {
      return commits.ask(pending);
    } catch (IllegalStateException e) {
      return new Settled.Failed(e, true);
    }
  }

  /** How many wait for a commit that has not begun. */
  int waiting() {
    return commits.waiting();
  }

  private static List<Optional<Claim>> look(IdempotencyStore store, List<ClaimRequest> group) {
    Map<ClaimRequest, Claim> found = store.shared().orElseThrow().look(group);
    return group.stream().map(request -> Optional.ofNullable(found.get(request))).toList();
  }
}

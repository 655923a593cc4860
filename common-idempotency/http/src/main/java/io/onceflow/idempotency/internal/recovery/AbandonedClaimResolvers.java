package io.onceflow.idempotency.internal.recovery;

import io.onceflow.idempotency.AbandonedClaimResolver;
import io.onceflow.idempotency.Idempotent;
import io.onceflow.idempotency.internal.policy.Policy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The application's resolvers of abandoned claims, by operation. */
@ApplicationScoped
public class AbandonedClaimResolvers {

  private final Map<String, AbandonedClaimResolver> byOperation = new HashMap<>();
  private final List<String> doubles = new ArrayList<>();

  AbandonedClaimResolvers(@Any Instance<AbandonedClaimResolver> resolvers) {
    resolvers.forEach(this::add);
  }

  private void add(AbandonedClaimResolver resolver) {
    String operation = resolver.operation();
    if (byOperation.putIfAbsent(operation, resolver) != null) {
      doubles.add(
          "operation \"%s\" has more than one AbandonedClaimResolver; remove all but one"
              .formatted(operation));
    }
  }

  /** The violations, given the operations and their policies. */
  public List<String> faults(Map<String, Policy> operations) {
    List<String> faults = new ArrayList<>(doubles);
    byOperation.forEach(
        (operation, resolver) -> {
          Policy policy = operations.get(operation);
          if (policy == null) {
            faults.add(
                "%s is for operation \"%s\", but no @Idempotent method has that name"
                    .formatted(name(resolver), operation));
          } else if (policy.mode() != Idempotent.Mode.LEASED) {
            faults.add(
                ("%s is for operation \"%s\", which is not @Idempotent(mode = LEASED): its claims end"
                        + " with their process")
                    .formatted(name(resolver), operation));
          }
        });
    return faults;
  }

  public boolean knows(String operation) {
    return byOperation.containsKey(operation);
  }

  Optional<AbandonedClaimResolver> of(String operation) {
    return Optional.ofNullable(byOperation.get(operation));
  }

  private static String name(AbandonedClaimResolver resolver) {
    return "the AbandonedClaimResolver " + resolver.getClass().getName();
  }
}

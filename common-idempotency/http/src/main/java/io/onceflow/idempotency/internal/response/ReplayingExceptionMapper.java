package io.onceflow.idempotency.internal.response;

import io.onceflow.core.ScopeResolver;
import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.Idempotent;
import io.onceflow.idempotency.internal.request.CurrentRequest;
import io.onceflow.idempotency.internal.store.IdempotencyStore;
import io.onceflow.idempotency.internal.store.IdempotencyUnusable;
import io.quarkus.arc.NoClassInterceptors;
import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Provider;
import java.util.Optional;
import java.util.Set;
import org.jboss.logging.Logger;

/**
 * Replays a stored answer instead of a refusal that came before the guard ran: the body could not
 * be bound to the method's parameter, or its type is not accepted. The request was valid when it
 * was first answered, so a release with stricter parsing does not change the answer.
 *
 * <p>The key is looked up only if a request is refused. Otherwise the guard looks it up with its
 * claim, before bean validation.
 */
@Provider
@Idempotent
@Priority(Priorities.USER)
public class ReplayingExceptionMapper implements ContainerResponseFilter {

  private static final Logger LOG = Logger.getLogger(ReplayingExceptionMapper.class);

  /** Statuses about the request itself, not about its caller or rate. */
  private static final Set<Integer> REFUSALS = Set.of(400, 404, 406, 413, 415, 422);

  private final CurrentRequest guarded;
  private final ScopeResolver scopes;
  private final IdempotencyStore store;
  private final GuardResponses answers;

  ReplayingExceptionMapper(
      CurrentRequest guarded,
      ScopeResolver scopes,
      IdempotencyStore store,
      GuardResponses answers) {
    this.guarded = guarded;
    this.scopes = scopes;
    this.store = store;
    this.answers = answers;
  }

  @Override
  @NoClassInterceptors
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (REFUSALS.contains(response.getStatus()) && guarded.isRefusedBeforeGuard()) {
      kept().ifPresent(answer -> replace(response, answer));
    }
  }

  private Optional<Response> kept() {
    try {
      return store
          .find(new ScopedKey(scopes.scope(), guarded.key()))
          .filter(state -> state.response() != null)
          .map(
              state ->
                  guarded.fingerprint().equals(state.fingerprint())
                      ? state.response().replayed()
                      : answers.reused(guarded.key(), guarded.path()));
    } catch (IdempotencyUnusable e) {
      LOG.warn(e.getMessage());
      return Optional.of(answers.storeUnavailable(guarded.key().toString(), guarded.path()));
    }
  }

  private static void replace(ContainerResponseContext response, Response answer) {
    response.getHeaders().clear();
    response.getHeaders().putAll(answer.getHeaders());
    response.setStatus(answer.getStatus());
    response.setEntity(answer.getEntity(), null, answer.getMediaType());
  }
}

package io.onceflow.idempotency.internal.request;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.ScopeResolver;
import io.onceflow.core.internal.MalformedIdempotencyKey;
import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.internal.policy.GuardedOperations;
import io.onceflow.idempotency.internal.problem.Problem;
import io.onceflow.idempotency.internal.problem.ProblemType;
import io.onceflow.idempotency.internal.response.GuardResponses;
import io.onceflow.idempotency.internal.store.IdempotencyStore;
import io.onceflow.idempotency.internal.store.IdempotencyUnusable;
import jakarta.annotation.security.PermitAll;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * The state of the caller's keys. A key of another caller is answered like an unused one. The
 * {@link ScopeResolver} identifies the caller, and refuses unauthenticated ones.
 */
@Path("/idempotency-keys/{key: .+}")
public class IdempotencyKeyResource {

  private static final Logger LOG = Logger.getLogger(IdempotencyKeyResource.class);

  private final IdempotencyStore store;
  private final ScopeResolver scopes;
  private final GuardedOperations operations;
  private final GuardResponses answers;

  IdempotencyKeyResource(
      IdempotencyStore store,
      ScopeResolver scopes,
      GuardedOperations operations,
      GuardResponses answers) {
    this.store = store;
    this.scopes = scopes;
    this.operations = operations;
    this.answers = answers;
  }

  /** Whether the request under a key still runs, and its answer once it has ended. */
  @GET
  @PermitAll
  @Produces(MediaType.APPLICATION_JSON)
  public Response read(@PathParam("key") String key) {
    String scope = scopes.scope();
    try {
      return read(scope, key);
    } catch (IdempotencyUnusable e) {
      LOG.warn(e.getMessage());
      return answers.storeUnavailable(key, KeyView.HOME);
    }
  }

  private Response read(String scope, String key) {
    return wanted(key)
        .flatMap(wanted -> store.find(new ScopedKey(scope, wanted)).map(s -> KeyView.of(wanted, s)))
        .map(view -> Response.ok(view).header(HttpHeaders.CACHE_CONTROL, "no-store").build())
        .orElseGet(() -> unknown(key));
  }

  /**
   * Empty for a malformed key, and where no method is guarded: such an application may have no
   * table.
   */
  private Optional<IdempotencyKey> wanted(String key) {
    try {
      return operations.names().isEmpty() ? Optional.empty() : Optional.of(new IdempotencyKey(key));
    } catch (MalformedIdempotencyKey e) {
      return Optional.empty();
    }
  }

  private static Response unknown(String key) {
    return Problem.response(
        ProblemType.IDEMPOTENCY_KEY_UNKNOWN,
        "No request of yours runs or has an answer under key %s.".formatted(key),
        // Without the key, which may contain characters that are invalid in a link.
        KeyView.HOME);
  }
}

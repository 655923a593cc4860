package io.onceflow.idempotency;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Providers;
import org.jspecify.annotations.Nullable;

/**
 * Lets an operation that keeps refusals refuse by throwing: what the application's exception mapper
 * would answer is what is kept.
 */
@ApplicationScoped
class Refusals {

  private final Providers providers;

  Refusals(@Context Providers providers) {
    this.providers = providers;
  }

  /**
   * Calls the method.
   *
   * @return its answer, or that of the mapper of what it threw where refusals are kept and it is
   *     one
   * @throws Exception whatever else it throws
   */
  @Nullable Response call(GuardedMethod method) throws Exception {
    try {
      return method.call().call();
    } catch (Exception thrown) {
      if (method.policy().isRefusalKept()) {
        Response mapped = map(thrown);
        if (mapped != null
            && mapped.getStatusInfo().getFamily() == Response.Status.Family.CLIENT_ERROR) {
          return mapped;
        }
      }
      throw thrown;
    }
  }

  private <E extends Exception> @Nullable Response map(E thrown) {
    @SuppressWarnings("unchecked")
    Class<E> type = (Class<E>) thrown.getClass();
    ExceptionMapper<E> mapper = providers.getExceptionMapper(type);
    if (mapper != null) {
      return mapper.toResponse(thrown);
    }
    return thrown instanceof WebApplicationException refusal ? refusal.getResponse() : null;
  }
}

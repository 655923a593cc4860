package io.onceflow.idempotency.internal.response;

import io.onceflow.idempotency.internal.policy.GuardedMethod;
import io.onceflow.idempotency.internal.store.IdempotencyUnusable;
import io.onceflow.idempotency.internal.store.LeaseLost;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.util.Map;
import org.jboss.resteasy.reactive.ResteasyReactiveClientProblem;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveAsyncExceptionMapper;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveExceptionMapper;
import org.jspecify.annotations.Nullable;

/**
 * Turns an exception of an operation that keeps refusals into the answer that Quarkus REST would
 * give, so that it can be stored. It uses the application's exception mappers.
 */
@ApplicationScoped
public class RefusalResponses {

  /**
   * Calls the method.
   *
   * @return its answer, or that of its exception if refusals are kept and it is one
   * @throws Exception any other exception of the method
   */
  @Nullable
  public Response call(GuardedMethod method) throws Exception {
    try {
      return method.call().call();
    } catch (Exception thrown) {
      Response answer = method.policy().isRefusalKept() && !isOurs(thrown) ? map(thrown) : null;
      if (answer == null
          || answer.getStatusInfo().getFamily() != Response.Status.Family.CLIENT_ERROR) {
        throw thrown;
      }
      return answer;
    }
  }

  /** Exceptions of the guard are no answers of the operation. */
  private static boolean isOurs(Exception thrown) {
    return thrown instanceof LeaseLost
        || thrown instanceof ResponseNotReplayable
        || thrown instanceof IdempotencyUnusable;
  }

  private static @Nullable Response map(Exception thrown) {
    Response own = ownAnswer(thrown);
    if (own != null && own.hasEntity()) {
      return own;
    }
    ResteasyReactiveRequestContext request = CurrentRequestManager.get();
    Map.Entry<Throwable, ExceptionMapper<? extends Throwable>> mapper =
        request
            .getDeployment()
            .getExceptionMapper()
            .getExceptionMapper(classOf(thrown), request, thrown);
    return mapper == null ? own : apply(mapper.getValue(), mapper.getKey(), request);
  }

  /** An exception of a REST client is another service's refusal, and a failure of this one. */
  private static @Nullable Response ownAnswer(Exception thrown) {
    return thrown instanceof WebApplicationException answer
            && !(thrown instanceof ResteasyReactiveClientProblem)
        ? answer.getResponse()
        : null;
  }

  /** An asynchronous mapper has no answer yet that could be stored. */
  @SuppressWarnings("unchecked") // the mapper was found by the class of the exception
  private static @Nullable Response apply(
      ExceptionMapper<? extends Throwable> mapper,
      Throwable thrown,
      ResteasyReactiveRequestContext request) {
    if (mapper instanceof ResteasyReactiveAsyncExceptionMapper) {
      return null;
    }
    return mapper instanceof ResteasyReactiveExceptionMapper
        ? ((ResteasyReactiveExceptionMapper<Throwable>) mapper).toResponse(thrown, request)
        : ((ExceptionMapper<Throwable>) mapper).toResponse(thrown);
  }

  @SuppressWarnings("unchecked")
  private static Class<Throwable> classOf(Exception thrown) {
    return (Class<Throwable>) (Class<?>) thrown.getClass();
  }
}

package io.onceflow.idempotency;

import io.onceflow.core.ScopeResolver;
import jakarta.annotation.Priority;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;

/**
 * Puts the {@link Guard} around a method: outside of {@code @Transactional} and of bean validation,
 * so that a replay is answered even if today's rules would refuse the request.
 */
@Idempotent
@Interceptor
@Priority(Interceptor.Priority.PLATFORM_BEFORE + 150)
class IdempotentInterceptor {

  private final Guard guard;
  private final CurrentRequest request;
  private final ScopeResolver scopes;
  private final Policies policies;

  IdempotentInterceptor(
      Guard guard, CurrentRequest request, ScopeResolver scopes, Policies policies) {
    this.guard = guard;
    this.request = request;
    this.scopes = scopes;
    this.policies = policies;
  }

  @AroundInvoke
  Object around(InvocationContext method) throws Exception {
    request.ask();
    return guard.answer(scopes.scope(), request, GuardedMethod.of(method, policies));
  }
}

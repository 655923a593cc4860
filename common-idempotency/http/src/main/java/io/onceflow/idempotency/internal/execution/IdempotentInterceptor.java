package io.onceflow.idempotency.internal.execution;

import io.onceflow.idempotency.Idempotent;
import io.onceflow.idempotency.internal.policy.GuardedMethod;
import io.onceflow.idempotency.internal.policy.Policies;
import io.onceflow.idempotency.internal.request.CallerScopes;
import io.onceflow.idempotency.internal.request.CurrentRequest;
import jakarta.annotation.Priority;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;

/**
 * Puts the {@link Guard} around a method: outside of {@code @Transactional} and of bean validation,
 * so that a replay is answered even if the current validation rules would refuse the request.
 */
@Idempotent
@Interceptor
@Priority(Interceptor.Priority.PLATFORM_BEFORE + 150)
public class IdempotentInterceptor {

  private final Guard guard;
  private final CurrentRequest request;
  private final CallerScopes scopes;
  private final Policies policies;

  IdempotentInterceptor(
      Guard guard, CurrentRequest request, CallerScopes scopes, Policies policies) {
    this.guard = guard;
    this.request = request;
    this.scopes = scopes;
    this.policies = policies;
  }

  @AroundInvoke
  Object around(InvocationContext method) throws Exception {
    request.reachedGuard();
    return guard.answer(scopes.of(method.getMethod()), request, GuardedMethod.of(method, policies));
  }
}

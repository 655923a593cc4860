package io.onceflow.idempotency;

import jakarta.transaction.Transactional;
import jakarta.ws.rs.core.Response;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/** What a method must be like to be guarded. */
final class GuardedMethodRules {

  private GuardedMethodRules() {}

  /** What is wrong with it; empty when it can be guarded. */
  static List<String> faults(Method method) {
    List<String> faults = new ArrayList<>();
    if (method.getReturnType() != Response.class) {
      faults.add(
          ("%s is @Idempotent but returns %s; let it return jakarta.ws.rs.core.Response, since"
                  + " a stored answer, a 409 or a 422 may be answered in its place")
              .formatted(name(method), method.getReturnType().getSimpleName()));
    }
    if (isLeased(method) && isTransactional(method)) {
      faults.add(
          ("%s is @Idempotent(mode = LEASED) and @Transactional; its transaction would commit"
                  + " before its answer. Do the last writes in GuardedRequest.lease().complete(…)")
              .formatted(name(method)));
    }
    return faults;
  }

  private static boolean isLeased(Method method) {
    Idempotent own = method.getAnnotation(Idempotent.class);
    Idempotent annotation =
        own != null ? own : method.getDeclaringClass().getAnnotation(Idempotent.class);
    return annotation != null && annotation.mode() == Idempotent.Mode.LEASED;
  }

  private static boolean isTransactional(Method method) {
    return method.isAnnotationPresent(Transactional.class)
        || method.getDeclaringClass().isAnnotationPresent(Transactional.class);
  }

  private static String name(Method method) {
    return method.getDeclaringClass().getName() + "." + method.getName();
  }
}

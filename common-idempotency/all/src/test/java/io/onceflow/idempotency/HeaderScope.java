package io.onceflow.idempotency;

import io.onceflow.core.ScopeResolver;
import io.vertx.core.http.HttpServerRequest;
import jakarta.enterprise.context.ApplicationScoped;

/** Takes a header's word for who calls. */
@ApplicationScoped
class HeaderScope implements ScopeResolver {

  static final String HEADER = "X-User";

  private final HttpServerRequest request;

  HeaderScope(HttpServerRequest request) {
    this.request = request;
  }

  @Override
  public String scope() {
    return request.getHeader(HEADER);
  }
}

package io.onceflow.web.internal.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.impl.HttpServerRequestInternal;
import io.vertx.core.http.impl.HttpServerRequestWrapper;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Lets a request over HTTP/2 be paused and resumed after its end, as one over HTTP/1.1 can be. In
 * Vert.x this throws an exception, and RESTEasy pauses every request first of all: it could serve
 * none that {@link BodyReceiver} has received.
 */
@ApplicationScoped
class Http2Requests {

  /** Before all filters, so that none of them sees a request twice. */
  private static final int FIRST = Integer.MIN_VALUE;

  private static final String WRAPPED = Http2Requests.class.getName();

  void register(
      @Observes Router router,
      Vertx vertx,
      @ConfigProperty(name = "quarkus.http.root-path") String rootPath) {
    Router whole = below(rootPath.replaceAll("^/+|/+$", ""), router, vertx);
    router.route().order(FIRST).handler(routing -> route(routing, whole));
  }

  /** Quarkus mounts the application's router below its path: by itself it would find no route. */
  private static Router below(String path, Router router, Vertx vertx) {
    if (path.isEmpty()) {
      return router;
    }
    Router whole = Router.router(vertx);
    whole.route("/" + path + "/*").subRouter(router);
    return whole;
  }

  /** A routing context keeps its request; a wrapped one needs a context of its own. */
  private static void route(RoutingContext routing, Router router) {
    if (routing.request().version() != HttpVersion.HTTP_2 || isWrapped()) {
      routing.next();
    } else {
      Vertx.currentContext().putLocal(WRAPPED, true);
      router.handle(new Pausable((HttpServerRequestInternal) routing.request()));
    }
  }

  /** Each request has a Vert.x context of its own, a duplicated one. */
  private static boolean isWrapped() {
    return Vertx.currentContext().getLocal(WRAPPED) != null;
  }

  /** Has no effect on a request that has ended: there is nothing left to hold back. */
  private static final class Pausable extends HttpServerRequestWrapper {

    Pausable(HttpServerRequestInternal request) {
      super(request);
    }

    @Override
    public HttpServerRequest pause() {
      if (!isEnded()) {
        super.pause();
      }
      return this;
    }

    @Override
    public HttpServerRequest resume() {
      if (!isEnded()) {
        super.resume();
      }
      return this;
    }

    @Override
    public HttpServerRequest fetch(long amount) {
      if (!isEnded()) {
        super.fetch(amount);
      }
      return this;
    }
  }
}

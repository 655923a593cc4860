package io.onceflow.web.internal.http;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.impl.RoutingContextInternal;
import org.jspecify.annotations.Nullable;

/** A body that is received on the event loop; a worker thread is taken only once it is complete. */
final class IncomingBody {

  private final RoutingContext routing;
  private final HttpServerRequest request;
  private final Context eventLoop = Vertx.currentContext();
  private final String address;
  private final long begunAt;

  private @Nullable Buffer content = Buffer.buffer(0);
  private boolean isEnded;
  private volatile int received;

  /**
   * @param begunAt when its headers had been read, by {@link System#nanoTime()}
   */
  IncomingBody(RoutingContext routing, long begunAt) {
    this.routing = routing;
    this.request = routing.request();
    this.address = request.remoteAddress() == null ? "" : request.remoteAddress().hostAddress();
    this.begunAt = begunAt;
  }

  String address() {
    return address;
  }

  int received() {
    return received;
  }

  long ageNanos(long now) {
    return now - begunAt;
  }

  /** Keeps one more part, unless the body was given up. */
  void append(Buffer part) {
    if (content != null) {
      content.appendBuffer(part);
      received = content.length();
    }
  }

  /** Hands the body on to the routes that follow, which read it without waiting. */
  void complete() {
    onEventLoop(
        () -> {
          if (!isEnded) {
            isEnded = true;
            ((RoutingContextInternal) routing).setBody(content);
            routing.next();
          }
        });
  }

  /** Answers with the problem and reads no further. May be called on any thread. */
  void giveUp(WireProblem problem) {
    onEventLoop(
        () -> {
          if (!isEnded) {
            isEnded = true;
            content = null;
            problem.sendAndClose(request);
          }
        });
  }

  /** On the context of this request, which pipelined requests do not always arrive on. */
  private void onEventLoop(Runnable task) {
    if (Vertx.currentContext() == eventLoop) {
      task.run();
    } else {
      eventLoop.runOnContext(nothing -> task.run());
    }
  }
}

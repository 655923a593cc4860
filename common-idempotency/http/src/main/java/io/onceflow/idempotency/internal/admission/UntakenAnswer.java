package io.onceflow.idempotency.internal.admission;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.util.concurrent.Future;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.TimeUnit;

/**
 * An answer that lies in memory until its client has taken it. A client that takes too long for
 * that loses its connection, so that it does not keep the memory from others.
 */
final class UntakenAnswer {

  /** 128 kB at the rate of a slow mobile connection. */
  private static final int TAKEN_WITHIN_SECONDS = 30;

  private static final int LOOK_EVERY_MILLIS = 100;

  private UntakenAnswer() {}

  /**
   * Runs once the answer has been written to the socket, or its connection has ended.
   *
   * @param routing of a request whose answer is complete
   */
  static void whenTaken(RoutingContext routing, Runnable taken) {
    if (!(routing.request().connection() instanceof ConnectionBase connection)) {
      taken.run();
      return;
    }
    Channel channel = connection.channel();
    int stream = routing.response().streamId();
    channel.eventLoop().execute(() -> await(channel, stream, taken));
  }

  private static void await(Channel channel, int stream, Runnable taken) {
    Future<?> limit =
        channel.eventLoop().schedule(() -> channel.close(), TAKEN_WITHIN_SECONDS, TimeUnit.SECONDS);
    Runnable end =
        () -> {
          limit.cancel(false);
          taken.run();
        };
    Http2ConnectionHandler http2 = channel.pipeline().get(Http2ConnectionHandler.class);
    if (http2 == null) {
      // Written in order: an empty buffer is through when all before it is.
      channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(written -> end.run());
    } else {
      awaitEnd(channel, http2, stream, end);
    }
  }

  /** The frames of a stream wait for its window; it is closed when the last of them is written. */
  private static void awaitEnd(
      Channel channel, Http2ConnectionHandler http2, int stream, Runnable end) {
    if (!channel.isActive() || http2.connection().stream(stream) == null) {
      end.run();
    } else {
      channel
          .eventLoop()
          .schedule(
              () -> awaitEnd(channel, http2, stream, end),
              LOOK_EVERY_MILLIS,
              TimeUnit.MILLISECONDS);
    }
  }
}

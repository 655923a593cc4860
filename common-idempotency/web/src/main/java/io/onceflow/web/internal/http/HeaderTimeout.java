package io.onceflow.web.internal.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Closes a connection whose next request has begun and whose headers do not come to their end. */
final class HeaderTimeout extends ChannelInboundHandlerAdapter {

  private final Duration within;
  private boolean isBetweenRequests = true;
  private @Nullable Future<?> timeout;

  HeaderTimeout(Duration within) {
    this.within = within;
  }

  @Override
  public void channelRead(ChannelHandlerContext connection, Object bytes) throws Exception {
    if (isBetweenRequests) {
      isBetweenRequests = false;
      timeout =
          connection
              .executor()
              .schedule(() -> connection.close(), within.toMillis(), TimeUnit.MILLISECONDS);
    }
    super.channelRead(connection, bytes);
  }

  void headersRead() {
    isBetweenRequests = false;
    cancel();
  }

  void requestRead() {
    isBetweenRequests = true;
  }

  /** Of a connection that is closed, or speaks HTTP/2 from now on. */
  @Override
  public void handlerRemoved(ChannelHandlerContext connection) {
    cancel();
  }

  private void cancel() {
    if (timeout != null) {
      timeout.cancel(false);
      timeout = null;
    }
  }
}

package io.onceflow.web.internal.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The front of a connection: closes one whose next request has started and whose headers do not
 * come to their end, and drops the bytes of one that has got its last answer.
 */
final class HeaderTimeout extends ChannelInboundHandlerAdapter {

  /** How long the client may continue sending, to get its answer before its connection is reset. */
  private static final Duration LINGER = Duration.ofSeconds(1);

  private final Duration within;
  private @Nullable ChannelHandlerContext connection;
  private boolean isDiscarding;
  private boolean isBetweenRequests = true;
  private @Nullable Future<?> timeout;

  HeaderTimeout(Duration within) {
    this.within = within;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext its) {
    connection = its;
  }

  @Override
  public void channelRead(ChannelHandlerContext connection, Object bytes) throws Exception {
    if (isDiscarding) {
      ReferenceCountUtil.release(bytes);
      return;
    }
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

  /** Nothing of what comes from now on is read. */
  void discard() {
    isDiscarding = true;
    cancel();
  }

  /**
   * Ends the sending side, and closes when the client does. Closed at once with bytes unread, the
   * kernel would reset the connection, and the client might lose the answer (RFC 9112, 9.6).
   */
  void closeSoftly() {
    if (connection == null || !(connection.channel() instanceof DuplexChannel channel)) {
      return;
    }
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    if (tls == null) {
      channel.shutdownOutput();
    } else {
      tls.closeOutbound();
    }
    channel.config().setAutoRead(true);
    Future<?> end =
        channel
            .eventLoop()
            .schedule(() -> channel.close(), LINGER.toMillis(), TimeUnit.MILLISECONDS);
    channel.closeFuture().addListener(closed -> end.cancel(false));
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

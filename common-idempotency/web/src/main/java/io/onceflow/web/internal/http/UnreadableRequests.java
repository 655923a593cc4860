package io.onceflow.web.internal.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.ReferenceCountUtil;
import java.net.URI;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Answers a request that cannot be parsed with a problem, and lets nothing be read of a connection
 * behind an answer that says "close", whichever handler gives it: Vert.x would execute the next
 * request before it closes. So that it has none to execute, the next request is held back until the
 * one before is answered; Vert.x serves them in this order anyway. It is held back also until the
 * client takes its answers, so that one that does not read cannot fill the memory with them.
 */
final class UnreadableRequests extends ChannelDuplexHandler {

  private static final int FIRST_FINAL_STATUS = 200;

  private final HeaderTimeout front;
  private final Queue<Object> held = new ArrayDeque<>();
  private boolean isAnswering;
  private boolean hasBegunAnswer;
  private boolean isClosing;

  /** The answer is this handler's; what the application still says goes nowhere. */
  private boolean isRefused;

  /** Of a connection that is about to be upgraded to HTTP/2. */
  private @Nullable ContinuationLimit http2;

  UnreadableRequests(HeaderTimeout front) {
    this.front = front;
  }

  @Override
  public void channelRead(ChannelHandlerContext connection, Object message) throws Exception {
    if (isClosing) {
      ReferenceCountUtil.release(message);
      return;
    }
    if (message instanceof ByteBuf) {
      // The decoder has been removed: the connection was upgraded, and this was read already.
      if (http2 == null) {
        connection.fireChannelRead(message);
      } else {
        http2.channelRead(connection, message);
      }
      return;
    }
    if (message instanceof HttpRequest) {
      front.headersRead();
    }
    if (message instanceof LastHttpContent) {
      front.requestRead();
    }
    if (!held.isEmpty() || message instanceof HttpRequest && hasToWait(connection)) {
      held.add(message);
      connection.channel().config().setAutoRead(false);
    } else {
      pass(connection, message);
    }
  }

  private void pass(ChannelHandlerContext connection, Object message) {
    Optional<WireProblem> problem = problemOf(message);
    if (problem.isPresent()) {
      ReferenceCountUtil.release(message);
      refuse(connection, problem.get());
    } else {
      isAnswering |= message instanceof HttpRequest;
      connection.fireChannelRead(message);
    }
  }

  private boolean hasToWait(ChannelHandlerContext connection) {
    return isAnswering || !connection.channel().isWritable();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext connection) throws Exception {
    passHeld(connection);
    super.channelWritabilityChanged(connection);
  }

  private void passHeld(ChannelHandlerContext connection) {
    if (held.isEmpty() || hasToWait(connection)) {
      return;
    }
    // First, since Vert.x stops reading when it has got as much as it can take.
    connection.channel().config().setAutoRead(true);
    while (!held.isEmpty() && !(held.peek() instanceof HttpRequest && hasToWait(connection))) {
      pass(connection, held.remove());
    }
    if (!held.isEmpty()) {
      connection.channel().config().setAutoRead(false);
    }
    connection.fireChannelReadComplete();
  }

  @Override
  public void write(ChannelHandlerContext connection, Object message, ChannelPromise written)
      throws Exception {
    if (isRefused) {
      ReferenceCountUtil.release(message);
      written.tryFailure(new ClosedChannelException());
      return;
    }
    boolean isInterim =
        message instanceof HttpResponse response && response.status().code() < FIRST_FINAL_STATUS;
    if (isInterim
        && ((HttpResponse) message).headers().contains(HttpHeaderNames.UPGRADE, "h2c", true)) {
      http2 = new ContinuationLimit();
    }
    if (message instanceof HttpResponse response && !isInterim) {
      hasBegunAnswer = true;
      if (response
          .headers()
          .containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE, true)) {
        stopReading();
      }
    }
    boolean isEnd = message instanceof LastHttpContent && !isInterim;
    ChannelPromise promise = isEnd ? written.unvoid() : written;
    super.write(connection, message, promise);
    if (isEnd) {
      endAnswer(connection, promise);
    }
  }

  private void endAnswer(ChannelHandlerContext connection, ChannelPromise written) {
    if (isClosing) {
      written.addListener(sent -> front.closeSoftly());
    } else {
      isAnswering = false;
      hasBegunAnswer = false;
      connection.executor().execute(() -> passHeld(connection));
    }
  }

  private void refuse(ChannelHandlerContext connection, WireProblem problem) {
    stopReading();
    isRefused = true;
    if (hasBegunAnswer) {
      connection.close();
      return;
    }
    ByteBuf body = Unpooled.wrappedBuffer(problem.body("/").getBytes());
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(problem.status()), body);
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, WireProblem.MEDIA_TYPE)
        .set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes())
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE)
        .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
        .set("X-Content-Type-Options", "nosniff");
    connection.writeAndFlush(response).addListener(sent -> front.closeSoftly());
  }

  private void stopReading() {
    isClosing = true;
    front.discard();
    releaseHeld();
  }

  private void releaseHeld() {
    held.forEach(ReferenceCountUtil::release);
    held.clear();
  }

  /**
   * Vert.x removes the handlers of HTTP/1, each by the name that it has read before, when the body
   * of a request that upgrades is read. So this one may not replace itself earlier.
   */
  @Override
  public void handlerRemoved(ChannelHandlerContext connection) {
    releaseHeld();
    ChannelPipeline pipeline = connection.pipeline();
    if (http2 != null && pipeline.get(StrictConnection.HTTP_2) != null) {
      pipeline.addBefore(StrictConnection.HTTP_2, null, http2);
    }
  }

  private static Optional<WireProblem> problemOf(Object message) {
    if (!(message instanceof HttpObject object)) {
      return Optional.empty();
    }
    if (object.decoderResult().isSuccess()) {
      return !(object instanceof HttpRequest request) || hasReadableAddress(request)
          ? Optional.empty()
          : Optional.of(new WireProblem(400, "The address is none of RFC 3986."));
    }
    return Optional.of(
        switch (object.decoderResult().cause()) {
          case TooLongHttpLineException line ->
              new WireProblem(414, "The first line of the request is too long.");
          case TooLongHttpHeaderException header ->
              new WireProblem(431, "The headers of the request are too large.");
          case StrictRequestDecoder.UnsupportedVersion version ->
              new WireProblem(505, "The server speaks HTTP/1.1 and HTTP/2.");
          default -> new WireProblem(400, "The request cannot be read as HTTP.");
        });
  }

  /** Quarkus asks the same, and answers without a body. */
  private static boolean hasReadableAddress(HttpRequest request) {
    try {
      URI.create(request.uri());
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}

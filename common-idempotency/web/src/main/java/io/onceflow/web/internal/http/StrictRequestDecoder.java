package io.onceflow.web.internal.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpUtil;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Refuses what Netty reads, and a proxy in front may read as other requests (RFC 9112): a length
 * stated in two ways (6.3), a chunk whose size does not fit into an {@code int} (7.1), which Netty
 * takes modulo 2^32, a version other than HTTP/1.0 and HTTP/1.1 (2.3), and a name of a header that
 * is no token (5.1).
 */
final class StrictRequestDecoder extends VertxHttpRequestDecoder {

  private static final Pattern TOKEN = Pattern.compile("[-!#$%&'*+.^_`|~0-9A-Za-z]+");
  private static final Pattern VERSION = Pattern.compile("HTTP/[0-9]\\.[0-9]");
  private static final int MOST_SIZE_DIGITS = 8;
  private static final int HEX = 16;

  /** Bytes of the chunk that are still to come; 0 before a size; negative outside of chunks. */
  private long chunkLeft = -1;

  private boolean isBroken;

  StrictRequestDecoder(HttpServerOptions options) {
    super(options);
  }

  /** Well-formed, and not spoken here. */
  static final class UnsupportedVersion extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    UnsupportedVersion(String version) {
      super(version);
    }
  }

  @Override
  protected HttpMessage createMessage(String[] firstLine) {
    String version = firstLine[2];
    if (!version.equals("HTTP/1.1") && !version.equals("HTTP/1.0")) {
      throw VERSION.matcher(version).matches()
          ? new UnsupportedVersion(version)
          : new IllegalArgumentException("no version of HTTP");
    }
    return super.createMessage(firstLine);
  }

  @Override
  protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
    throw new IllegalArgumentException("Content-Length beside Transfer-Encoding");
  }

  /** Is called again with what is left as long as it takes something. */
  @Override
  protected void decode(ChannelHandlerContext connection, ByteBuf bytes, List<Object> decoded)
      throws Exception {
    if (isBroken) {
      bytes.skipBytes(bytes.readableBytes());
      return;
    }
    if (chunkLeft == 0 && !readSize(bytes)) {
      isBroken = true;
      bytes.skipBytes(bytes.readableBytes());
      HttpContent overflow = new DefaultLastHttpContent(Unpooled.EMPTY_BUFFER);
      overflow.setDecoderResult(
          DecoderResult.failure(new IllegalArgumentException("the size of a chunk overflows")));
      decoded.add(overflow);
      return;
    }
    int before = decoded.size();
    super.decode(connection, bytes, decoded);
    decoded.subList(before, decoded.size()).forEach(this::follow);
  }

  private void follow(Object decoded) {
    if (decoded instanceof HttpMessage message) {
      checkNames(message);
      chunkLeft = HttpUtil.isTransferEncodingChunked(message) ? 0 : -1;
    } else if (decoded instanceof HttpContent content && chunkLeft > 0) {
      chunkLeft -= content.content().readableBytes();
    }
  }

  private static void checkNames(HttpMessage message) {
    if (message.decoderResult().isSuccess()
        && !message.headers().names().stream().allMatch(it -> TOKEN.matcher(it).matches())) {
      message.setDecoderResult(
          DecoderResult.failure(new IllegalArgumentException("a header's name is no token")));
    }
  }

  /**
   * Looks at a size before Netty reads it, perhaps still behind the line break that ends the chunk
   * before. False if it has too many digits; whether they are digits is Netty's to check.
   */
  private boolean readSize(ByteBuf bytes) {
    int at = bytes.readerIndex();
    while (at < bytes.writerIndex() && Character.isWhitespace(bytes.getByte(at))) {
      at++;
    }
    long size = 0;
    for (int digits = 0; at < bytes.writerIndex(); at++) {
      int digit = Character.digit(bytes.getByte(at), HEX);
      if (digit < 0) {
        break;
      }
      size = size * HEX + digit;
      digits += size > 0 ? 1 : 0;
      if (digits > MOST_SIZE_DIGITS) {
        return false;
      }
    }
    if (bytes.indexOf(at, bytes.writerIndex(), (byte) '\n') >= 0) {
      chunkLeft = size == 0 ? -1 : size;
    }
    return true;
  }
}

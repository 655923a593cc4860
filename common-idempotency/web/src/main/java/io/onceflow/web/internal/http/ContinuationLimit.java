package io.onceflow.web.internal.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;

/**
 * Closes a connection of HTTP/2 whose headers come in more CONTINUATION frames than headers of the
 * permitted size need. Netty bounds their bytes only, and empty frames have none: they would keep
 * an event loop busy for ever (RFC 9113, 10.5).
 */
final class ContinuationLimit extends ChannelInboundHandlerAdapter {

  static final int MOST = 64;

  private static final int FRAME_HEADER = 9;
  private static final int TYPE = 3;
  private static final int CONTINUATION = 9;

  /** "PRI", the start of the preface, read as the length of a frame; no frame may be as long. */
  private static final int PREFACE = 0x505249;

  private static final int PREFACE_LENGTH = 24;

  /** GOAWAY with ENHANCE_YOUR_CALM. */
  private static final byte[] GO_AWAY = {0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 11};

  private int headerRead;
  private int length;
  private int payloadLeft;
  private int continuations;
  private boolean isClosing;

  @Override
  public void channelRead(ChannelHandlerContext connection, Object message) throws Exception {
    if (isClosing) {
      ReferenceCountUtil.release(message);
    } else if (message instanceof ByteBuf bytes && isTooMany(bytes)) {
      isClosing = true;
      bytes.release();
      // Closed from here: Netty's handler of HTTP/2 would first wait for its streams.
      connection
          .writeAndFlush(Unpooled.wrappedBuffer(GO_AWAY))
          .addListener(sent -> connection.close());
    } else {
      super.channelRead(connection, message);
    }
  }

  private boolean isTooMany(ByteBuf bytes) {
    int at = bytes.readerIndex();
    while (at < bytes.writerIndex()) {
      if (payloadLeft > 0) {
        int skipped = Math.min(payloadLeft, bytes.writerIndex() - at);
        payloadLeft -= skipped;
        at += skipped;
      } else if (isTooMany(bytes.getUnsignedByte(at++))) {
        return true;
      }
    }
    return false;
  }

  private boolean isTooMany(short next) {
    if (headerRead < TYPE) {
      length = length << Byte.SIZE | next;
    } else if (headerRead == TYPE) {
      continuations = next == CONTINUATION ? continuations + 1 : 0;
    }
    headerRead++;
    if (headerRead == FRAME_HEADER) {
      payloadLeft = length == PREFACE ? PREFACE_LENGTH - FRAME_HEADER : length;
      headerRead = 0;
      length = 0;
    }
    return continuations > MOST;
  }
}

package io.onceflow.idempotency.internal.response;

import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.File;
import java.io.InputStream;
import java.io.Reader;
import java.nio.file.Path;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.stream.BaseStream;
import java.util.stream.Stream;

/**
 * Bodies that are produced while they are sent. They cannot be stored: when they have been read the
 * transaction is committed, and a client that disconnects early has read only a part.
 */
public final class StreamingBodies {

  private StreamingBodies() {}

  public static boolean isOne(Class<?> type) {
    return Stream.of(
            InputStream.class,
            Reader.class,
            StreamingOutput.class,
            File.class,
            Path.class,
            BaseStream.class,
            CompletionStage.class,
            Uni.class,
            Flow.Publisher.class)
        .anyMatch(stream -> stream.isAssignableFrom(type));
  }
}

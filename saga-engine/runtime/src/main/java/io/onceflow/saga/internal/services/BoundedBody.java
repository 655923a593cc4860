package io.onceflow.saga.internal.services;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/** The text of an answer, in UTF-8, up to a number of bytes; a larger one is not read on. */
final class BoundedBody implements BodySubscriber<String> {

  private final int most;
  private final CompletableFuture<String> text = new CompletableFuture<>();
  private final ByteArrayOutputStream read = new ByteArrayOutputStream();
  private @Nullable Subscription subscription;

  BoundedBody(int most) {
    this.most = most;
  }

  /** An answer that is larger. */
  static final class TooLarge extends IOException {

    private static final long serialVersionUID = 1L;

    TooLarge(int most) {
      super("Its answer is larger than %s KiB.".formatted(most >> 10));
    }
  }

  @Override
  public CompletionStage<String> getBody() {
    return text;
  }

  @Override
  public void onSubscribe(Subscription given) {
    subscription = given;
    given.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      if (text.isDone()) {
        return;
      }
      take(buffer);
    }
  }

  private void take(ByteBuffer buffer) {
    if (read.size() + buffer.remaining() > most) {
      Objects.requireNonNull(subscription).cancel();
      text.completeExceptionally(new TooLarge(most));
      return;
    }
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    read.writeBytes(bytes);
  }

  @Override
  public void onError(Throwable failure) {
    text.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    text.complete(read.toString(UTF_8));
  }
}

package io.onceflow.launcher.testing;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.PullImageResultCallback;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.PullResponseItem;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.ImageNameSubstitutor;

/**
 * Images that a Docker engine has, or pulls. Testcontainers asks a registry that cannot be reached
 * for minutes, for each image and each test class.
 */
final class ContainerImages {

  /**
   * A registry that is reached says more often than this how far the pull has come; and an engine
   * takes less to give its first answer, also on a machine that many tests keep busy.
   */
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(60);

  private final String image;
  private final AtomicLong heardAt = new AtomicLong(System.nanoTime());

  private ContainerImages(String image) {
    this.image =
        ImageNameSubstitutor.instance().apply(DockerImageName.parse(image)).asCanonicalNameString();
  }

  /**
   * Makes sure that the engine has an image.
   *
   * @throws IllegalStateException where it has not and cannot pull it
   */
  static void require(String image) {
    missing(image)
        .ifPresent(
            why -> {
              throw new IllegalStateException(
                  "%s. %s=embedded in the environment, or as a system property, runs the tests without containers"
                      .formatted(why, TestServers.STACK));
            });
  }

  /**
   * Why there can be no containers of an image; empty where the engine has it, or has pulled it.
   */
  static Optional<String> missing(String image) {
    return new ContainerImages(image).missing();
  }

  /** In a thread of its own, since the client's first use may itself wait for an image. */
  private Optional<String> missing() {
    CompletableFuture<Void> had =
        CompletableFuture.runAsync(this::pullIfMissing, task -> Thread.ofVirtual().start(task));
    try {
      while (System.nanoTime() - heardAt.get() < LONGEST_SILENCE.toNanos()) {
        try {
          had.get(1, TimeUnit.SECONDS);
          return Optional.empty();
        } catch (TimeoutException e) {
          // The engine may still be pulling.
        }
      }
      return Optional.of(
          "the Docker engine has no image %s, and its registry does not answer".formatted(image));
    } catch (ExecutionException e) {
      return Optional.of(
          "the Docker engine has no image %s and cannot pull it: %s"
              .formatted(image, e.getCause().getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("interrupted while the Docker engine pulled " + image);
    }
  }

  private void pullIfMissing() {
    DockerClient engine = DockerClientFactory.instance().client();
    try {
      engine.inspectImageCmd(image).exec();
    } catch (NotFoundException e) {
      pull(engine);
    }
  }

  private void pull(DockerClient engine) {
    heardAt.set(System.nanoTime());
    try {
      engine
          .pullImageCmd(image)
          .exec(
              new PullImageResultCallback() {
                @Override
                public void onNext(PullResponseItem progress) {
                  heardAt.set(System.nanoTime());
                  super.onNext(progress);
                }
              })
          .awaitCompletion();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}

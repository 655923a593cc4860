package io.onceflow.quarkus.runtime.dev;

import io.quarkus.dev.spi.HotReplacementContext;
import io.quarkus.dev.spi.HotReplacementSetup;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Reloads changed code before a message is handled, as Quarkus does before a request is. The
 * application that has received the message stops without settling it; the one that starts in its
 * place receives it again.
 *
 * <p>Quarkus makes one instance for the development mode as a whole, which outlives the
 * applications that it replaces.
 */
public final class LiveReload implements HotReplacementSetup {

  private static final Logger LOG = Logger.getLogger(LiveReload.class);

  /** Reading the times of all source files for each of many messages would slow them down. */
  private static final Duration BETWEEN_SCANS = Duration.ofMillis(500);

  private static volatile @Nullable LiveReload installed;

  private @Nullable HotReplacementContext context;
  private @Nullable CompletableFuture<Boolean> scan;
  private long scannedAt = System.nanoTime();

  /**
   * Returns when the code is as it is in the sources.
   *
   * @throws SQLException when it is not, and the application is being replaced
   */
  static void awaitCurrentCode() throws SQLException {
    LiveReload reload = installed;
    if (reload != null && reload.replacesApplication()) {
      throw new SQLTransientConnectionException(
          "the code has changed; the message goes to the restarted application");
    }
  }

  @Override
  public void setupHotDeployment(HotReplacementContext hotReplacement) {
    context = hotReplacement;
    hotReplacement.addPreRestartStep(() -> scanned(true));
    installed = this;
  }

  /** Quarkus calls it when the development mode ends. */
  @Override
  public void close() {
    installed = null;
  }

  private boolean replacesApplication() {
    try {
      return begin().get();
    } catch (ExecutionException e) {
      LOG.warn("changed code could not be looked for", e.getCause());
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /**
   * The scan runs on a separate thread: it stops the application, which waits for the thread that
   * asks. The answer comes before that.
   */
  private synchronized CompletableFuture<Boolean> begin() {
    CompletableFuture<Boolean> running = scan;
    if (running == null) {
      if (System.nanoTime() - scannedAt < BETWEEN_SCANS.toNanos()) {
        return CompletableFuture.completedFuture(false);
      }
      running = new CompletableFuture<>();
      scan = running;
      Thread.ofPlatform().daemon().name("onceflow-live-reload").start(this::scan);
    }
    return running;
  }

  private void scan() {
    HotReplacementContext hotReplacement = context;
    try {
      if (hotReplacement != null) {
        hotReplacement.doScan(true);
      }
    } catch (Exception e) {
      LOG.warn("changed code could not be looked for", e);
    } finally {
      ended();
    }
  }

  /** Also when a request has led to the restart. */
  private synchronized void scanned(boolean restarts) {
    if (scan != null) {
      scan.complete(restarts);
    }
  }

  private synchronized void ended() {
    if (scan != null) {
      scan.complete(false);
    }
    scan = null;
    scannedAt = System.nanoTime();
  }
}

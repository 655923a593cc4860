package io.onceflow.test.stores;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.Fingerprint;
import io.onceflow.core.internal.ScopedKey;
import io.onceflow.idempotency.Idempotent.Mode;
import io.onceflow.idempotency.internal.store.Claim;
import io.onceflow.idempotency.internal.store.ClaimRequest;
import io.onceflow.idempotency.internal.store.CompletedResponse;
import io.onceflow.idempotency.internal.store.IdempotencyStore;
import io.onceflow.idempotency.internal.store.Ownership;
import io.onceflow.idempotency.internal.store.StoredResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A store, some processes that use it, and the words in which its laws are written. */
public abstract class StoreUnderTest {

  public static final Fingerprint PRINT = Fingerprint.of("the request".getBytes(UTF_8));
  public static final Fingerprint OTHER = Fingerprint.of("another".getBytes(UTF_8));
  public static final Duration LEASE = Duration.ofMinutes(5);
  public static final Duration KEPT = Duration.ofHours(1);

  public final String operation = "operation-" + UUID.randomUUID();
  public final ScopedKey key =
      new ScopedKey("user-" + UUID.randomUUID(), new IdempotencyKey(UUID.randomUUID().toString()));

  /** A process that uses the store, with at most one business transaction open at a time. */
  public interface OneProcess extends AutoCloseable {

    /** The store as this process sees it. */
    IdempotencyStore store();

    /** Opens the business transaction. */
    void begin() throws Exception;

    /** Commits it. */
    void commit() throws Exception;

    /** Undoes it if it is open. */
    void rollBack() throws Exception;

    /** Ends without a further word, as by kill -9: what is open is lost, nothing is released. */
    @Override
    void close();
  }

  /** A process of its own. */
  protected abstract OneProcess process() throws Exception;

  /** Makes so much time pass for this record that its answer expires. */
  protected abstract void expire(ScopedKey key) throws Exception;

  /** Makes so much time pass for this record that its lease ends, but its answer would not. */
  protected abstract void endLease(ScopedKey key) throws Exception;

  public final ClaimRequest request(Mode mode) {
    return request(mode, PRINT);
  }

  public final ClaimRequest request(Mode mode, Fingerprint print) {
    return new ClaimRequest(key, print, operation, mode, LEASE, KEPT);
  }

  /** A claim that must be won. */
  public Ownership win(OneProcess process, Mode mode) {
    return won(process.store().claim(request(mode)));
  }

  public static Ownership won(Claim claim) {
    assertThat(claim).isInstanceOf(Claim.Won.class);
    return ((Claim.Won) claim).ownership();
  }

  /** What the guard does with a method that succeeds. */
  public static void keep(OneProcess process, Ownership own, StoredResponse response)
      throws Exception {
    CompletedResponse kept = process.store().complete(own, response);
    process.commit();
    process.store().committed(own, kept);
  }

  /** What the guard does with a method that fails. */
  public static void giveUp(OneProcess process, Ownership own) throws Exception {
    process.rollBack();
    process.store().release(own);
  }

  /** What the guard does before it calls a method, as far as its last writes. */
  public Ownership start(OneProcess process, Mode mode) throws Exception {
    return start(process, request(mode));
  }

  public static Ownership start(OneProcess process, ClaimRequest request) throws Exception {
    Ownership own = won(claim(process, request));
    if (request.isLeased()) {
      process.begin();
    }
    return own;
  }

  /** A claim as the guard makes it: in the transaction that it has started, or before any. */
  public static Claim claim(OneProcess process, ClaimRequest request) throws Exception {
    if (!request.isLeased()) {
      process.begin();
    }
    return process.store().claim(request);
  }

  /** A request that runs to its end. */
  public void run(Mode mode, StoredResponse response) throws Exception {
    try (OneProcess process = process()) {
      keep(process, start(process, mode), response);
    }
  }

  /** What an equal request is told that comes now. */
  public Claim ask(Mode mode) throws Exception {
    return ask(request(mode));
  }

  public Claim ask(ClaimRequest request) throws Exception {
    try (OneProcess process = process()) {
      Claim claim = claim(process, request);
      if (claim instanceof Claim.Won(Ownership own)) {
        giveUp(process, own);
      }
      return claim;
    }
  }

  /** The answer that an equal request finds. */
  public StoredResponse find(Mode mode) throws Exception {
    Claim claim = ask(mode);
    assertThat(claim).isInstanceOf(Claim.Done.class);
    return ((Claim.Done) claim).kept().response();
  }

  public static StoredResponse response(String body) {
    return new StoredResponse(200, Map.of(), body.getBytes(UTF_8));
  }

  /** What so many clients get that start at the same moment. */
  static <T> List<T> together(int clients, Callable<T> what) throws Exception {
    CyclicBarrier atOnce = new CyclicBarrier(clients);
    Callable<T> begun =
        () -> {
          atOnce.await();
          return what.call();
        };
    List<T> results = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
      for (Future<T> result : threads.invokeAll(Collections.nCopies(clients, begun))) {
        results.add(result.get());
      }
    }
    return results;
  }
}

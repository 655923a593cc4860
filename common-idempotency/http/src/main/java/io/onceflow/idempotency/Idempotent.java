package io.onceflow.idempotency;

import jakarta.enterprise.util.Nonbinding;
import jakarta.interceptor.InterceptorBinding;
import jakarta.ws.rs.NameBinding;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Guards a JAX-RS method by the client's {@code Idempotency-Key}: of all requests under one key of
 * a caller the first runs, and every repeat of the same request gets its answer, byte for byte.
 *
 * <p><b>Transactional</b> (the default): claim, business rows, outbox rows and the stored answer
 * commit together, so a crash leaves nothing behind. The method writes in the transaction in which
 * it is called, and calls no other system; it sends messages instead.
 *
 * <pre>{@code
 * @POST
 * @Idempotent
 * public Response place(@Valid PlaceOrderRequest request) {
 *   …
 * }
 * }</pre>
 *
 * <p><b>Leased</b>, for methods that call other systems or take long: the claim is committed first
 * and stays valid as long as its {@link Lease} is renewed. No transaction is open while the method
 * runs; it opens one by {@link Lease#complete}, in which its last writes and its answer commit
 * together, and only if the claim was not taken over.
 *
 * <pre>{@code
 * @POST
 * @Idempotent(mode = LEASED, lease = "PT30S")
 * public Response charge(Charge charge) throws Exception {
 *   Receipt receipt = bank.charge(guarded.key(), charge);          // the bank's idempotency key too
 *   return guarded.lease().complete(() -> Response.ok(receipts.insert(receipt)).build());
 * }
 * }</pre>
 *
 * <p><b>Shared</b>, for methods with many concurrent calls: the method decides and writes nothing.
 * It registers the items to be written, and requests that come at the same time are written
 * together, with their claims and their answers, in one transaction. Callers see no difference. No
 * transaction is open while the method runs. It may run although its request is then answered with
 * the answer of an equal request that was faster, so it must have no other effects.
 *
 * <pre>{@code
 * @POST
 * @Idempotent(mode = SHARED)
 * public Response place(@Valid PlaceOrderRequest request) {
 *   Order order = request.place(clock.instant());
 *   guarded.write(placing, order);                                 // a SharedWrite<Order>
 *   return Response.status(201).entity(order).build();
 * }
 * }</pre>
 *
 * <table>
 *   <caption>What callers see (draft-ietf-httpapi-idempotency-key-header)</caption>
 *   <tr><th>situation</th><th>answer</th></tr>
 *   <tr><td>no key, or a malformed one</td><td>400</td></tr>
 *   <tr><td>first time</td><td>runs</td></tr>
 *   <tr><td>again, same request, done</td><td>the stored answer, {@code Idempotent-Replayed: true}</td></tr>
 *   <tr><td>again, other request</td><td>422</td></tr>
 *   <tr><td>again, still running</td><td>409 with {@code Retry-After}, or after a wait the answer</td></tr>
 *   <tr><td>again, accepted with 202 and still running</td><td>202</td></tr>
 *   <tr><td>it failed</td><td>nothing is kept; the key may be used again</td></tr>
 *   <tr><td>it was refused with 4xx</td><td>as it failed, or the refusal is kept</td></tr>
 *   <tr><td>expired</td><td>as new</td></tr>
 * </table>
 */
@Documented
@NameBinding
@InterceptorBinding
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Idempotent {

  /** When the claim is committed. */
  enum Mode {
    /** With the business rows and the answer. */
    TRANSACTIONAL,
    /** Before the method runs; valid as long as its lease is renewed. */
    LEASED,
    /**
     * After the method has returned: with the items given to {@link GuardedRequest#write} and the
     * answer, and with those of other requests. Where the store cannot do that ({@code redis}), as
     * if it were {@link #TRANSACTIONAL}.
     */
    SHARED
  }

  /** The answer to a repeat while the first request runs. */
  enum InFlight {
    /** What {@code onceflow.idempotency.in-flight} says. */
    CONFIGURED,
    /** 409 with {@code Retry-After}, at once. */
    REJECT,
    /** Waits for the running request, within limits, and gets its answer. */
    WAIT
  }

  /**
   * Whether an answer with a status of 4xx, returned or thrown, is stored. The method's writes in
   * its transaction, or in {@link Lease#complete}, are rolled back; those by {@link Lease#write}
   * stay.
   */
  enum Refusals {
    /** What {@code onceflow.idempotency.refusals} says. */
    CONFIGURED,
    /** It is not stored: the key may be used again, with another body too. */
    RELEASED,
    /** It is stored and replayed like a success. */
    KEPT
  }

  /**
   * The operation's name in records, metrics and log lines, and for its {@link
   * AbandonedClaimResolver}. Empty for the names of class and method, {@code OrderResource.place}.
   */
  @Nonbinding
  String operation() default "";

  /** When the claim is committed. */
  @Nonbinding
  Mode mode() default Mode.TRANSACTIONAL;

  /**
   * How long a claim is valid after its last renewal, as an ISO 8601 duration; empty for {@code
   * onceflow.idempotency.lease}.
   */
  @Nonbinding
  String lease() default "";

  /**
   * How long the answer is kept and replayed, as an ISO 8601 duration; empty for {@code
   * onceflow.idempotency.retention}.
   */
  @Nonbinding
  String retention() default "";

  /** The answer to a repeat while the first request runs. */
  @Nonbinding
  InFlight inFlight() default InFlight.CONFIGURED;

  /** Whether an answer with a status of 4xx is stored. */
  @Nonbinding
  Refusals refusals() default Refusals.CONFIGURED;
}

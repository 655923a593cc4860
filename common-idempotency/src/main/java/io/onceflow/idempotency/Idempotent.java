package io.onceflow.idempotency;

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
 * <p>The guard is transactional: claim, business rows, outbox rows and the stored answer commit
 * together, so a crash leaves nothing behind. The method must do all its writing in the transaction
 * that it is called in, and must not call other systems: that is what messages are for.
 *
 * <pre>{@code
 * @POST
 * @Idempotent
 * public Response place(@Valid PlaceOrderRequest request) {
 *   …
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
 *   <tr><td>again, still running</td><td>409 with {@code Retry-After}</td></tr>
 *   <tr><td>it failed, or was refused with 4xx</td><td>nothing is kept; the key may be used again</td></tr>
 *   <tr><td>expired</td><td>as new</td></tr>
 * </table>
 */
@Documented
@NameBinding
@InterceptorBinding
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Idempotent {}

/** A travel company's application: a saga about a JPA entity, and nothing else of its own. */
@NullMarked
package io.onceflow.saga.trip;

import org.jspecify.annotations.NullMarked;

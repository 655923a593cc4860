/** The HTTP face: orders and their sagas. */
@NullMarked
package io.onceflow.order.api;

import org.jspecify.annotations.NullMarked;

/** Orders that come many at once, and are placed in the background. */
@NullMarked
package io.onceflow.order.imports;

import org.jspecify.annotations.NullMarked;

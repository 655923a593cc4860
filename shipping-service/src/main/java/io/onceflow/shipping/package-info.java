/** The shipping service: its handlers, and the table of its shipments. */
@NullMarked
package io.onceflow.shipping;

import org.jspecify.annotations.NullMarked;

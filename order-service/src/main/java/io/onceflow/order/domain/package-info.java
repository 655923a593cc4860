/** Orders: what they are and what may become of them. Knows no transport and no framework. */
@NullMarked
package io.onceflow.order.domain;

import org.jspecify.annotations.NullMarked;

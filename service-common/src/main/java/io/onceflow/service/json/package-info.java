/** How services read what other services send. */
@NullMarked
package io.onceflow.service.json;

import org.jspecify.annotations.NullMarked;

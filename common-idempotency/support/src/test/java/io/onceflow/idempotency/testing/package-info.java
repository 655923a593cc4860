/** What tests of several packages stand on: a real database and the means to look into it. */
@NullMarked
package io.onceflow.idempotency.testing;

import org.jspecify.annotations.NullMarked;

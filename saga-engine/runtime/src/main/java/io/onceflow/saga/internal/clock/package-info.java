/** What time it is, for business. Also there where an application has no sagas. */
@NullMarked
package io.onceflow.saga.internal.clock;

import org.jspecify.annotations.NullMarked;

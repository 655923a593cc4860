/** How all sagas are: counts, definitions, and events as they move. */
@NullMarked
package io.onceflow.saga.internal.overview;

import org.jspecify.annotations.NullMarked;

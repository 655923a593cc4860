/** The API of an application that runs sagas: it starts sagas, and stores their subjects. */
@NullMarked
package io.onceflow.saga.api;

import org.jspecify.annotations.NullMarked;

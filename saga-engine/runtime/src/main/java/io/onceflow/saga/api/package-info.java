/** What an application that runs sagas uses: it starts them, and keeps what they are about. */
@NullMarked
package io.onceflow.saga.api;

import org.jspecify.annotations.NullMarked;

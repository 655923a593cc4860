/** What an application uses on its Reactive Messaging channels. */
@NullMarked
package io.onceflow.messaging;

import org.jspecify.annotations.NullMarked;

/** What connectors are set to, for channels whose messages must not be lost. */
@NullMarked
package io.onceflow.messaging.settings.internal;

import org.jspecify.annotations.NullMarked;

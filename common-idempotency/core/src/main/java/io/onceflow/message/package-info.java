/** What a service says of its messages: which record is a command, and which records answer it. */
@NullMarked
package io.onceflow.message;

import org.jspecify.annotations.NullMarked;

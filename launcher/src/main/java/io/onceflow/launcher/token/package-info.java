/** Keys and tokens for trying out: who may call the services, and how a person gets a token. */
@NullMarked
package io.onceflow.launcher.token;

import org.jspecify.annotations.NullMarked;

/**
 * Keys and tokens for trying out: who may call the services, and how a person becomes one of them.
 */
@NullMarked
package io.onceflow.quickstart.token;

import org.jspecify.annotations.NullMarked;

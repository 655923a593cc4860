/**
 * What holds for every request to a service: how large it may be, and what a refusal looks like.
 */
@NullMarked
package io.onceflow.web.internal.http;

import org.jspecify.annotations.NullMarked;

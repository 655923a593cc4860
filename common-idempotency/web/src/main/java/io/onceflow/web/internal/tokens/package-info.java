/** What a service needs to check tokens, and what callers without a good one are told. */
@NullMarked
package io.onceflow.web.internal.tokens;

import org.jspecify.annotations.NullMarked;

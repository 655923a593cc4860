/** The operators' REST resource of the audit log, the same in every application. */
@NullMarked
package io.onceflow.audit.internal;

import org.jspecify.annotations.NullMarked;

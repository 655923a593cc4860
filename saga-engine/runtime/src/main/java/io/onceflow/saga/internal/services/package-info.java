/** The services of an application, asked by the orchestrator on behalf of an operator. */
@NullMarked
package io.onceflow.saga.internal.services;

import org.jspecify.annotations.NullMarked;

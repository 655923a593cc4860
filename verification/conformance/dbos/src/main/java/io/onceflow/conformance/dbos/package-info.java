/** The conformance suite's adapter for DBOS: the saga as a workflow. */
package io.onceflow.conformance.dbos;

package io.onceflow.order.imports;

/**
 * Where an import stands.
 *
 * <pre>
 * RUNNING ──► COMPLETED
 *    │
 *    └──────► ABANDONED
 * </pre>
 */
public enum ImportStatus {
  /** Its orders are being placed. */
  RUNNING,
  /** All of them are placed. */
  COMPLETED,
  /**
   * Its key was given up before it ended, and was then used for other orders. Those that it had
   * placed stand.
   */
  ABANDONED
}

package io.onceflow.easypost;

/** EasyPost does not refund a label. The same call may be made again, and may fail again. */
public final class EasyPostRefundFailed extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String code;

  /**
   * @param code EasyPost's word for it
   * @param what failed, of which label
   */
  EasyPostRefundFailed(String code, String what) {
    super("EasyPost: " + what);
    this.code = code;
  }

  /** The status of the refund, such as {@code rejected}, or the code of an error. */
  public String code() {
    return code;
  }
}

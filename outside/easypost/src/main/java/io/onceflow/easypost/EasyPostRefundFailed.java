package io.onceflow.easypost;

/** EasyPost does not refund a label. The same call may be made again, and may fail again. */
public final class EasyPostRefundFailed extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * @param what failed, of which label
   */
  EasyPostRefundFailed(String what) {
    super(
        "EasyPost: %s; ask the carrier for the refund or use the label otherwise, then resolve it (POST /easypost/refunds/<shipment>/resolve)"
            .formatted(what));
  }
}

package io.onceflow.easypost;

/** The outcome of asking for a label. */
public sealed interface LabelOutcome {

  /**
   * The label is bought.
   *
   * @param trackingCode the carrier's number of the parcel
   */
  record Bought(String trackingCode) implements LabelOutcome {}

  /**
   * No label is bought, and asking again would not change that.
   *
   * @param code EasyPost's error code; empty where there was no error
   */
  record Refused(Why why, String code) implements LabelOutcome {}

  /** The label was given up before; see {@link EasyPostLabels#annul}. */
  record GivenUp() implements LabelOutcome {}

  /** Kinds of refusal. */
  enum Why {
    /** None of the carriers takes this parcel there. */
    NO_RATE,
    /** The address is none. */
    ADDRESS_INVALID,
    /** EasyPost or the carrier will not, for another reason. */
    INVALID
  }
}

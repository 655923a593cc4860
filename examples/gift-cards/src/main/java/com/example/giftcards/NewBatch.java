package com.example.giftcards;

import jakarta.ws.rs.BadRequestException;

/**
 * What a company orders.
 *
 * @param cards how many, at most {@value #MOST}
 * @param cents on each
 */
public record NewBatch(int cards, long cents) {

  /** As many as the printer takes paper for. */
  static final int MOST = 100_000;

  /**
   * @throws BadRequestException when there is nothing to print, or too much
   */
  public NewBatch {
    if (cards <= 0 || cards > MOST || cents <= 0) {
      throw new BadRequestException("1 to %s cards of at least a cent each".formatted(MOST));
    }
  }
}

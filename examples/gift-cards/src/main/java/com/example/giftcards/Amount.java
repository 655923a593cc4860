package com.example.giftcards;

import jakarta.ws.rs.BadRequestException;

/**
 * What a till sends.
 *
 * @param cents more than zero
 */
public record Amount(long cents) {

  /**
   * @throws BadRequestException when it is not more than zero
   */
  public Amount {
    if (cents <= 0) {
      throw new BadRequestException("cents must be more than zero");
    }
  }
}

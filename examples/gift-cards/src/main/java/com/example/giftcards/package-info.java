/**
 * Gift cards of several shops: an application that takes Onceflow's Idempotency-Key guard and
 * nothing else of it.
 *
 * <ul>
 *   <li>{@link com.example.giftcards.GiftCardResource#sell}: one transaction.
 *   <li>{@link com.example.giftcards.GiftCardResource#redeem}: one transaction, and impatient
 *       repeats wait for it.
 *   <li>{@link com.example.giftcards.TopUpResource#topUp}: calls an external system.
 *   <li>{@link com.example.giftcards.CardBatchResource#order}: continues in the background, and
 *       after a crash.
 * </ul>
 */
@NullMarked
package com.example.giftcards;

import org.jspecify.annotations.NullMarked;

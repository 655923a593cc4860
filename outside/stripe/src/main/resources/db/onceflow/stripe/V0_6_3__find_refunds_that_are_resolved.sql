-- For the comparison of the books: few of all refunds.
CREATE INDEX stripe_refund_money_with ON stripe_refund (intent_id) WHERE money_with IS NOT NULL;

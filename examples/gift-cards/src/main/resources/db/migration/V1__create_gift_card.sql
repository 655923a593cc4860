-- Cards for a company's customers, printed many at a time.
CREATE TABLE card_batch (
  id         uuid        PRIMARY KEY DEFAULT gen_random_uuid(),
  shop       text        NOT NULL,
  order_key  text        NOT NULL,             -- the Idempotency-Key: finds the order again after a crash
  request    text        NOT NULL,             -- its fingerprint: an expired key may come again with another order
  wanted     integer     NOT NULL,
  amount     bigint      NOT NULL,             -- on each card, in cents
  ordered_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (shop, order_key, request),
  CONSTRAINT card_batch_wanted CHECK (wanted > 0),
  CONSTRAINT card_batch_amount CHECK (amount > 0)
);

CREATE TABLE gift_card (
  code       text        PRIMARY KEY DEFAULT upper(right(replace(gen_random_uuid()::text, '-', ''), 16)),
  shop       text        NOT NULL,
  balance    bigint      NOT NULL,             -- in cents
  batch      uuid        REFERENCES card_batch,
  CONSTRAINT gift_card_balance CHECK (balance >= 0)
);

CREATE INDEX gift_card_batch ON gift_card (batch) WHERE batch IS NOT NULL;

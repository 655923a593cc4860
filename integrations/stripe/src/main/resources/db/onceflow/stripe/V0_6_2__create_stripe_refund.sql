-- The refunds that Stripe was asked for, one of each charge. A row is committed before the first request. One that failed at
-- Stripe is never asked for again by itself, however long ago that was, since an operator may have paid the customer meanwhile.
CREATE TABLE stripe_refund (
  key           text        COLLATE "C" PRIMARY KEY,  -- metadata of the refund, and the beginning of Stripe's Idempotency-Keys
  reference     text        COLLATE "C" NOT NULL,     -- what was paid, such as an order's id
  intent_id     text        COLLATE "C" NOT NULL,
  attempt       bigint      NOT NULL DEFAULT 0,       -- how many Idempotency-Keys were used up by an error that Stripe repeats
  asking_until  timestamptz,                          -- until when a request may be under way
  failure       text,                                 -- Stripe's code for the last refusal or failure; null where it succeeded
  failed_refund text,                                 -- Stripe's id of the refund that failed
  retried       text[]      NOT NULL DEFAULT '{}',    -- failed refunds that an operator has had asked for again
  money_with    text,                                 -- as an operator has resolved it
  resolved_at   timestamptz,
  created_at    timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT stripe_refund_money_with CHECK (money_with IN ('CUSTOMER', 'MERCHANT')),
  CONSTRAINT stripe_refund_resolved CHECK ((money_with IS NULL) = (resolved_at IS NULL))
);

-- Read by garbage collection, and where books are compared: the refunds of a day.
CREATE INDEX stripe_refund_by_age ON stripe_refund (created_at);

-- Read where operators ask for the refunds of what was paid, and act on one.
CREATE INDEX stripe_refund_by_reference ON stripe_refund (reference);

-- Read by the gauge and the list of refunds that have failed: few of all.
CREATE INDEX stripe_refund_failed ON stripe_refund (created_at) WHERE failure IS NOT NULL AND resolved_at IS NULL;

-- Read where books are compared: those that are resolved, few of all.
CREATE INDEX stripe_refund_money_with ON stripe_refund (intent_id) WHERE money_with IS NOT NULL;

-- What Stripe was asked to charge. A row is committed before the first request, so that after a crash it is known what may have
-- been charged, and for how long Stripe still remembers the key. A charge that is given up is marked, so that it is not asked
-- for again.
CREATE TABLE stripe_request (
  key        text        COLLATE "C" PRIMARY KEY,   -- Stripe's Idempotency-Key, and metadata of the payment intent
  scope      text        COLLATE "C" NOT NULL,      -- with step_key, the step whose call it is
  step_key   text        COLLATE "C" NOT NULL,
  reference  text        COLLATE "C" NOT NULL,      -- what is paid, such as an order's id
  amount     bigint,                                -- as the charge was asked for; null where it was given up before
  currency   text,
  intent_id  text        COLLATE "C",               -- of a charge that was found pending
  first_at   timestamptz,                           -- null where it was given up before it was asked for
  last_at    timestamptz,
  given_up   boolean     NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT stripe_request_asked_or_given_up CHECK (given_up OR first_at IS NOT NULL),
  CONSTRAINT stripe_request_asked_for_money CHECK
    ((first_at IS NULL) = (amount IS NULL) AND (first_at IS NULL) = (currency IS NULL)),
  CONSTRAINT stripe_request_times CHECK ((first_at IS NULL) = (last_at IS NULL) AND first_at <= last_at)
);

-- Read by garbage collection.
CREATE INDEX stripe_request_by_age ON stripe_request (created_at);

-- Read by GET /stripe/pending-payments/{reference}.
CREATE INDEX stripe_request_pending ON stripe_request (reference) WHERE intent_id IS NOT NULL;

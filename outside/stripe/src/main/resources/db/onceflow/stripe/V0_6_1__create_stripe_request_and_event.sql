-- What Stripe was asked to charge. A row is committed before the first request, so that after a crash it is known what may have
-- been charged, and for how long Stripe still remembers the key. A charge that is given up is marked, so that it is not asked
-- for again.
CREATE TABLE stripe_request (
  key        text        NOT NULL,                  -- Stripe's Idempotency-Key, and metadata of the payment intent
  scope      text        NOT NULL,                  -- with step_key, the step whose call it is
  step_key   text        NOT NULL,
  reference  text        NOT NULL,                  -- what is paid, such as an order's id
  intent_id  text,                                  -- of a charge that was found pending
  first_at   timestamptz,                           -- null where it was given up before it was asked for
  last_at    timestamptz,
  given_up   boolean     NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (key),
  CONSTRAINT stripe_request_asked_or_given_up CHECK (given_up OR first_at IS NOT NULL),
  CONSTRAINT stripe_request_times CHECK ((first_at IS NULL) = (last_at IS NULL) AND first_at <= last_at)
);

CREATE INDEX stripe_request_by_age ON stripe_request (created_at);
CREATE INDEX stripe_request_pending ON stripe_request (reference) WHERE intent_id IS NOT NULL;

-- Stripe's events, each once, in the order of arrival. Events about objects that are unknown here are kept as well: they are
-- evidence when the books are compared.
CREATE TABLE stripe_event (
  id          text        NOT NULL,
  type        text        NOT NULL,
  object_id   text        NOT NULL,                 -- of the payment intent, refund, charge or dispute
  intent_id   text,                                 -- of the payment intent that it is about
  key         text,                                 -- that of stripe_request, where the object names it
  known       boolean     NOT NULL,                 -- whether it is about a payment that was made here
  status      text,
  created_at  timestamptz NOT NULL,                 -- by Stripe's clock
  received_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (id)
);

CREATE INDEX stripe_event_by_age ON stripe_event (received_at);
CREATE INDEX stripe_event_by_intent ON stripe_event (intent_id);

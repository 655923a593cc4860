-- Stripe's events, each once, in the order of arrival. Events about objects that are unknown here are kept as well: they are
-- evidence when the books are compared.
CREATE TABLE stripe_event (
  id          text        COLLATE "C" PRIMARY KEY,
  type        text        NOT NULL,
  object_id   text        NOT NULL,                 -- of the payment intent, refund, charge or dispute
  intent_id   text        COLLATE "C",              -- of the payment intent that it is about
  key         text        COLLATE "C",              -- that of stripe_request, where the object names it
  known       boolean     NOT NULL,                 -- whether it is about a payment that was made here
  status      text,
  created_at  timestamptz NOT NULL,                 -- by Stripe's clock
  received_at timestamptz NOT NULL DEFAULT now()
);

-- Read by garbage collection.
CREATE INDEX stripe_event_by_age ON stripe_event (received_at);

-- Read with each event: whether earlier ones of its intent are known, or become known by it.
CREATE INDEX stripe_event_by_intent ON stripe_event (intent_id);

-- The books of the simulated gateway. They belong to a foreign system, so to speak: nothing here refers to our tables or
-- is written in our transactions, and nothing keeps an order from being charged twice, so that it would show.
CREATE SCHEMA simulated_gateway;

CREATE TABLE simulated_gateway.ledger (
  id              bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
  customer        text        NOT NULL,
  idempotency_key text        NOT NULL,
  kind            text        NOT NULL,
  reference       text        NOT NULL,    -- of a charge its own, of a refund that of its charge
  order_id        uuid        NOT NULL,
  amount          bigint      NOT NULL,    -- minor units
  currency        text        NOT NULL,
  at              timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (id),
  CONSTRAINT ledger_one_effect_per_key UNIQUE (customer, idempotency_key),
  CONSTRAINT ledger_kind CHECK (kind IN ('CHARGE', 'REFUND')),
  CONSTRAINT ledger_amount_positive CHECK (amount > 0)
);

CREATE INDEX ledger_by_order ON simulated_gateway.ledger (order_id);
CREATE INDEX ledger_by_reference ON simulated_gateway.ledger (reference);

-- How often a key was asked for, by those payment methods that behave otherwise the first times.
CREATE TABLE simulated_gateway.attempt (
  customer        text    NOT NULL,
  idempotency_key text    NOT NULL,
  attempts        integer NOT NULL,
  PRIMARY KEY (customer, idempotency_key)
);

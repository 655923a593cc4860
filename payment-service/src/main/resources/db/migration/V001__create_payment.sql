-- What became of charging an order. One row per step that charges: two orchestrators may use the same order id, and a saga may
-- charge an order in two steps.
--
--   charged ──▶ PROCESSED ──▶ REFUNDED
--   declined ─▶ DECLINED
CREATE TABLE payment (
  id                uuid        NOT NULL,
  order_id          uuid        NOT NULL,
  scope             text        COLLATE "C" NOT NULL,    -- whose order it is: the authenticated subject
  step_key          text        COLLATE "C" NOT NULL,    -- the gateway's idempotency key; its refund has the sibling's
  status            text        NOT NULL,
  amount            bigint      NOT NULL,                -- minor units
  currency          text        NOT NULL,                -- ISO 4217
  decline_reason    text,                                -- only of a declined one
  gateway_reference text        COLLATE "C",             -- what the gateway calls the charge
  processed_at      timestamptz NOT NULL,
  refunded_at       timestamptz,
  PRIMARY KEY (id),
  CONSTRAINT payment_one_per_step UNIQUE (order_id, scope, step_key),    -- begins with the order, by which it is looked up
  CONSTRAINT payment_status CHECK (status IN ('PROCESSED', 'DECLINED', 'REFUNDED')),
  CONSTRAINT payment_amount_positive CHECK (amount > 0),
  CONSTRAINT payment_currency CHECK (currency ~ '^[A-Z]{3}$'),
  CONSTRAINT payment_reason_only_when_declined CHECK ((status = 'DECLINED') = (decline_reason IS NOT NULL)),
  CONSTRAINT payment_reference_unless_declined CHECK ((status <> 'DECLINED') = (gateway_reference IS NOT NULL)),
  CONSTRAINT payment_refunded_at_once_refunded CHECK ((status = 'REFUNDED') = (refunded_at IS NOT NULL))
);

-- Read where books are compared: payments by what the gateway calls the charge.
CREATE INDEX payment_by_gateway_reference ON payment (gateway_reference) WHERE gateway_reference IS NOT NULL;

-- What became of shipping an order. One row per order, whoever asked and however often.
--
--   booked ──▶ ARRANGED ──▶ CANCELLED
--   refused ─▶ REJECTED
CREATE TABLE shipment (
  id              uuid        NOT NULL,
  order_id        uuid        NOT NULL,
  scope           text        NOT NULL,    -- whose order it is: the authenticated subject
  step_key        text        NOT NULL,    -- the carrier's idempotency key; its cancellation has the sibling's
  status          text        NOT NULL,
  reject_reason   text,                    -- only of a rejected one
  tracking_number text,                    -- what the carrier calls the booking
  arranged_at     timestamptz NOT NULL,    -- when the carrier answered
  cancelled_at    timestamptz,
  PRIMARY KEY (id),
  CONSTRAINT shipment_one_per_order UNIQUE (order_id),
  CONSTRAINT shipment_status CHECK (status IN ('ARRANGED', 'REJECTED', 'CANCELLED')),
  CONSTRAINT shipment_reason_only_when_rejected CHECK ((status = 'REJECTED') = (reject_reason IS NOT NULL)),
  CONSTRAINT shipment_number_unless_rejected CHECK ((status <> 'REJECTED') = (tracking_number IS NOT NULL)),
  CONSTRAINT shipment_cancelled_at_once_cancelled CHECK ((status = 'CANCELLED') = (cancelled_at IS NOT NULL))
);

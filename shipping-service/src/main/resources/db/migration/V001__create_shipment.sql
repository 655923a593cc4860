-- What became of shipping an order, or of fetching it back. One row per step that books: two orchestrators may use the same id of
-- an order or a return, a saga may book in two steps, and a return that was refused may be tried again.
--
--   booked ──▶ ARRANGED ──▶ CANCELLED
--   refused ─▶ REJECTED
CREATE TABLE shipment (
  id              uuid        NOT NULL,
  order_id        uuid        NOT NULL,
  return_id       uuid,                                -- which return it is for; null of the shipment to the customer
  scope           text        COLLATE "C" NOT NULL,    -- whose order it is: the authenticated subject
  step_key        text        COLLATE "C" NOT NULL,    -- the carrier's idempotency key; its cancellation has the sibling's
  status          text        NOT NULL,
  reject_reason   text,                                -- only of a rejected one
  tracking_number text        COLLATE "C",             -- what the carrier calls the booking
  arranged_at     timestamptz NOT NULL,                -- when the carrier answered
  cancelled_at    timestamptz,
  PRIMARY KEY (id),
  CONSTRAINT shipment_status CHECK (status IN ('ARRANGED', 'REJECTED', 'CANCELLED')),
  CONSTRAINT shipment_reason_only_when_rejected CHECK ((status = 'REJECTED') = (reject_reason IS NOT NULL)),
  CONSTRAINT shipment_number_unless_rejected CHECK ((status <> 'REJECTED') = (tracking_number IS NOT NULL)),
  CONSTRAINT shipment_cancelled_at_once_cancelled CHECK ((status = 'CANCELLED') = (cancelled_at IS NOT NULL))
);

-- Read with each command, which finds the shipment of its order or return.
CREATE UNIQUE INDEX shipment_one_per_step ON shipment ((coalesce(return_id, order_id)), scope, step_key);

-- Read by GET /shipments?orderId=: those of an order and of its returns.
CREATE INDEX shipment_by_order ON shipment (order_id);

-- Read where books are compared: bookings by their number.
CREATE INDEX shipment_by_tracking_number ON shipment (tracking_number) WHERE tracking_number IS NOT NULL;

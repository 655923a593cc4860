-- Customers' wishes to give an order back. A rejected one leaves the order as it was, and another may be tried.
--
--   REQUESTED ──▶ ACCEPTED ──▶ COMPLETED
--       └──▶ REJECTED
CREATE TABLE order_return (
  id               uuid        NOT NULL,
  order_id         uuid        NOT NULL,
  status           text        NOT NULL DEFAULT 'REQUESTED',
  rejection_reason text,
  tracking_number  text,                      -- of the return shipment
  refunded_amount  bigint,                    -- minor units; null until given back
  requested_at     timestamptz NOT NULL,
  PRIMARY KEY (id),
  FOREIGN KEY (order_id) REFERENCES orders (id),
  CONSTRAINT order_return_status CHECK (status IN ('REQUESTED', 'ACCEPTED', 'COMPLETED', 'REJECTED')),
  CONSTRAINT order_return_reason_once_rejected CHECK ((status = 'REJECTED') = (rejection_reason IS NOT NULL)),
  CONSTRAINT order_return_accepted_once_fetched CHECK (status NOT IN ('ACCEPTED', 'COMPLETED') OR tracking_number IS NOT NULL),
  CONSTRAINT order_return_completed_once_paid_back CHECK ((status = 'COMPLETED') = (refunded_amount IS NOT NULL))
);

-- An order is given back once. Read with each insert.
CREATE UNIQUE INDEX order_return_one_stands ON order_return (order_id) WHERE status <> 'REJECTED';

-- Read by GET /orders/{id}/return: the latest of an order, since ids are UUIDv7.
CREATE INDEX order_return_by_order ON order_return (order_id, id DESC);

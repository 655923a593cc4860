-- Orders come back, too. A return has a shipment of its own, and an order may see more than one: a refused one may be
-- tried again.
ALTER TABLE shipment
  ADD COLUMN return_id uuid,               -- which return it is for; null of the shipment to the customer
  DROP CONSTRAINT shipment_one_per_order;

-- One row per order, and per return.
CREATE UNIQUE INDEX shipment_one_per_subject ON shipment ((coalesce(return_id, order_id)));

CREATE INDEX shipment_by_order ON shipment (order_id);

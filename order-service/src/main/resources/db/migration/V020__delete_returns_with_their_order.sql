-- An order whose retention is over is deleted with its returns.
ALTER TABLE order_return
  DROP CONSTRAINT order_return_order_id_fkey,
  ADD FOREIGN KEY (order_id) REFERENCES orders (id) ON DELETE CASCADE;

-- An order's row changes twice on its way, payment and shipment, and none of what changes is indexed: the new versions
-- need no index entries if they find room on the order's page.
ALTER TABLE orders SET (fillfactor = 60);

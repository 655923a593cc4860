-- A step is sent again with the bytes that were rendered first, also by newer code: participants answer a repeated command
-- only if its bytes are the same. Text, not json: byte for byte. Kept as long as it may be sent again, in the row that is
-- written anyway. Null for steps that were sent before; those are rendered once more and kept then. The name says which it
-- is, the step's own or that of its compensation: replicas of the last version leave these columns as they are.
ALTER TABLE saga_step
  ADD COLUMN command_name        text,
  ADD COLUMN command_type        text,
  ADD COLUMN command_routing_key text,
  ADD COLUMN command_payload     text;

-- A step whose participant has begun and waits for the world: a webhook, a person, another system. Its row stays STARTED, and
-- rests until the handler is asked again. Marks that hold a fencing token are over as soon as the step is taken up, also by a
-- replica that does not know them.
ALTER TABLE inbox_message
  ADD COLUMN pending_since timestamptz,   -- when it was first answered as pending; kept when it has ended
  ADD COLUMN pending_token bigint,        -- under which it was answered so last: while it is the step's, no attempt is under way
  ADD COLUMN woken_token   bigint;        -- under which it was woken last: what is answered as pending under it is due at once

-- For the gauge of pending steps. It may be there: on a big table it can be built CONCURRENTLY before the upgrade.
CREATE INDEX IF NOT EXISTS inbox_message_pending ON inbox_message (pending_since)
  WHERE status = 'STARTED' AND pending_since IS NOT NULL;

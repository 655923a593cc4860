-- Started steps are few, and often none when the table is analyzed. To the planner one index of them is then as good as
-- another, and it took one of which it had to read everything: all entries of steps that have ended, while another
-- transaction keeps its snapshot, or all that were due, for each scope. So the predicates say the same in words of their own,
-- of which each look has those of its index: of the columns below, only a step that is STARTED has them filled or empty so.
-- They may be there: on a big table they can be built CONCURRENTLY before the upgrade.
CREATE INDEX IF NOT EXISTS inbox_message_by_type
  ON inbox_message ((envelope ->> 'type'), scope COLLATE "C", lease_expires_at)
  WHERE envelope IS NOT NULL;
CREATE INDEX IF NOT EXISTS inbox_message_by_lease ON inbox_message (lease_expires_at)
  WHERE completed_at IS NULL AND lease_expires_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS inbox_message_by_pending ON inbox_message (pending_since)
  WHERE completed_at IS NULL AND pending_since IS NOT NULL;

-- inbox_message_started is left, whose look, by root key, says status = 'STARTED'.
DROP INDEX inbox_message_call_due;
DROP INDEX inbox_message_lease_over;
DROP INDEX inbox_message_pending;

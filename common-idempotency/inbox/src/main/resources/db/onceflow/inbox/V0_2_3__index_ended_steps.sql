-- Garbage collection looks for the steps that ended longest ago. A tombstone ends when it is set.
CREATE INDEX inbox_message_ended ON inbox_message ((coalesce(completed_at, received_at)))
  WHERE status <> 'STARTED';

-- A saga whose handling fails, for a bug in a step's function or a row that cannot be read, costs only itself: each failure
-- is counted here and puts its timer off. After a few it is in quarantine: its timer is at infinity, so nothing takes it
-- any more until an operator or a reply moves it.
ALTER TABLE saga_instance
  ADD COLUMN failures          int NOT NULL DEFAULT 0,   -- in a row, since it was last moved
  ADD COLUMN quarantined_at    timestamptz,              -- these two mean something while the timer is at infinity
  ADD COLUMN quarantine_reason text;

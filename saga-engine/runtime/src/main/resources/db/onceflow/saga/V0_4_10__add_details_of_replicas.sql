-- What a replica is and how it does, for operators. NULL in the rows that a release before this one writes.
ALTER TABLE saga_replica
  ADD COLUMN build   text,    -- the application's version
  ADD COLUMN host    text,    -- by its own name for it, such as the name of the pod
  ADD COLUMN details json;    -- its loops, connections and heap when it was seen

-- Which saga started which: a row for each saga that another one started, from its start to its deletion. What the parent waits
-- for is in the row of the child itself. No foreign key, as in saga_journal.
CREATE TABLE saga_child (
  child_id  uuid PRIMARY KEY,
  parent_id uuid NOT NULL
);

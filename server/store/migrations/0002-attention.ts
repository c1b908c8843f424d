/**
 * Tasks may want a person's attention, with or without a holder, and runs may end deadlocked. SQLite
 * cannot change a check, so both tables are made anew. `rowid` is the order in which runs came.
 */
export const attention = `
create table new_run (
  id text primary key,
  root text not null,
  plan text not null,
  manifest text not null check (json_valid(manifest)),
  requested_at integer not null,
  outcome text check (outcome in
    ('completed', 'failed', 'cancelled', 'superseded', 'deadlocked')),
  finished_at integer,
  interrupted_at integer,
  constraint finished_at_and_outcome_come_together check ((outcome is null) = (finished_at is null))
) strict;

insert into new_run
    (rowid, id, root, plan, manifest, requested_at, outcome, finished_at, interrupted_at)
  select rowid, id, root, plan, manifest, requested_at, outcome, finished_at, interrupted_at
  from run;

drop table run;
alter table new_run rename to run;

create index unfinished_run on run (requested_at, id) where outcome is null;

create table new_run_task (
  run_id text not null references run (id),
  position integer not null,
  task_id text not null,
  state text not null check (state in
    ('pending', 'claimed', 'running', 'attention', 'completed', 'failed', 'cancelled', 'skipped')),
  attempts integer not null check (attempts >= 0),
  term integer,
  started_at integer,
  finished_at integer,
  detail text check (json_valid(detail)),
  primary key (run_id, task_id),
  constraint a_held_task_has_a_term check (
    state = 'attention' or (state in ('claimed', 'running')) = (term is not null)),
  constraint a_final_task_has_finished check (
    (state in ('completed', 'failed', 'cancelled', 'skipped')) = (finished_at is not null))
) strict, without rowid;

insert into new_run_task
    (run_id, position, task_id, state, attempts, term, started_at, finished_at, detail)
  select run_id, position, task_id, state, attempts, term, started_at, finished_at, detail
  from run_task;

drop table run_task;
alter table new_run_task rename to run_task;
`;

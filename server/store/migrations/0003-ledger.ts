/**
 * The ledger holds whatever happens on a board, and not only what happens to a run. `sum` tells a
 * row that was written from one that was damaged, and the board how much there is of everything. `number` is the order in which runs came.
 *
 * What the ledger held before lies in `old_event` afterwards, to be read once and dropped.
 */
export const ledger = `
create table new_board (
  id integer primary key check (id = 1),
  tenure integer not null check (tenure >= 0),
  term integer not null check (term >= 0),
  at integer not null check (at >= 0),
  boot_id text not null,
  uptime_ms integer not null check (uptime_ms >= 0),
  sequence integer not null check (sequence >= 0),
  base_revision integer not null check (base_revision between 0 and sequence),
  operation integer not null check (operation >= 0),
  sum integer not null
) strict;

insert into new_board
    (id, tenure, term, at, boot_id, uptime_ms, sequence, base_revision, operation, sum)
  select id, 0, term, 0, '', 0, 0, 0, 0, row_sum(0, term, 0, '', 0, 0, 0, 0) from board;

drop table board;
alter table new_board rename to board;

create table base (
  id integer primary key check (id = 1),
  revision integer not null check (revision >= 0),
  facts text not null check (json_valid(facts)),
  sum integer not null
) strict;

create table new_run (
  number integer primary key,
  id text not null unique,
  root text not null,
  plan text not null,
  manifest text not null check (json_valid(manifest)),
  manifest_sum integer not null,
  tasks_sum integer not null,
  requested_at integer not null,
  outcome text check (outcome in
    ('completed', 'failed', 'cancelled', 'superseded', 'deadlocked')),
  finished_at integer,
  interrupted_at integer,
  stop_asked_at integer,
  earlier_revisions text not null check (json_valid(earlier_revisions)),
  sum integer not null,
  constraint finished_at_and_outcome_come_together check ((outcome is null) = (finished_at is null))
) strict;

insert into new_run
    (number, id, root, plan, manifest, manifest_sum, tasks_sum, requested_at, outcome, finished_at,
      interrupted_at, earlier_revisions, sum)
  select number, id, root, plan, manifest, manifest_sum, tasks_sum, requested_at, outcome,
    finished_at, interrupted_at, '[]', row_sum(number, id, root, plan, manifest_sum, tasks_sum,
      requested_at, outcome, finished_at, interrupted_at, null, '[]')
  from (select rowid as number, *, row_sum(manifest) as manifest_sum,
    row_sum((select group_concat(task_id, ' ' order by task_id) from run_task
      where run_id = run.id)) as tasks_sum from run);

drop table run;
alter table new_run rename to run;

create index unfinished_run on run (number) where outcome is null;
create index run_of_root on run (root, number);

create table pruned_run (
  number integer primary key,
  id text not null unique
) strict;

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
  detail text not null check (json_valid(detail)),
  sum integer not null,
  primary key (run_id, task_id),
  constraint a_held_task_has_a_term check (
    state = 'attention' or (state in ('claimed', 'running')) = (term is not null)),
  constraint a_final_task_has_finished check (
    (state in ('completed', 'failed', 'cancelled', 'skipped')) = (finished_at is not null))
) strict, without rowid;

insert into new_run_task
    (run_id, position, task_id, state, attempts, term, started_at, finished_at, detail, sum)
  select run_id, position, task_id, state, attempts, term, started_at, finished_at,
    coalesce(detail, '{}'), row_sum(run_id, position, task_id, state, attempts, term, started_at,
      finished_at, coalesce(detail, '{}'))
  from run_task;

drop table run_task;
alter table new_run_task rename to run_task;

create unique index task_of_run on run_task (run_id, position);

create table operation (
  number integer primary key,
  id text not null unique,
  at integer not null,
  result text not null check (json_valid(result)),
  sum integer not null
) strict;

alter table event rename to old_event;

create table event (
  sequence integer primary key check (sequence > 0),
  at integer not null,
  kind text not null,
  run_id text,
  task_id text,
  body text not null check (json_valid(body)),
  key text,
  turn integer,
  decision text check (json_valid(decision)),
  sum integer not null,
  constraint a_task_is_one_of_a_run check (task_id is null or run_id is not null),
  constraint a_decision_belongs_to_a_turn check ((turn is null) = (decision is null))
) strict;

create unique index event_key on event (key) where key is not null;
create index event_of_run on event (run_id, sequence) where run_id is not null;
`;

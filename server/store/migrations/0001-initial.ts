export const initial = `
create table board (
  id integer primary key check (id = 1),
  term integer not null check (term >= 0)
) strict;

insert into board (id, term) values (1, 0);

create table run (
  id text primary key,
  root text not null,
  plan text not null,
  manifest text not null check (json_valid(manifest)),
  requested_at integer not null,
  outcome text check (outcome in ('completed', 'failed', 'cancelled', 'superseded')),
  finished_at integer,
  interrupted_at integer,
  constraint finished_at_and_outcome_come_together check ((outcome is null) = (finished_at is null))
) strict;

create index unfinished_run on run (requested_at, id) where outcome is null;

create table run_task (
  run_id text not null references run (id),
  position integer not null,
  task_id text not null,
  state text not null check (state in
    ('pending', 'claimed', 'running', 'completed', 'failed', 'cancelled', 'skipped')),
  attempts integer not null check (attempts >= 0),
  term integer,
  started_at integer,
  finished_at integer,
  detail text check (json_valid(detail)),
  primary key (run_id, task_id),
  constraint a_held_task_has_a_term check ((state in ('claimed', 'running')) = (term is not null)),
  constraint a_final_task_has_finished check (
    (state in ('completed', 'failed', 'cancelled', 'skipped')) = (finished_at is not null))
) strict, without rowid;

create table event (
  sequence integer primary key,
  at integer not null,
  run_id text not null references run (id),
  what text not null check (json_valid(what))
) strict;
`;

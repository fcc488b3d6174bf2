import { statement } from './statements/statement.js';

export const takeDueWork = statement({
  name: 'take-due-work',
  params: { names: 'text[]', everySeconds: 'int4[]' },
  columns: { name: 'text' },
  text: `
  with known as (
    insert into periodic_work (name, every_seconds, next_run_at)
    select name, every_seconds, now() from unnest(:names::text[], :everySeconds::int[]) as t (name, every_seconds)
    on conflict (name) do nothing
    returning name
  ), due as (
    select name from periodic_work
    where name = any (:names) and next_run_at <= now() for update skip locked
  ), taken as (
    update periodic_work p set next_run_at = now() + make_interval(secs => t.every_seconds),
      every_seconds = t.every_seconds, last_run_at = now()
    from unnest(:names::text[], :everySeconds::int[]) as t (name, every_seconds)
    where p.name = t.name and p.name in (select name from due)
    returning p.name
  )
  select name from taken`,
});

export const noteWorkError = statement({
  name: 'note-work-error',
  params: { name: 'text', problem: 'text?' },
  text: 'update periodic_work set last_error = :problem where name = :name',
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Query } from './with-database.ts'

/** A clock that a hub and its database follow, and that a program moves on. */
export interface MovedClock {
  /** The environment of a hub that follows it. */
  variables: Readonly<Record<string, string>>
  now(): number
  /** `query` runs on the server that `followClock` prepared; none for an embedded database. */
  move(milliseconds: number, query?: Query): Promise<void>
  close(): Promise<void>
}

const untilSeenMs = 300

export async function openMovedClock (): Promise<MovedClock> {
  const directory = await mkdtemp(join(tmpdir(), 'linker-clock-'))
  const file = join(directory, 'ahead')
  let aheadMs = 0
  await writeFile(file, '0')
  return {
    variables: {
      LINKER_BENCH_CLOCK: file,
      NODE_OPTIONS: `--import ${new URL('./process-clock.ts', import.meta.url).href}`
    },
    now: () => Date.now() + aheadMs,
    async move (milliseconds, query) {
      aheadMs += milliseconds
      await query?.(`update moved_clock set ahead = ${aheadMs} * interval '1 millisecond'`)
      await writeFile(file, String(aheadMs))
      await wait(untilSeenMs)
    },
    close: () => rm(directory, { recursive: true, force: true })
  }
}

/**
 * Makes a migrated database on a server follow the clock. The functions of `public` come before
 * those of PostgreSQL then. They are not inlined, so that the planner knows their values as it
 * knows those of the real ones. The defaults of columns were bound to the real ones.
 */
export async function followClock (query: Query): Promise<void> {
  const defaults = await query<{ alter: string }>(`
    select format(
      'alter table %s alter column %I set default %s',
      adrelid::regclass,
      attname,
      replace(pg_get_expr(adbin, adrelid), 'now()', 'public.now()')
    ) as alter
    from pg_attrdef
    join pg_attribute on attrelid = adrelid and attnum = adnum
    where pg_get_expr(adbin, adrelid) like '%now()%'`)
  await query("create table moved_clock as select interval '0' as ahead")
  for (const [name, volatility] of [['now', 'stable'], ['clock_timestamp', 'volatile']]) {
    await query(`
      create function public.${name}() returns timestamptz language plpgsql ${volatility} cost 1 as $$
      begin
        return pg_catalog.${name}() + (select ahead from public.moved_clock);
      end
      $$`)
  }
  for (const { alter } of defaults) await query(alter)
  await query(`
    do $$
    begin
      execute format('alter database %I set search_path = public, pg_catalog', current_database());
    end
    $$`)
}

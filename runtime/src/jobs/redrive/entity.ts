import { defineEntity, p } from '@mikro-orm/core'
import type { AuditActor } from '../../audit/schemas.ts'
import type { Fate, Figures } from './figures.ts'
import type { RedriveFilter, RedriveState } from './schemas.ts'

/** Runs many dead jobs again. */
export const Redrive = defineEntity({
  name: 'Redrive',
  tableName: 'redrives',
  properties: {
    id: p.uuid().primary(),
    state: p.text().$type<RedriveState>(),
    /** Whether the hub has work left: jobs to run again, or jobs that have not ended. */
    isOpen: p.boolean(),
    filter: p.json<RedriveFilter>(),
    first: p.integer().strictNullable(),
    perMinute: p.integer().strictNullable(),
    /** How many jobs it runs again before somebody continues it. Null: all. */
    goal: p.integer().strictNullable(),
    /** It runs no job again before this time. */
    nextAt: p.datetime(),
    /** More jobs met the filter than one redrive takes. */
    isMore: p.boolean(),
    figures: p.json<Figures>(),
    requestId: p.text().strictNullable(),
    startedBy: p.json<AuditActor>(),
    createdAt: p.datetime(),
    endedAt: p.datetime().strictNullable()
  }
})

/** A job of a redrive. They are fixed when it starts. */
export const RedriveJob = defineEntity({
  name: 'RedriveJob',
  tableName: 'redrive_jobs',
  properties: {
    redriveId: p.uuid().primary(),
    position: p.integer().primary(),
    jobId: p.uuid(),
    /** When it had died as the redrive began. Null: it was not dead, or there was no such job. */
    diedAt: p.datetime().strictNullable(),
    fate: p.text().$type<Fate>(),
    /** Why it was skipped, or the code of the problem of which it died again. */
    reason: p.text().strictNullable()
  }
})

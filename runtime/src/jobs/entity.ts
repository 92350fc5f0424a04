import { defineEntity, p } from '@mikro-orm/core'
import type { Attempt, Cancellation, Lane, Outcome } from './job.ts'

/**
 * A row of the ledger: one job, from its request until retention removes it. A live job has a
 * `state`, and an ended one has an `outcome`. A coalesced job has neither: it names the job that
 * stands for it.
 */
export const Job = defineEntity({
  name: 'Job',
  tableName: 'jobs',
  properties: {
    id: p.uuid().primary(),
    jobType: p.text(),
    lane: p.text().$type<Lane>(),
    /** Null: a job of the hub itself. */
    connectionId: p.uuid().strictNullable(),
    objectKey: p.text(),
    /** The place of a command among the commands of its object; null in the state lane. */
    commandOrder: p.bigint('string').strictNullable(),
    idempotencyKey: p.text(),
    payload: p.json<Readonly<Record<string, unknown>>>().columnType('json'),
    requestId: p.text().strictNullable(),
    state: p.text().$type<'queued' | 'returned' | 'running'>().strictNullable(),
    /** Infinity: the job waits for the end of a pause that has no end. */
    dueAt: p.datetime().strictNullable(),
    /**
     * The paused part of a group that its last run needed. The end of that pause makes the job due.
     */
    waitsForGroup: p.uuid().strictNullable(),
    waitsForPart: p.text().strictNullable(),
    /** When it first met a platform that is away. Null: its last run found no such thing. */
    unavailableSince: p.datetime().strictNullable(),
    /** How often a worker claimed it. The number of a claim fences it. */
    claims: p.integer(),
    claimedAt: p.datetime().strictNullable(),
    heartbeatAt: p.datetime().strictNullable(),
    /** The worker of its last claim died. */
    isSuspect: p.boolean(),
    failures: p.integer(),
    crashes: p.integer(),
    attempts: p.json<Attempt[]>(),
    adapter: p.text().strictNullable(),
    outcome: p.text().$type<Outcome>().strictNullable(),
    coalescedInto: p.uuid().strictNullable(),
    /** Who wants the job to end. It may have succeeded all the same. */
    cancellation: p.json<Cancellation>().strictNullable(),
    /** The request that last ran it again or cancelled it. */
    operationId: p.uuid().strictNullable(),
    result: p.json<unknown>().strictNullable(),
    problem: p.json<{ code: string, message: string, fields?: unknown }>().strictNullable(),
    createdAt: p.datetime(),
    finishedAt: p.datetime().strictNullable(),
    diedAt: p.datetime().strictNullable()
  }
})

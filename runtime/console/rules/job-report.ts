import type { Schemas } from '@linker/client'
import { lengthMs } from './jobs.ts'
import { duration } from './times.ts'

type Job = Schemas['Job']
type Attempt = Job['attempts'][number]

/**
 * A job as Markdown, for the support of a marketplace. It holds only members that the API
 * answered, and the hub takes the secrets of a connection out of those.
 */
export function reportOf (job: Job): string {
  const { id, jobType, status, adapter, connectionId, objectKey, requestId, createdAt, finishedAt } = job
  const parts = [
    `# Job ${code(jobType)}: ${status}`,
    list([
      ['Job', code(id)],
      ['Connection', connectionId === null ? '' : code(connectionId)],
      ['Adapter', adapter === null ? '' : code(adapter)],
      ['Object', code(objectKey)],
      ['Request', requestId === null ? '' : code(requestId)],
      ['Made', createdAt],
      ['Finished', finishedAt ?? '']
    ]),
    ...problemOf(job),
    ...job.attempts.flatMap(attemptOf),
    ...jsonOf('Payload', job.payload),
    ...job.result === null || job.result === undefined ? [] : jsonOf('Result', job.result)
  ]
  return `${parts.join('\n\n')}\n`
}

function problemOf ({ problem, waitsFor }: Job): string[] {
  return [
    ...waitsFor === null ? [] : [`Waits: ${waitsFor.reason}, ${waitsFor.detail}`],
    ...problem === null ? [] : [`## Problem\n\n${code(problem.code)}\n\n${quote(problem.message)}`],
    ...problem?.fields === undefined ? [] : jsonOf('Fields of the problem', problem.fields)
  ]
}

function attemptOf ({ startedAt, finishedAt, error, calls = [], callsLeftOut }: Attempt, index: number): string[] {
  const length = duration(lengthMs(startedAt, finishedAt))
  return [
    `## Attempt ${index + 1}\n\n${startedAt}, ${length}`,
    ...error === undefined ? [] : [`${code(error.code)}\n\n${quote(error.message)}`],
    ...calls.length === 0 ? [] : [requestsOf(calls)],
    ...callsLeftOut === undefined ? [] : [`${callsLeftOut} requests in the middle were not kept.`]
  ]
}

function requestsOf (calls: NonNullable<Attempt['calls']>): string {
  const rows = calls.map(({ at, method, path, status, ms, error }) =>
    [at, code(`${method} ${path}`), status ?? error ?? 'no answer', `${ms} ms`].map(cell).join(' | ')
  )
  return ['| Sent | Request | Answer | Time |', '|---|---|---|---|', ...rows.map(row => `| ${row} |`)].join('\n')
}

function list (facts: readonly (readonly [string, string])[]): string {
  return facts.filter(([, value]) => value !== '').map(([name, value]) => `- ${name}: ${value}`).join('\n')
}

function jsonOf (title: string, value: unknown): string[] {
  const text = JSON.stringify(value, null, 2)
  const fence = fenceFor(text)
  return [`## ${title}\n\n${fence}json\n${text}\n${fence}`]
}

/** A fence of more backticks than any that the text has: a text of a platform must not end it. */
function fenceFor (text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  return '`'.repeat(longest + 1)
}

function code (text: string): string {
  const fence = '`'.repeat(Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length)) + 1)
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${fence}${pad}${text.replaceAll(/\s+/g, ' ')}${pad}${fence}`
}

function quote (text: string): string {
  return text.split('\n').map(line => `> ${line}`).join('\n')
}

/** A bar would begin a new cell, even in code. */
function cell (text: string | number): string {
  return String(text).replaceAll('|', String.raw`\|`)
}

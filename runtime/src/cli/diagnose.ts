import { escapeUnprintable } from '@linker/sdk/host/text'
import type { Command } from 'commander'
import type { Diagnostics, Finding, Run, Severity } from '../diagnostics/schemas.ts'
import { print } from '../terminal/print.ts'
import { formatTable } from '../terminal/table.ts'
import { describeRate } from '../upstream/describe.ts'
import { connectionArgument, findConnectionEvenDeleted } from './connection-name.ts'
import { describeFinding, type Finding as Line } from './doctor/finding.ts'
import { createHubClient, type HubOptions } from './hub-client.ts'

/** `linker connections diagnose`. */
export function addDiagnose (connections: Command, withHub: (command: Command) => Command): void {
  withHub(connections.command('diagnose')
    .description('say why nothing arrives from a connection, or leaves to it, and what to do; exits with 1 when ' +
      'something blocks it')
    .argument(...connectionArgument)
    .option('--json', 'print JSON'))
    .action(async (nameOrId: string, { json, ...options }: HubOptions & { json?: boolean }) => {
      const hub = await createHubClient(process.env, process.cwd(), options)
      const path = `/connections/${await findConnectionEvenDeleted(hub, nameOrId)}/diagnostics`
      const found = await hub.call('GET', path) as Diagnostics
      print(json === true ? JSON.stringify(found, null, 2) : describeDiagnostics(found))
      if (found.findings.some(({ severity }) => severity === 'blocking')) process.exitCode = 1
    })
}

/** The verdict, then a line for each finding, then the last runs and what waits. */
function describeDiagnostics (found: Diagnostics): string {
  const { verdict, findings, waiting, upstream } = found
  const width = Math.max(0, ...findings.map(({ code }) => code.length))
  return [
    [escapeUnprintable(verdict)],
    findings.map(finding => describeFinding(lineOf(finding, verdict), width)),
    [formatTable(['last', 'at', 'job', 'type', 'problem'], lastRows(found))],
    upstream === null ? [] : formatTraffic(upstream),
    waiting.length === 0 ? [] : [formatWaiting(found)]
  ].filter(lines => lines.length > 0).map(lines => lines.join('\n')).join('\n\n')
}

const marks: Readonly<Record<Severity, Line['mark']>> = { blocking: 'failed', warning: 'warning', info: 'ok' }

/** The verdict has said the sentence of the first finding already. */
function lineOf ({ severity, code, title, detail, nextAction }: Finding, verdict: string): Line {
  return { mark: marks[severity], check: code, message: detail === verdict ? title : detail, remedy: nextAction }
}

function lastRows ({ arriving, leaving }: Diagnostics): string[][] {
  const { lastWebhookAt, lastPollAt, lastSuccess, lastFailure } = arriving
  return [
    ['webhook', lastWebhookAt ?? 'none'],
    ['poll', lastPollAt ?? 'none'],
    rowOf('reading', lastSuccess),
    rowOf('failed reading', lastFailure),
    rowOf('writing', leaving.lastSuccess),
    rowOf('failed writing', leaving.lastFailure)
  ]
}

function rowOf (what: string, run: Run | null): string[] {
  if (run === null) return [what, 'none']
  const { at, jobId, jobType, problem } = run
  return [what, at, jobId, jobType, problem === null ? '' : `${problem.code}: ${problem.message}`]
}

/** The limits of the traffic to the platform; no line when there is none. */
function formatTraffic ({ budget, areas, ...whole }: NonNullable<Diagnostics['upstream']>): string[] {
  const { effective } = budget
  const rows = [
    ...effective === null ? [] : [['budget', `${describeRate(effective.ratePerSecond)}, ${effective.burst} at once`]],
    ...rowsOfPart('', whole),
    ...areas.flatMap(({ name, ...area }) => rowsOfPart(` of area ${name}`, area))
  ]
  return rows.length === 0 ? [] : [formatTable(['traffic', 'limit'], rows)]
}

function rowsOfPart (
  of: string,
  { throttledUntil, rest, breaker }: Pick<NonNullable<Diagnostics['upstream']>, 'throttledUntil' | 'rest' | 'breaker'>
): string[][] {
  const why = rest === null ? '' : `: ${rest.reason}`
  return [
    ...throttledUntil === null ? [] : [[`rest${of}`, `until ${throttledUntil}${why}`]],
    ...breaker.state === 'closed'
      ? []
      : [[`breaker${of}`, breaker.state === 'open' ? `open until ${breaker.openUntil}` : breaker.state]]
  ]
}

function formatWaiting ({ waiting, atMost }: Diagnostics): string {
  const table = formatTable(
    ['jobs', 'type', 'waits for', 'oldest', 'until', 'sample', 'why'],
    waiting.map(({ count, jobType, reason, oldestAt, until = '', sampleJobId, detail }) => [
      String(count),
      jobType,
      reason,
      oldestAt,
      until,
      sampleJobId,
      detail
    ])
  )
  return atMost.waiting ? `${table}\n\nMore jobs wait than were counted.` : table
}

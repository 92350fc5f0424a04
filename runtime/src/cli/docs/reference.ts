import type { AdapterContract } from '../publish/compare-contracts.ts'
import { code, membersOf } from './members.ts'
import { deliveryRows, eventRows } from './webhooks.ts'

/** The tables of an adapter, as Markdown. A table without rows is left out. */
export function referenceOf ({ manifest, description }: AdapterContract): string {
  const { capabilities, jobs, schedules, routes, webhooks, budget } = description
  const { http = [], jobs: jobTypes = [], connections = false } = manifest.permissions ?? {}
  return [
    table('Config', ['Member', 'Value', 'Default', 'Meaning'], rowsOf(description.config)),
    table('Credentials', ['Member', 'Value', 'Default', 'Meaning'], rowsOf(description.credentials)),
    table(
      'Capabilities',
      ['Capability', 'Methods'],
      Object.entries(capabilities).map(([name, methods]) => [code(name), methods?.map(code).join(', ') ?? 'unknown'])
    ),
    ...webhooks === undefined ? [] : [
      table('Webhooks', ['Event', 'Topics of the platform', 'Job'], eventRows(manifest.platformType, description)),
      table('Webhook deliveries', ['Part', 'How'], deliveryRows(manifest.platformType, webhooks))
    ],
    table(
      'Jobs',
      ['Job', 'Payload'],
      Object.entries(jobs).map(([name, payload]) => [
        code(name),
        membersOf(payload).map(member => code(member.name)).join(', ') || 'none'
      ])
    ),
    table(
      'Schedules',
      ['Schedule', 'Every', 'Job'],
      schedules.map(({ name, every, job }) => [code(name), every, code(job)])
    ),
    table(
      'Routes',
      ['Route', 'Caller', 'Purpose'],
      routes.map(({ method, path, auth, summary }) => [
        code(`${method} /integrations/${manifest.platformType}${path}`),
        auth === 'public' ? 'anybody' : 'a token of the hub',
        summary ?? ''
      ])
    ),
    table('Permissions', ['May', 'What'], [
      ...http.map(origin => ['send requests to', code(origin)]),
      ...jobTypes.map(type => ['define, schedule or enqueue', code(type)]),
      ...connections ? [['read, create and renew', `connections of ${manifest.platformType}`]] : [],
      ...budget === undefined
        ? []
        : [['send at most', `${budget.ratePerSecond} requests a second, ${budget.burst} at once`]]
    ])
  ].filter(part => part !== '').join('\n\n')
}

function rowsOf (schema: object): string[][] {
  return membersOf(schema).map(({ name, value, absent, meaning }) => [code(name), value, absent, meaning])
}

function table (title: string, headings: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const lineOf = (cells: readonly string[]): string => `| ${cells.map(cellOf).join(' | ')} |`
  return [
    `### ${title}`,
    '',
    lineOf(headings),
    `|${headings.map(() => '---').join('|')}|`,
    ...rows.map(lineOf)
  ].join('\n')
}

/** A line break or a bar would end the cell, and an element of HTML would vanish. */
function cellOf (text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().replaceAll('|', '\\|').replaceAll('<', '&lt;')
}

import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { hub } from '../hub/hub.ts'
import { useLive } from '../hub/live.ts'
import { duration } from '../rules/times.ts'
import { Facts } from '../show/facts.tsx'
import { Loaded } from '../show/loaded.tsx'
import { Page, Section } from '../show/page.tsx'
import { State } from '../show/state.tsx'
import { Table } from '../show/table.tsx'
import { Ago } from '../show/time.tsx'

type System = Schemas['System']

/** Shows the hub, its processes and its settings. */
export default function SystemPage (): JSX.Element {
  const live = useLive(signal => hub.get('/system', { signal }), [], { everyMs: 15_000 })
  return (
    <Page title='System' lead='What runs here, where it keeps its state, and for how long.'>
      <Loaded live={live}>{system => <Parts system={system} />}</Loaded>
    </Page>
  )
}

function Parts ({ system }: { system: System }): JSX.Element {
  const { start, processes, retention } = system
  const startMs = start.reduce((sum, { ms }) => sum + ms, 0)
  return (
    <>
      <Section title='Hub'>
        <Facts
          of={[
            ['Version', system.version],
            ['Node.js', system.node],
            ['Mode', system.mode],
            ['Address', system.publicUrl ?? 'LINKER_PUBLIC_URL is not set'],
            ['Settings', <code key='file'>{system.configurationFile}</code>],
            ['Data', <code key='data'>{system.dataDirectory}</code>],
            [
              'Credentials',
              system.encryption ? 'stored encrypted' : <State key='off' name='stored unencrypted' tone='warn' />
            ],
            [
              'Log level',
              `${system.logLevel.level}${system.logLevel.until === null ? '' : `, until ${system.logLevel.until}`}`
            ],
            ['Last start', `took ${duration(startMs)}`]
          ]}
        />
      </Section>
      <Section title='Processes'>
        <Table
          caption='Processes that were alive within the last minute'
          rows={processes}
          keyOf={({ id }) => id}
          columns={[
            { head: 'Host', cell: ({ host, pid }) => `${host}, process ${pid}` },
            { head: 'Role', cell: ({ role }) => role },
            { head: 'Mode', cell: ({ mode }) => mode ?? 'unknown' },
            { head: 'Version', cell: ({ version }) => version },
            { head: 'Started', cell: ({ startedAt }) => <Ago at={startedAt} /> },
            { head: 'Seen', cell: ({ seenAt }) => <Ago at={seenAt} /> }
          ]}
          empty='No process reported itself within the last minute.'
        />
      </Section>
      <Section title='Start'>
        <Table
          caption='How long each step of the start took'
          rows={start}
          keyOf={({ step }) => step}
          columns={[
            { head: 'Step', cell: ({ step }) => step },
            { head: 'Time', cell: ({ ms }) => duration(ms), isNumber: true }
          ]}
          empty='The process that answers did not measure its start.'
        />
      </Section>
      <Section title='What is kept'>
        <Facts
          of={[
            ['Deliveries', days(retention.webhookDays)],
            ['Jobs that ended well', days(retention.finishedJobDays)],
            ['Dead jobs', days(retention.deadJobDays)],
            ['Audit', days(retention.auditDays)],
            ['Data of buyers', days(retention.personalDataDays)],
            ['Orders', days(retention.orderDays)],
            ['Figures of hours', days(retention.figureDays)]
          ]}
        />
      </Section>
    </>
  )
}

function days (count: number | null): string {
  if (count === null) return 'for ever'
  return count === 1 ? '1 day' : `${count} days`
}

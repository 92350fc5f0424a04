import type { JSX } from 'preact'
import { useLocation } from 'preact-iso/router'
import { useConnections, type Connections } from '../../hub/connections.ts'
import { hub } from '../../hub/hub.ts'
import { useLive } from '../../hub/live.ts'
import { addressOf } from '../../rules/addresses.ts'
import { readFilter, withFilter } from '../../rules/filters.ts'
import {
  countIn,
  filterOfGroup,
  groupsWithin,
  reasonOfGroup,
  type GroupedStatus,
  type JobGroup
} from '../../rules/job-groups.ts'
import { countOf } from '../../rules/words.ts'
import { Icon } from '../../show/icon.tsx'
import { Loaded } from '../../show/loaded.tsx'
import { LongName } from '../../show/long-name.tsx'
import { Section } from '../../show/page.tsx'
import { Table, type Column } from '../../show/table.tsx'
import { Ago } from '../../show/time.tsx'
import { ToConnection } from '../../show/to-connection.tsx'
import { GiveUpGroup } from './give-up.tsx'
import { RetryGroup } from './retry-group.tsx'

interface Found {
  status: GroupedStatus
  groups: readonly JobGroup[]
  atMost: boolean
}

/** Dead and waiting jobs by connection, type and reason, the largest group first. */
export function Groups (): JSX.Element {
  const connections = useConnections()
  const { query } = useLocation()
  const filter = readFilter(query, ['status', 'connectionId', 'jobType', 'code'])
  const statuses = (['dead', 'waiting'] as const).filter(status =>
    [undefined, status].includes(filter.status as 'dead')
  )
  const live = useLive(signal =>
    Promise.all(statuses.map(async status => {
      const { groups, atMost } = await hub.get('/jobs/groups', { query: { status }, signal })
      return { status, groups: groupsWithin(groups, filter), atMost }
    })), [JSON.stringify(filter)])

  if (statuses.length === 0) return <></>
  return (
    <Loaded live={live}>
      {found =>
        found.every(({ groups }) => groups.length === 0)
          ? (
            <p class='note good'>
              <Icon name='ok' /> No job is {statuses.join(', and none is ')} here.
            </p>
          )
          : found.filter(({ groups }) => groups.length > 0).map(part => (
            <StatusGroups key={part.status} found={part} connections={connections} />
          ))}
    </Loaded>
  )
}

/** Not the sample: another death would change it, and close the dialog that somebody is reading. */
function keyOfDead ({ connectionId, jobType, code }: JobGroup): string {
  return `${connectionId} ${jobType} ${code}`
}

const titles: Readonly<Record<GroupedStatus, string>> = { dead: 'Dead', waiting: 'Waiting' }

function StatusGroups ({ found, connections }: { found: Found, connections: Connections }): JSX.Element {
  const { status, groups, atMost } = found
  const isDead = status === 'dead'
  const columns: Column<JobGroup>[] = [
    { head: 'Type', cell: ({ jobType }) => <LongName name={jobType} /> },
    { head: isDead ? 'Code' : 'Waits for', cell: group => <LongName name={reasonOfGroup(group)} /> },
    { head: 'Jobs', cell: ({ count }) => <strong>{count}</strong>, isNumber: true },
    {
      head: 'Connection',
      cell: ({ connectionId }) =>
        connectionId === null
          ? <span class='muted'>the hub</span>
          : <ToConnection id={connectionId} of={connections} />
    },
    { head: isDead ? 'First died' : 'Oldest', cell: ({ firstAt }) => <Ago at={firstAt} /> },
    { head: isDead ? 'Last died' : 'Newest', cell: ({ lastAt }) => <Ago at={lastAt} /> },
    {
      head: 'Example',
      cell: ({ sampleJobId }) => <a class='short-id' href={addressOf.job(sampleJobId)}>{sampleJobId.slice(0, 8)}</a>
    }
  ]
  return (
    <Section title={`${titles[status]}: ${atMost ? 'more than ' : ''}${countOf(countIn(groups), 'job')}`}>
      <Table
        caption={isDead
          ? 'Dead jobs run again only when somebody retries them'
          : 'Waiting jobs go on by themselves when their reason is gone'}
        rows={groups}
        keyOf={isDead ? keyOfDead : ({ sampleJobId }) => sampleJobId}
        hrefOf={group => withFilter('/console/jobs', { status, ...filterOfGroup(group) })}
        columns={isDead
          ? [...columns, {
            head: 'Actions',
            cell: group => (
              <span class='actions'>
                <RetryGroup group={group} />
                <GiveUpGroup group={group} />
              </span>
            )
          }]
          : columns}
        empty={null}
      />
    </Section>
  )
}

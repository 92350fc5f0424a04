import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { useLocation } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { nowMs } from '../../hub/clock.ts'
import { useConnections } from '../../hub/connections.ts'
import { hub, toPage } from '../../hub/hub.ts'
import { useRows } from '../../hub/live.ts'
import { addressOf } from '../../rules/addresses.ts'
import { readFilter } from '../../rules/filters.ts'
import { objectOf, reasonOf, type JobStatus } from '../../rules/jobs.ts'
import { timeOf } from '../../rules/past.ts'
import { Filters } from '../../show/filters.tsx'
import { Empty } from '../../show/loaded.tsx'
import { LongName } from '../../show/long-name.tsx'
import { State } from '../../show/state.tsx'
import { LiveTable } from '../../show/table.tsx'
import { Ago } from '../../show/time.tsx'
import { ToConnection } from '../../show/to-connection.tsx'
import { fieldsOf, filterNames } from './filter.ts'

type Job = Schemas['Job']

/** The jobs that meet the filter in the address, newest first. */
export function JobList (): JSX.Element {
  const connections = useConnections()
  const { query } = useLocation()
  const [showsAll, setShowsAll] = useState(false)
  const filter = readFilter(query, filterNames)
  const live = useRows(async (cursor, signal) => {
    const { status, since, until, ...more } = filter
    return toPage(await hub.request('get', '/jobs', {
      query: {
        ...more,
        status: status as JobStatus | undefined,
        since: timeOf(since, nowMs()),
        until: timeOf(until, nowMs()),
        cursor
      },
      signal
    }))
  }, [JSON.stringify(filter)])
  const isFiltered = Object.keys(filter).length > 0

  return (
    <>
      <Filters fields={fieldsOf(connections.all, name => showsAll || filter[name] !== undefined)}>
        {!showsAll && <button type='button' class='small' onClick={() => setShowsAll(true)}>More filters</button>}
      </Filters>
      <section class='card jobs'>
        <LiveTable<Job>
          live={live}
          caption='Jobs, newest first'
          keyOf={({ id }) => id}
          hrefOf={({ id }) => addressOf.job(id)}
          columns={[
            { head: 'Type', cell: ({ jobType }) => <LongName name={jobType} /> },
            { head: 'Object', cell: objectOf },
            { head: 'Status', cell: ({ status }) => <State name={status} /> },
            {
              head: 'Connection',
              cell: ({ connectionId }) =>
                connectionId === null
                  ? <span class='muted'>the hub</span>
                  : <ToConnection id={connectionId} of={connections} />
            },
            { head: 'Attempts', cell: ({ attempts }) => attempts.length, isNumber: true },
            { head: 'Made', cell: ({ createdAt }) => <Ago at={createdAt} /> },
            { head: 'Reason', cell: job => <Reason job={job} /> }
          ]}
          empty={
            <Empty>
              {isFiltered
                ? 'No job meets this filter. Jobs that ended long ago are removed; System says when.'
                : 'There are no jobs yet. Webhooks, schedules and people start them.'}
            </Empty>
          }
        />
      </section>
    </>
  )
}

function Reason ({ job }: { job: Job }): JSX.Element | null {
  const { coalescedInto, waitsFor } = job
  if (coalescedInto !== null) {
    return (
      <span>
        merged with <a href={addressOf.job(coalescedInto)}>another job</a>
      </span>
    )
  }
  const reason = reasonOf(job)
  if (reason === '') return null
  return (
    <span class='reason'>
      {reason}
      {waitsFor?.until !== undefined && (
        <>
          {' '}(<Ago at={waitsFor.until} />)
        </>
      )}
    </span>
  )
}

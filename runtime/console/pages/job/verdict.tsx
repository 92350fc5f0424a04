import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { addressOf } from '../../rules/addresses.ts'
import { Json } from '../../show/json.tsx'
import { RemedyOf } from '../../show/problem.tsx'
import { Ago } from '../../show/time.tsx'

type Job = Schemas['Job']

/** Says in a sentence how it is with a job, and what a person can do. */
export function Verdict ({ job }: { job: Job }): JSX.Element {
  const { coalescedInto, waitsFor, problem, cancellation, status } = job
  return (
    <div class='job-state'>
      {coalescedInto !== null && (
        <p>
          A later request asked for the same, so <a href={addressOf.job(coalescedInto)}>one job</a>{' '}
          does the work of both. What follows is about that one.
        </p>
      )}
      {waitsFor !== null && (
        <p>
          <strong>{waitsFor.reason}</strong>: {waitsFor.detail}
          {waitsFor.until !== undefined && (
            <>
              {' '}It ends <Ago at={waitsFor.until} />.
            </>
          )}
        </p>
      )}
      {status === 'running' && <p>A worker of the hub runs it now.</p>}
      {status === 'queued' && waitsFor === null && <p>It runs as soon as a worker is free.</p>}
      {problem !== null && (
        <>
          <p>{problem.message}</p>
          <RemedyOf code={problem.code} />
          {problem.fields !== undefined && <Json title='Fields of the problem' value={problem.fields} />}
        </>
      )}
      {cancellation !== null && (
        <p>
          {cancellation.by} cancelled it <Ago at={cancellation.requestedAt} />
          {cancellation.reason === null ? '.' : `: ${cancellation.reason}`}
          {status === 'succeeded' && ' It had succeeded before that.'}
        </p>
      )}
      {status === 'succeeded' && <p>It did its work.</p>}
    </div>
  )
}

import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { lengthMs } from '../../rules/jobs.ts'
import { duration } from '../../rules/times.ts'
import { Calls } from '../../show/calls.tsx'
import { State } from '../../show/state.tsx'
import { At } from '../../show/time.tsx'

type Job = Schemas['Job']

/** The runs of a job so far, each with its requests to the platform. */
export function Attempts ({ job: { attempts, status } }: { job: Job }): JSX.Element {
  if (attempts.length === 0) {
    return <p class='muted'>{status === 'running' ? 'Its first attempt has not ended yet.' : 'It has not run yet.'}</p>
  }
  return (
    <ol class='attempts'>
      {attempts.map(({ startedAt, finishedAt, error, calls, callsLeftOut }, index) => (
        <li key={startedAt}>
          <h3>
            Attempt {index + 1} <State name={error === undefined ? 'succeeded' : 'failed'} />
          </h3>
          <p class='muted'>
            <At at={startedAt} />, took {duration(lengthMs(startedAt, finishedAt))}
          </p>
          {error !== undefined && (
            <p>
              <code>{error.code}</code> {error.message}
            </p>
          )}
          {calls !== undefined && calls.length > 0 && <Calls calls={calls} leftOut={callsLeftOut} />}
        </li>
      ))}
    </ol>
  )
}

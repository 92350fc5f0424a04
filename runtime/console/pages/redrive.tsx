import type { JSX } from 'preact'
import { useRoute } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { useConnections } from '../hub/connections.ts'
import { hub } from '../hub/hub.ts'
import { useLive } from '../hub/live.ts'
import { addressOf } from '../rules/addresses.ts'
import { canStop, describeSkip, trialOf, type Redrive } from '../rules/redrives.ts'
import { Facts } from '../show/facts.tsx'
import { Loaded } from '../show/loaded.tsx'
import { Page, Section } from '../show/page.tsx'
import { RemedyOf } from '../show/problem.tsx'
import { State } from '../show/state.tsx'
import { Ago } from '../show/time.tsx'
import { ToConnection } from '../show/to-connection.tsx'
import { ContinueRedrive, StopRedrive } from './redrive/actions.tsx'
import { Progress } from './redrive/progress.tsx'
import { Trial } from './redrive/trial.tsx'

/** How far a bulk retry is, and the buttons to go on with it and to stop it. */
export default function RedrivePage (): JSX.Element {
  const { params: { id = '' } } = useRoute()
  return <RedriveOf key={id} id={id} />
}

function RedriveOf ({ id }: { id: string }): JSX.Element {
  const [isOver, setOver] = useState(false)
  const live = useLive(
    async signal => {
      const found = await hub.get('/redrives/{id}', { path: { id }, signal })
      setOver(!canStop(found) && found.inProgress === 0)
      return found
    },
    [id, isOver],
    { everyMs: isOver ? 0 : 2_000, keeps: true }
  )

  return (
    <Page
      title='Bulk retry'
      lead='Dead jobs that run again. Their ids were fixed when it began, so it never takes others.'
      above={[['Jobs', '/console/jobs'], ['Bulk retries', '/console/jobs?view=redrives']]}
      actions={live.data !== undefined && <StopRedrive redrive={live.data} />}
    >
      <Loaded live={live}>{redrive => <Parts redrive={redrive} />}</Loaded>
    </Page>
  )
}

function Parts ({ redrive }: { redrive: Redrive }): JSX.Element {
  const { state, detail, deaths, skipped } = redrive
  return (
    <>
      {trialOf(redrive) !== undefined && (
        <Trial redrive={redrive}>
          <ContinueRedrive redrive={redrive} />
        </Trial>
      )}
      <Section title='Progress' actions={<State name={state} />}>
        <p class='lead'>{detail}</p>
        <Progress redrive={redrive} />
        {skipped.length > 0 && (
          <ul class='skipped'>
            {skipped.map(({ reason, count }) => <li key={reason}>{count} skipped: {describeSkip(reason)}</li>)}
          </ul>
        )}
      </Section>
      {deaths.length > 0 && (
        <Section title='Dead again'>
          {deaths.map(({ code, count, sampleJobId }) => (
            <div key={code} class='death'>
              <p>
                <strong>{count}</strong> died again{count === 1 ? ': ' : ', for example '}
                <a href={addressOf.job(sampleJobId)}>this job</a>.
              </p>
              {code !== null && <RemedyOf code={code} />}
            </div>
          ))}
        </Section>
      )}
      <Which redrive={redrive} />
    </>
  )
}

function Which ({ redrive }: { redrive: Redrive }): JSX.Element {
  const connections = useConnections()
  const { filter, first, perMinute, startedAt, startedBy, endedAt, atMost } = redrive
  const { connectionId, jobType, code, objectKey, since, until, jobIds } = filter
  return (
    <Section title='Which jobs'>
      <Facts
        of={[
          [
            'Connection',
            connectionId === undefined ? undefined : <ToConnection key='of' id={connectionId} of={connections} />
          ],
          ['Type', jobType],
          ['Code', code],
          ['Object', objectKey],
          ['Made since', since],
          ['Made before', until],
          ['Named jobs', jobIds?.length],
          ['Tried first', first],
          ['At most in a minute', perMinute],
          ['Limit', atMost ? 'more jobs met the filter; it takes the oldest' : undefined],
          ['Started', <Ago key='started' at={startedAt} />],
          ['By', startedBy.name],
          ['Ended', endedAt === null ? undefined : <Ago key='ended' at={endedAt} />]
        ]}
      />
    </Section>
  )
}

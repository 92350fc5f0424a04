import type { JSX } from 'preact'
import { hub } from '../../hub/hub.ts'
import { useLive } from '../../hub/live.ts'
import { Loaded } from '../../show/loaded.tsx'
import { Section } from '../../show/page.tsx'
import { Dead, Waiting } from './backlog.tsx'
import { Cursors } from './cursors.tsx'
import { Danger } from './danger.tsx'
import { Findings } from './findings.tsx'
import { PauseButton, ResumeButton } from './pausing.tsx'
import type { Read } from './read.ts'
import { Standing } from './standing.tsx'
import { useTest } from './test-button.tsx'
import { Upstream } from './upstream.tsx'

/** How the connection is: the reason of its state, what is wrong, and what waits. */
export function Overview ({ connection, etag }: Read): JSX.Element {
  const { id } = connection
  const live = useLive(signal => hub.get('/connections/{id}/diagnostics', { path: { id }, signal }), [id])
  const [testButton, testResult] = useTest(connection)
  return (
    <>
      <Section
        title='State'
        actions={
          <>
            {testButton}
            <PauseButton connection={connection} />
            <ResumeButton connection={connection} />
          </>
        }
      >
        {testResult}
        <Standing connection={connection} diagnostics={live.data} />
      </Section>
      <Loaded live={live}>
        {diagnostics => (
          <>
            <Findings connectionId={connection.id} diagnostics={diagnostics} />
            <Waiting diagnostics={diagnostics} />
            <Dead diagnostics={diagnostics} />
            {diagnostics.upstream !== null && <Upstream connection={connection} upstream={diagnostics.upstream} />}
            <Cursors connection={connection} cursors={diagnostics.cursors} />
          </>
        )}
      </Loaded>
      <Danger connection={connection} etag={etag} />
    </>
  )
}

import type { JSX } from 'preact'
import { hub } from '../hub/hub.ts'
import { useLive } from '../hub/live.ts'
import { Loaded } from '../show/loaded.tsx'
import { Page } from '../show/page.tsx'
import { Attention } from './overview/attention.tsx'
import { Connections } from './overview/connections.tsx'
import { FirstSteps } from './overview/first-steps.tsx'
import { LastHour } from './overview/last-hour.tsx'

/** Does anything need a person? */
export default function Overview (): JSX.Element {
  const attention = useLive(signal => hub.get('/attention', { signal }), [], { everyMs: 15_000 })
  const connections = useLive(signal => hub.get('/connections/health', { query: { limit: 200 }, signal }), [])

  return (
    <Page title='Overview' lead='Does anything need a person?'>
      <Loaded live={connections}>{rows => <FirstSteps connections={rows} />}</Loaded>
      <Loaded live={attention}>{items => <Attention items={items} />}</Loaded>
      <LastHour />
      <Loaded live={connections}>{rows => rows.length > 0 && <Connections rows={rows} />}</Loaded>
    </Page>
  )
}

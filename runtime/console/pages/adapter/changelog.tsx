import type { JSX } from 'preact'
import { anyHub } from '../../hub/hub.ts'
import { useLive } from '../../hub/live.ts'
import { Loaded } from '../../show/loaded.tsx'
import { Section } from '../../show/page.tsx'

/** The changelog of the package as plain text: it is the adapter's own, so it is no markup. */
export function Changelog ({ adapterKey, version }: { adapterKey: string, version: string }): JSX.Element {
  const live = useLive(
    async signal =>
      String(await anyHub.get('/adapters/{key}/versions/{version}/changelog', {
        path: { key: adapterKey, version },
        signal
      })),
    [adapterKey, version],
    { everyMs: 0 }
  )
  return (
    <Section title='Changelog'>
      <Loaded live={live}>{text => <pre tabIndex={0}>{text}</pre>}</Loaded>
    </Section>
  )
}

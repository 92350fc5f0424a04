import type { JSX } from 'preact'
import type { Schema } from '../../form/fields-of.ts'
import { hub } from '../../hub/hub.ts'
import { useLive } from '../../hub/live.ts'
import { isServing } from '../../rules/platforms.ts'
import { Json } from '../../show/json.tsx'
import { Loaded } from '../../show/loaded.tsx'
import { Section } from '../../show/page.tsx'
import { AuthoriseAgain } from './authorise-again.tsx'
import { Credentials } from './credentials.tsx'
import type { Read } from './read.ts'
import { SettingsForm } from './settings-form.tsx'

/** Shows name, config, the hub's own settings and credentials, and changes them. */
export function Settings ({ connection, etag, adapters }: Read): JSX.Element {
  const { adapterKey: key, platformType } = connection
  const version = connection.adapterVersion ?? 'latest'
  const live = useLive(
    signal => hub.get('/adapters/{key}/versions/{version}/schema', { path: { key, version }, signal }),
    [key, version],
    { everyMs: 0 }
  )
  const authorising = adapters.filter(isServing)
    .find(adapter => adapter.platformType === platformType && adapter.isDefault && adapter.authorisation !== null)
  return (
    <>
      <Loaded live={live}>
        {({ config, settings, credentials }) => (
          <>
            <SettingsForm
              connection={connection}
              etag={etag}
              schema={config as Schema}
              hubSchema={settings as Schema}
            />
            {authorising !== undefined && <AuthoriseAgain connection={connection} adapter={authorising} />}
            <Credentials connection={connection} etag={etag} schema={credentials as Schema} />
          </>
        )}
      </Loaded>
      <Section title='As JSON'>
        <Json title='Config as it is stored, without secrets' value={connection.config} />
        <Json title='Settings of the hub as they are stored' value={connection.settings} />
        {connection.effectiveConfig !== undefined && (
          <Json title='Config as the adapter gets it, with defaults' value={connection.effectiveConfig} />
        )}
      </Section>
    </>
  )
}

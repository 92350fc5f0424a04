import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { fieldsOf, initialOf, type Schema } from '../../form/fields-of.ts'
import { hub } from '../../hub/hub.ts'
import { useLive } from '../../hub/live.ts'
import type { Platform, Serving } from '../../rules/platforms.ts'
import { Loaded } from '../../show/loaded.tsx'
import { SettingsForm } from './settings-form.tsx'

/** A connection from settings that somebody types. */
export function EnterSettings ({ platform }: { platform: Platform }): JSX.Element {
  const [adapter, setAdapter] = useState<Serving>(platform.usual)
  const { adapterKey: key, version } = adapter
  const live = useLive(
    async signal => {
      const [schema, system] = await Promise.all([
        hub.get('/adapters/{key}/versions/{version}/schema', { path: { key, version }, signal }),
        hub.get('/system', { signal })
      ])
      return {
        config: schema.config as Schema,
        hubSchema: schema.settings as Schema,
        credentials: schema.credentials as Schema,
        publicUrl: system.publicUrl
      }
    },
    [key, version],
    { everyMs: 0 }
  )

  return (
    <>
      {platform.choices.length > 1 && (
        <p class='filters'>
          <label>
            <span>Adapter</span>
            <select
              value={`${key}@${version}`}
              onChange={({ currentTarget: { value } }) => {
                setAdapter(platform.choices.find(one => `${one.adapterKey}@${one.version}` === value) ?? adapter)
              }}
            >
              {platform.choices.map(one => {
                const name = `${one.adapterKey}@${one.version}`
                return <option key={name} value={name}>{name}</option>
              })}
            </select>
          </label>
        </p>
      )}
      <Loaded live={live}>
        {({ config, hubSchema, credentials, publicUrl }) => (
          <SettingsForm
            key={`${key}@${version}`}
            adapter={adapter}
            config={config}
            hubSchema={hubSchema}
            credentials={credentials}
            start={startOf(config, publicUrl)}
          />
        )}
      </Loaded>
    </>
  )
}

/** The initial values of the schema, and the hub's own address, which it knows best. */
function startOf (config: Schema, publicUrl: string | null): Record<string, unknown> {
  const takesAddress = fieldsOf(config)?.some(({ name }) => name === 'callbackBaseUrl') === true
  return { ...initialOf(config), ...takesAddress ? { callbackBaseUrl: publicUrl ?? location.origin } : {} }
}

import { AdapterErrorCode, readPlatformSettings } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import t from 'tap'

const Settings = Type.Object({ production: Type.Optional(Type.Object({ baseUrl: Type.String({ minLength: 1 }) })) })

t.test('settings that fit are answered as they are', async t => {
  const platform = { production: { baseUrl: 'https://api.example' }, more: 1 }

  t.equal(readPlatformSettings(Settings, 'feed', platform), platform)
  t.strictSame(readPlatformSettings(Settings, 'feed', {}), {})
})

t.test('settings that do not fit name the member of linker.config.json', async t => {
  t.throws(() => readPlatformSettings(Settings, 'feed', { production: { baseUrl: 7 } }), {
    code: AdapterErrorCode.configuration,
    message: /^platforms\.feed\.production\.baseUrl in linker\.config\.json: /
  })
})

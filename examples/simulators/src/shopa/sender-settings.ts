import type { SenderConfiguration } from './sender-configuration.ts'
import type { State } from './state.ts'

const names = {
  baseUrl: 'LINKER_BASE_URL',
  connectionId: 'LINKER_CONNECTION_ID',
  secret: 'LINKER_WEBHOOK_SECRET'
} as const

/** Keeps the sender's three settings in configuration rows, which the webservice can write. */
export function createSenderSettings ({ tables, addSupporting, change }: State, timestamp: () => string) {
  const rowOf = (name: string) => tables.configurations.where('name', [name])[0]

  function store ({ baseUrl, connectionId, secret }: SenderConfiguration): void {
    const values = Object.entries({ baseUrl, connectionId, secret }) as Array<[keyof typeof names, string]>
    for (const [member, value] of values) {
      const row = rowOf(names[member])
      if (row === undefined) {
        addSupporting('configurations', {
          id: tables.configurations.nextId(),
          fields: { name: names[member], value, date_add: timestamp(), date_upd: timestamp() }
        })
      } else change('configurations', row.id, { fields: { value, date_upd: timestamp() } })
    }
  }

  function read (): Pick<SenderConfiguration, keyof typeof names> {
    const valueOf = (name: string) => String(rowOf(name)?.fields.value ?? '')
    return { baseUrl: valueOf(names.baseUrl), connectionId: valueOf(names.connectionId), secret: valueOf(names.secret) }
  }

  return { store, read }
}

import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Connections } from '../../hub/connections.ts'
import { hub } from '../../hub/hub.ts'
import { refreshAll } from '../../hub/live.ts'
import { may } from '../../hub/session.ts'
import { Section } from '../../show/page.tsx'
import { Problem } from '../../show/problem.tsx'
import { Preview } from './preview.tsx'
import { Repair } from './repair.tsx'

/** Compares one connection with its platform without a change, then offers the repair. */
export function Compare ({ connections, chosen }: {
  connections: Connections,
  chosen: string | undefined
}): JSX.Element | null {
  const comparable = connections.having('InventoryMaster', 'OfferManager', 'Marketplace')
  const [id = comparable[0]?.id, setId] = useState(chosen)
  const [found, setFound] = useState<{ preview?: Schemas['ReconcilePreview'], problem?: Error, isAsking?: boolean }>({})
  if (!may('operate') || id === undefined) return null

  async function compare (connectionId: string): Promise<void> {
    setFound({ isAsking: true })
    try {
      setFound({ preview: await previewOf(connectionId) })
    } catch (error) {
      setFound({ problem: error instanceof Error ? error : new Error(String(error)) })
    }
  }

  return (
    <Section title='Compare with the platform'>
      <div class='filters'>
        <label>
          <span>Connection</span>
          <select
            value={id}
            onChange={event => {
              setId(event.currentTarget.value)
              setFound({})
            }}
          >
            {comparable.map(({ id: value, name }) => <option key={value} value={value}>{name}</option>)}
          </select>
        </label>
        <button type='button' disabled={found.isAsking === true} onClick={() => void compare(id)}>
          {found.isAsking === true ? 'Reading…' : 'Compare'}
        </button>
        {found.preview !== undefined && (
          <Repair
            preview={found.preview}
            name={connections.nameOf(id)}
            isShop={connections.having('InventoryMaster').some(shop => shop.id === id)}
            done={() => {
              setFound({})
              refreshAll()
            }}
          />
        )}
      </div>
      <div aria-live='polite'>
        {found.isAsking === true && (
          <p class='muted'>The hub reads and compares everything. It changes nothing, and takes 20 seconds at most.</p>
        )}
        {found.problem !== undefined && <Problem error={found.problem} />}
        {found.preview !== undefined && <Preview preview={found.preview} />}
      </div>
    </Section>
  )
}

async function previewOf (connectionId: string): Promise<Schemas['ReconcilePreview']> {
  const answer = await hub.post('/stock/reconcile', { body: { connectionId, dryRun: true } })
  if ('jobIds' in answer) throw new Error('The hub started a comparison instead of a dry run.')
  return answer
}
